// A body with modes as it bends: its beams as bent solids, the surface of its elements, coloured by displacement.
import { type BufferGeometry, Mesh, MeshPhongMaterial, Vector3 } from "three";
import type { Poses } from "../scene/poses";
import type { BodyModes, Run, Shade, Shape } from "../types";
import { createBeam } from "./beam";
import { addSum, createBend, createStates, sizeOfPoints } from "./coordinates";
import { type Section, sectionsOf } from "./sections";
import { paint } from "./shades";
import { createSkin } from "./skin";
import { arrayOf, changed, movingGeometry } from "./tube";

/** Something that is drawn anew at each time. */
export interface BentPart {
  readonly mesh: Mesh;
  readonly body: number; // -1: none
  readonly shade: Shade; // its own; several parts share one scale
  measure(): void; // the frames have changed: finds the shade anew
  update(poses: Poses, scale: Shade): void;
}

const thin = 0.01; // of its size: the thickness of lines without a section

/** There is something to draw between its points. */
export const isDrawn = (modes: BodyModes | undefined): modes is BodyModes =>
  modes !== undefined && modes.states.length > 0 && (modes.lines.length > 0 || modes.triangles.length > 0);

const looks = 200; // frames that a scale is made from, at most

/** The largest displacement of a point of the body over the run. */
export function largestDisplacement(run: Run, modes: BodyModes): number {
  const bend = createBend(modes, createStates(run));
  const frames = run.frames.time.length;
  const step = Math.max(1, Math.ceil(frames / looks));
  const shift = new Vector3();
  let largest = 0;
  for (let frame = 0; frame < frames; frame += step) {
    bend.set({ index: frame, part: 0 });
    for (const shifts of modes.shifts) {
      addSum(shifts, bend.z, 1, shift.set(0, 0, 0));
      largest = Math.max(largest, shift.length());
    }
  }
  return largest;
}

export function bentMesh(geometry: BufferGeometry, material: MeshPhongMaterial): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false; // its bounds would have to be computed at each time
  mesh.matrixAutoUpdate = false;
  return mesh;
}

export function createBentBody(run: Run, body: number, modes: BodyModes, shapes: Shape[], material: MeshPhongMaterial): BentPart {
  const thickness = thin * sizeOfPoints(modes.points);
  const rod: Section = { width: thickness, height: thickness, isRound: true, up: new Vector3(0, 0, 1) };
  const beams = sectionsOf(modes, shapes).map(({ section }, line) => createBeam(modes, line, section ?? rod));
  const skin = createSkin(modes);
  const starts: number[] = [];
  const corners = Array.from({ length: skin.vertices }, (_, i) => i);
  let vertices = skin.vertices;
  for (const { tube, isRound } of beams) {
    starts.push(vertices);
    corners.push(...tube.corners(vertices, isRound));
    vertices += tube.vertices;
  }
  const geometry = movingGeometry(vertices, corners);
  const mesh = bentMesh(geometry, material);
  const [positions, normals, colours] = ["position", "normal", "color"].map((name) => arrayOf(geometry, name));
  const sizes = new Float32Array(vertices);

  function bend(z: Float64Array, factor: number) {
    skin.place(z, factor, positions, normals, sizes, 0);
    beams.forEach((beam, i) => {
      beam.place(z, factor);
      beam.tube.place(beam.rings, positions, normals, starts[i]);
      beam.tube.each(starts[i], (vertex, ring, y, z) => (sizes[vertex] = beam.displacement(ring, y, z)));
    });
  }

  const shade: Shade = { quantity: "displacement", low: 0, high: largestDisplacement(run, modes) };
  return {
    mesh,
    body,
    shade,
    measure: () => (shade.high = largestDisplacement(run, modes)),
    update(poses, scale) {
      const pose = poses.matrix(body);
      const now = poses.bend(body);
      mesh.visible = pose !== null && now !== null;
      if (!pose || !now) return;
      mesh.matrix.copy(pose);
      bend(now.z, poses.factor);
      for (let i = 0; i < vertices; ++i) paint(scale, sizes[i], colours, 3 * i);
      changed(geometry);
    },
  };
}
