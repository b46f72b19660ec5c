// Arrows of forces and moments, scaled to the largest of the run.
import { Vector3 } from "three";
import type { Ends, RailWheel, Run, Scene } from "../types";
import type { Item } from "./batch";
import { longest, vectorAt } from "./frames";
import type { Poses } from "./poses";
import { type Reach, type Span, spanItem } from "./spans";
import { colours } from "./theme";

export interface ArrowScale {
  force: number; // m/N
  moment: number; // m/(N m)
  zoom: number; // what the reader makes of both; it may change
}

const longestArrow = 0.25; // of the model's size

/** Reactions and applied forces share their scale, so that they can be compared in the picture. */
export function arrowScale(frames: Run["frames"], size: number): ArrowScale {
  const count = frames.time.length;
  const force = Math.max(longest(frames.forces, count), longest(frames.reactions, count));
  const moment = longest(frames.moments, count);
  const over = (largest: number) => (largest > 0 ? (longestArrow * size) / largest : 0);
  return { force: over(force), moment: over(moment), zoom: 1 };
}

/** Length of an arrow's head: never more than the shaft. */
export function headLength(length: number, size: number): number {
  return Math.min(0.038 * size, 0.5 * length);
}

function arrowItems(span: Span, colour: string, size: number, heads: number): Item[] {
  const shaft = (l: number): Reach => {
    const head = headLength(l, size);
    return { radius: 0.14 * head, begin: 0, end: l - 0.9 * head };
  };
  const tip = (back: number) => (l: number): Reach => {
    const head = headLength(l, size) / heads;
    return { radius: 0.38 * headLength(l, size), begin: l - (back + 1) * head, end: l - back * head };
  };
  const tips = Array.from({ length: heads }, (_, i) => spanItem(span, "cone", colour, tip(i)));
  return [spanItem(span, "bar", colour, shaft), ...tips];
}

interface Vectors {
  series: Float32Array;
  frames: number;
  scale: ArrowScale;
  kind: "force" | "moment";
}

/** From the point of the element, or from `below` it. */
function arrowSpan({ series, frames, scale, kind }: Vectors, item: number, at: Ends, poses: Poses, below?: Vector3): Span {
  return (from, to) => {
    const length = scale[kind] * scale.zoom;
    if (length === 0 || !poses.point(at.to, at.at_to, from)) return false;
    if (!vectorAt(series, item, frames, poses.now, to)) return false;
    if (below) from.sub(below);
    to.multiplyScalar(length).add(from);
    return true;
  };
}

function endsOf(force: Scene["forces"][number], scene: Scene): Ends | undefined {
  return "joint" in force ? scene.joints[force.joint] : force;
}

type Force = Scene["forces"][number];
type OnRoad = Force & Ends & { track: number };
const isOnRoad = (force: Force): force is OnRoad => "to" in force && force.track !== undefined;
type OnRail = Force & Ends & { rail: RailWheel };
const isOnRail = (force: Force): force is OnRail => "to" in force && force.rail !== undefined;

/** At the wheel instead of the middle of its axle, which turns about y. */
function atWheel(force: OnRail): Ends {
  const { side, half } = force.rail;
  return { ...force, at_to: [force.at_to[0], force.at_to[1] + side * half, force.at_to[2]] };
}

/** Of all that is no tyre: these have arrows of their own. */
export function forceArrows(run: Run, scene: Scene, poses: Poses, size: number, scale: ArrowScale): Item[] {
  const frames = run.frames.time.length;
  const forces: Vectors = { series: run.frames.forces, frames, scale, kind: "force" };
  const moments: Vectors = { series: run.frames.moments, frames, scale, kind: "moment" };
  return scene.forces.flatMap((force, i) => {
    const at = endsOf(force, scene);
    if (!at || isOnRoad(force) || isOnRail(force)) return [];
    return [
      ...arrowItems(arrowSpan(forces, i, at, poses), colours.force, size, 1),
      ...arrowItems(arrowSpan(moments, i, at, poses), colours.moment, size, 2),
    ];
  });
}

/** What the road or the rail does to each wheel, from the point where they touch. */
export function tyreArrows(run: Run, scene: Scene, poses: Poses, size: number, scale: ArrowScale, up: Vector3): Item[] {
  const forces: Vectors = { series: run.frames.forces, frames: run.frames.time.length, scale, kind: "force" };
  return scene.forces.flatMap((force, i) => {
    if (isOnRail(force)) {
      const down = up.clone().multiplyScalar(force.rail.radius);
      return arrowItems(arrowSpan(forces, i, atWheel(force), poses, down), colours.tyreForce, size, 1);
    }
    if (!isOnRoad(force)) return [];
    const below = up.clone().multiplyScalar(force.track);
    return arrowItems(arrowSpan(forces, i, force, poses, below), colours.tyreForce, size, 1);
  });
}

export function reactionArrows(run: Run, scene: Scene, poses: Poses, size: number, scale: ArrowScale): Item[] {
  const reactions: Vectors = { series: run.frames.reactions, frames: run.frames.time.length, scale, kind: "force" };
  return scene.joints.flatMap((joint, i) => arrowItems(arrowSpan(reactions, i, joint, poses), colours.reaction, size, 1));
}
