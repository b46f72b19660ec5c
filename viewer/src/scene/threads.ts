// Lines along rods that are so thin beside the model that a picture of all of it would lose them.
import { Color, Vector3 } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Shape } from "../types";
import { shapeMatrix } from "./outline";
import type { Poses } from "./poses";
import { bodyColour, colourOr } from "./theme";

export interface Threads {
  readonly lines: LineSegments2;
  update(): void;
}

interface Thread {
  body: number;
  ends: [Vector3, Vector3]; // in the body's frame
  colour: Color;
}

const thin = 1 / 400; // radius by size of the model: less than about a pixel and a half
const width = 3; // of a line, in pixels

/** The rods among the shapes of the bodies that are too thin for a model of this size. */
export function threadsOf(shapes: Shape[][], size: number): Thread[] {
  return shapes.flatMap((list, body) =>
    list
      .filter((shape) => shape.kind === "rod" && shape.radius < thin * size)
      .map((shape): Thread => {
        const frame = shapeMatrix(shape);
        const end = (z: number) => new Vector3(0, 0, z).applyMatrix4(frame);
        const colour = colourOr(shape.colour, bodyColour(body));
        return { body, ends: [end(-shape.length / 2), end(shape.length / 2)], colour };
      }),
  );
}

/** Null where there is nothing to draw. */
export function createThreads(shapes: Shape[][], poses: Poses, size: number): Threads | null {
  const threads = threadsOf(shapes, size);
  if (threads.length === 0) return null;
  const points = new Float32Array(6 * threads.length);
  const geometry = new LineSegmentsGeometry();
  geometry.setColors(threads.flatMap(({ colour }) => [...colour.toArray(), ...colour.toArray()]));
  const lines = new LineSegments2(geometry, new LineMaterial({ vertexColors: true, linewidth: width }));
  lines.frustumCulled = false;
  const at = new Vector3();

  function update() {
    threads.forEach(({ body, ends }, i) => {
      const pose = poses.matrix(body);
      // Without a place both ends are one point, which is not drawn.
      ends.forEach((end, k) => (pose ? at.copy(end).applyMatrix4(pose) : at.set(0, 0, 0)).toArray(points, 6 * i + 3 * k));
    });
    const stored = geometry.getAttribute("instanceStart");
    if (stored && "data" in stored) {
      stored.data.array.set(points);
      stored.data.needsUpdate = true;
    }
  }

  geometry.setPositions(points);
  return { lines, update };
}
