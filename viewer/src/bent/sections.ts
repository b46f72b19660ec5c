// Which shapes of a body with modes lie along its lines: these bend with it, and give the lines their sections.
import { Vector3 } from "three";
import { quaternion } from "../scene/poses";
import type { BodyModes, Shape } from "../types";

export interface Section {
  width: number;
  height: number;
  isRound: boolean;
  up: Vector3; // direction of the height
}

interface Along {
  section: Section;
  axis: Vector3;
  half: number; // length
  centre: Vector3;
}

/** The shape as something long along one of its axes; of a box this can be each. */
function alongsOf(shape: Shape): Along[] {
  const turn = quaternion(shape.quaternion);
  const axes = [0, 1, 2].map((k) => new Vector3().setComponent(k, 1).applyQuaternion(turn));
  const centre = new Vector3(...shape.at);
  if (shape.kind === "cylinder" || shape.kind === "rod") {
    const section = { width: 2 * shape.radius, height: 2 * shape.radius, isRound: true, up: axes[0] };
    return [{ section, axis: axes[2], half: shape.length / 2, centre }];
  }
  if (shape.kind !== "box") return [];
  return [0, 1, 2].map((k) => {
    const [w, h] = [(k + 1) % 3, (k + 2) % 3];
    const section = { width: shape.size[w], height: shape.size[h], isRound: false, up: axes[h] };
    return { section, axis: axes[k], half: shape.size[k] / 2, centre };
  });
}

const close = 1e-4; // of the length: files have about seven digits

function holds({ axis, half, centre }: Along, point: Vector3, scratch: Vector3): boolean {
  scratch.subVectors(point, centre);
  const along = scratch.dot(axis);
  return Math.abs(along) <= (1 + close) * half && scratch.addScaledVector(axis, -along).length() <= close * half;
}

/** For each line the shape along it, -1 where there is none, and its section. */
export function sectionsOf(modes: BodyModes, shapes: Shape[]): { shape: number; section: Section | null }[] {
  const known = shapes.flatMap((shape, i) => alongsOf(shape).map((along) => ({ ...along, shape: i })));
  const [a, b, scratch] = [new Vector3(), new Vector3(), new Vector3()];
  return modes.lines.map(([from, to]) => {
    a.set(...modes.points[from]);
    b.set(...modes.points[to]);
    const found = known.find((along) => holds(along, a, scratch) && holds(along, b, scratch));
    return found ? { shape: found.shape, section: found.section } : { shape: -1, section: null };
  });
}

/** Shapes that do not bend. */
export function rigidShapes(modes: BodyModes, shapes: Shape[]): Shape[] {
  const bent = new Set(sectionsOf(modes, shapes).map(({ shape }) => shape));
  return shapes.filter((_, i) => !bent.has(i));
}
