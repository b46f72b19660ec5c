// The surface of a solid with modes: triangles between points that move, smooth where the solid is.
import { Vector3 } from "three";
import type { BodyModes } from "../types";
import { addSum } from "./coordinates";

export interface Skin {
  readonly vertices: number; // three of each triangle
  /** Sets places, normals and sizes of displacements of all vertices, from `first` on. */
  place(coordinates: Float64Array, factor: number, positions: Float32Array, normals: Float32Array, sizes: Float32Array, first: number): void;
}

const crease = Math.cos(0.7); // 40 degrees: an edge where faces meet at more

function cornersAt(modes: BodyModes): number[][] {
  const list: number[][] = modes.points.map(() => []);
  modes.triangles.forEach((corners, t) => corners.forEach((point) => list[point].push(t)));
  return list;
}

/** Twice the area, along the normal. */
function face(places: Vector3[], [a, b, c]: number[], out: Vector3, scratch: Vector3): Vector3 {
  return out.subVectors(places[b], places[a]).cross(scratch.subVectors(places[c], places[a]));
}

/** For each corner of each triangle the triangles around it that are smooth with it. */
function smoothWith(modes: BodyModes, places: Vector3[]): number[][] {
  const scratch = new Vector3();
  const normals = modes.triangles.map((corners) => face(places, corners, new Vector3(), scratch).normalize());
  const around = cornersAt(modes);
  return modes.triangles.flatMap((corners, t) => corners.map((point) => around[point].filter((other) => normals[other].dot(normals[t]) > crease)));
}

export function createSkin(modes: BodyModes): Skin {
  const rest = modes.points.map((at) => new Vector3(...at));
  const places = rest.map((at) => at.clone());
  const moved = new Float64Array(rest.length);
  const smooth = smoothWith(modes, rest);
  const faces = modes.triangles.map(() => new Vector3());
  const drawn = [...new Set(modes.triangles.flat())];
  const [scratch, normal] = [new Vector3(), new Vector3()];
  return {
    vertices: 3 * modes.triangles.length,
    place(coordinates, factor, positions, normals, sizes, first) {
      for (const p of drawn) {
        addSum(modes.shifts[p], coordinates, 1, scratch.set(0, 0, 0));
        moved[p] = scratch.length();
        places[p].copy(rest[p]).addScaledVector(scratch, factor);
      }
      modes.triangles.forEach((corners, t) => face(places, corners, faces[t], scratch));
      modes.triangles.forEach((corners, t) =>
        corners.forEach((p, c) => {
          const vertex = 3 * t + c;
          normal.set(0, 0, 0);
          for (const other of smooth[vertex]) normal.add(faces[other]);
          normal.normalize().toArray(normals, 3 * (first + vertex));
          places[p].toArray(positions, 3 * (first + vertex));
          sizes[first + vertex] = moved[p];
        }),
      );
    },
  };
}
