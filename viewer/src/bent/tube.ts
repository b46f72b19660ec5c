// A cross-section drawn along a line: rings of points, skin between them, caps at the ends.
import { BufferAttribute, BufferGeometry, Vector3 } from "three";

/** Where a section stands: its centre, and its axes across the line (of length 1 where it is not deformed). */
export interface Ring {
  centre: Vector3;
  y: Vector3;
  z: Vector3;
}

export const newRing = (): Ring => ({ centre: new Vector3(), y: new Vector3(), z: new Vector3() });

/** Points of the outline with the direction that they face, in y and z of the section. A corner stands there twice. */
export interface Outline {
  points: [number, number][];
  normals: [number, number][];
}

const roundPoints = 16;

export function outlineOf(width: number, height: number, isRound: boolean): Outline {
  if (isRound) {
    const normals = Array.from({ length: roundPoints + 1 }, (_, k): [number, number] => {
      const angle = (2 * Math.PI * k) / roundPoints;
      return [Math.cos(angle), Math.sin(angle)];
    });
    return { points: normals.map(([y, z]) => [(width / 2) * y, (height / 2) * z]), normals };
  }
  const [y, z] = [width / 2, height / 2];
  const sides: [[number, number], [number, number], [number, number]][] = [
    [[1, 0], [y, -z], [y, z]],
    [[0, 1], [y, z], [-y, z]],
    [[-1, 0], [-y, z], [-y, -z]],
    [[0, -1], [-y, -z], [y, -z]],
  ];
  return { points: sides.flatMap(([, a, b]) => [a, b]), normals: sides.flatMap(([normal]) => [normal, normal]) };
}

/** The skin of `rings` sections, then a cap at each end; vertices that `place` sets. */
export class Tube {
  readonly vertices: number; // of the whole
  private readonly around: number;

  constructor(
    readonly outline: Outline,
    readonly rings: number,
  ) {
    this.around = outline.points.length;
    this.vertices = this.around * (rings + 2);
  }

  /** Triangles, of vertices from `first` on. */
  corners(first: number, isRound: boolean): number[] {
    const out: number[] = [];
    const step = isRound ? 1 : 2; // between the sides of a box there is nothing
    for (let ring = 0; ring + 1 < this.rings; ++ring) {
      for (let k = 0; k + 1 < this.around; k += step) {
        const a = first + ring * this.around + k;
        const b = a + this.around;
        out.push(a, a + 1, b, a + 1, b + 1, b);
      }
    }
    for (const cap of [0, 1]) {
      const a = first + (this.rings + cap) * this.around;
      for (let k = 1; k + 1 < this.around; ++k) out.push(...(cap === 0 ? [a, a + k + 1, a + k] : [a, a + k, a + k + 1]));
    }
    return out;
  }

  /** Sets places and normals of the vertices from `first` on. */
  place(rings: Ring[], positions: Float32Array, normals: Float32Array, first: number): void {
    const [point, normal] = [new Vector3(), new Vector3()];
    const { points, normals: facing } = this.outline;
    const set = (ring: Ring, k: number, vertex: number, end: Vector3 | null) => {
      const [y, z] = points[k];
      point.copy(ring.centre).addScaledVector(ring.y, y).addScaledVector(ring.z, z).toArray(positions, 3 * vertex);
      if (end) normal.copy(end);
      else normal.set(0, 0, 0).addScaledVector(ring.y, facing[k][0]).addScaledVector(ring.z, facing[k][1]).normalize();
      normal.toArray(normals, 3 * vertex);
    };
    rings.forEach((ring, r) => points.forEach((_, k) => set(ring, k, first + r * this.around + k, null)));
    [rings[0], rings[rings.length - 1]].forEach((ring, cap) => {
      const end = new Vector3().crossVectors(ring.y, ring.z).normalize();
      if (cap === 0) end.negate();
      points.forEach((_, k) => set(ring, k, first + (this.rings + cap) * this.around + k, end));
    });
  }

  /** Calls with every vertex from `first` on: its number, its ring and its place in the section. */
  each(first: number, use: (vertex: number, ring: number, y: number, z: number) => void): void {
    for (let r = 0; r < this.rings + 2; ++r) {
      const ring = r < this.rings ? r : r === this.rings ? 0 : this.rings - 1;
      this.outline.points.forEach(([y, z], k) => use(first + r * this.around + k, ring, y, z));
    }
  }
}

/** A geometry of so many vertices whose places, normals and colours change with the time. */
export function movingGeometry(vertices: number, corners: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const name of ["position", "normal", "color"]) geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * vertices), 3));
  geometry.setIndex(corners);
  return geometry;
}

export const arrayOf = (geometry: BufferGeometry, name: string): Float32Array => geometry.getAttribute(name).array as Float32Array;

export function changed(geometry: BufferGeometry): void {
  for (const name of ["position", "normal", "color"]) geometry.getAttribute(name).needsUpdate = true;
  geometry.boundingSphere = null; // picking makes it anew
}
