// What a railway track is drawn of: sections that are drawn along the line, and sleepers.
import { BufferAttribute, BufferGeometry, DataTexture, LinearMipmapLinearFilter, Matrix4, RepeatWrapping, RGBAFormat, Vector3 } from "three";
import { evenly } from "../rail/outlines";
import type { Point } from "../rail/section_picture";
import type { LineCourse } from "./line_course";

export type Section = [number, number][]; // across to the left, up; m

/** A rail from its top down, as UIC 60: 172 mm high. */
export const railSection: Section = [
  [0.0345, -0.0045], [0.026, -0.001], [0, 0], [-0.026, -0.001], [-0.0345, -0.0045], [-0.036, -0.037], [-0.0085, -0.051], [-0.0085, -0.142], [-0.075, -0.16],
  [-0.075, -0.172], [0.075, -0.172], [0.075, -0.16], [0.0085, -0.142], [0.0085, -0.051], [0.036, -0.037], [0.0345, -0.0045],
];
/** Seen from far a rail is what shines. */
export const farRail: Section = [[0.033, -0.02], [-0.033, -0.02]];
export const bed: Section = [[2.9, -0.78], [1.75, -0.245], [-1.75, -0.245], [-2.9, -0.78]];
export const sleeper = { length: 2.6, width: 0.26, height: 0.2, top: -0.176, apart: 0.6 };

export const scaled = (section: Section, by: number): Section => section.map(([y, z]) => [by * y, by * z]);

const headPoints = 24;
const foot = railSection.slice(5, -1); // from below the head on one side to that on the other

/** A rail with this head, about the origin of its profile; `side` 1 is the left one. The outline goes from the gauge side to the field side, as of a left rail. */
export function railWithHead(outline: Point[], side: 1 | -1): Section {
  const head = evenly(outline, headPoints).map(([y, z]): Point => [side * y, z]);
  const fromLeft = head[0][0] > head[headPoints - 1][0] ? head : head.reverse();
  const [left, right] = [fromLeft[0][0], fromLeft[headPoints - 1][0]];
  const [middle, size] = [(left + right) / 2, (left - right) / 0.072];
  const below = foot.map(([y, z]): Point => [middle + size * y, size * z]);
  return [...fromLeft, ...below, fromLeft[0]];
}

/** Along the line at these places, from an origin, one section all along or one for each place. Each side of the section has corners of its own: edges are sharp. Texture in metres. */
export function swept(course: LineCourse, along: Section | ((s: number) => Section), places: number[], origin: Vector3, shift: (s: number) => [number, number]): BufferGeometry {
  const sectionAt = typeof along === "function" ? along : () => along;
  const sides = sectionAt(places[0]).length - 1;
  const count = places.length * sides * 2;
  const [points, uv] = [new Float32Array(3 * count), new Float32Array(2 * count)];
  const corners: number[] = [];
  const point = new Vector3();
  places.forEach((s, i) => {
    const { at, left, up } = course.place(s);
    const [aside, above] = shift(s);
    const section = sectionAt(s);
    let across = 0;
    for (let side = 0; side < sides; ++side) {
      const first = (i * sides + side) * 2;
      for (const end of [0, 1]) {
        const [y, z] = section[side + end];
        point.copy(at).sub(origin).addScaledVector(left, y + aside).addScaledVector(up, z + above);
        points.set([point.x, point.y, point.z], 3 * (first + end));
        if (end === 1) across += Math.hypot(y - section[side][0], z - section[side][1]);
        uv.set([s - places[0], across], 2 * (first + end));
      }
      const next = first + sides * 2;
      if (i + 1 < places.length) corners.push(first, next, first + 1, first + 1, next, next + 1);
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setAttribute("uv", new BufferAttribute(uv, 2));
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  return geometry;
}

/** Poses of sleepers between two places, from an origin. They lie where they would in the whole line. */
export function sleeperPoses(course: LineCourse, from: number, to: number, origin: Vector3, size: number): Matrix4[] {
  const apart = sleeper.apart * size;
  const poses: Matrix4[] = [];
  for (let k = Math.ceil(from / apart); k * apart < to; ++k) {
    const { at, ahead, left, up } = course.place(k * apart);
    const middle = at.sub(origin).addScaledVector(up, (sleeper.top - sleeper.height / 2) * size);
    poses.push(new Matrix4().makeBasis(ahead, left, up).setPosition(middle));
  }
  return poses;
}

/** Stones: grey dots of different sizes and shades, always the same. */
export function stones(): DataTexture {
  const size = 128;
  const data = new Uint8Array(4 * size * size);
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const shade = Float32Array.from({ length: size * size }, () => 0.86);
  for (let stone = 0; stone < 900; ++stone) {
    const [x, y, r, value] = [random() * size, random() * size, 1.5 + 3 * random(), 0.66 + 0.34 * random()];
    for (let i = -5; i <= 5; ++i) {
      for (let j = -5; j <= 5; ++j) {
        const inside = Math.hypot(i, 1.3 * j) / r;
        if (inside > 1) continue;
        const at = (((Math.floor(y) + j + size) % size) * size + ((Math.floor(x) + i + size) % size)) | 0;
        shade[at] = value * (1.04 - 0.22 * inside + (j < 0 ? 0.03 : -0.05));
      }
    }
  }
  shade.forEach((value, k) => data.set([255 * Math.min(1, value), 255 * Math.min(1, value), 255 * Math.min(1, value), 255], 4 * k));
  const texture = new DataTexture(data, size, size, RGBAFormat);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.repeat.set(0.55, 0.55); // tiles a metre
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}
