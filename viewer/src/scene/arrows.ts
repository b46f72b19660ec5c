// Arrows of forces and moments, scaled to the largest of the run.
import type { Ends, Run, Scene } from "../types";
import type { Item } from "./batch";
import { longest, vectorAt } from "./frames";
import type { Poses } from "./poses";
import { type Reach, type Span, spanItem } from "./spans";
import { colours } from "./theme";

export interface ArrowScale {
  force: number; // m/N
  moment: number; // m/(N m)
}

const longestArrow = 0.25; // of the model's size

/** Reactions and applied forces share their scale, so that they can be compared in the picture. */
export function arrowScale(frames: Run["frames"], size: number): ArrowScale {
  const count = frames.time.length;
  const force = Math.max(longest(frames.forces, count), longest(frames.reactions, count));
  const moment = longest(frames.moments, count);
  const over = (largest: number) => (largest > 0 ? (longestArrow * size) / largest : 0);
  return { force: over(force), moment: over(moment) };
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

function arrowSpan(series: Float32Array, item: number, frames: number, at: Ends, poses: Poses, scale: number): Span {
  return (from, to) => {
    if (scale === 0 || !poses.point(at.to, at.at_to, from)) return false;
    if (!vectorAt(series, item, frames, poses.now, to)) return false;
    to.multiplyScalar(scale).add(from);
    return true;
  };
}

function endsOf(force: Scene["forces"][number], scene: Scene): Ends | undefined {
  return "joint" in force ? scene.joints[force.joint] : force;
}

export function forceArrows(run: Run, scene: Scene, poses: Poses, size: number, scale: ArrowScale): Item[] {
  const { forces, moments, time } = run.frames;
  return scene.forces.flatMap((force, i) => {
    const at = endsOf(force, scene);
    if (!at) return [];
    return [
      ...arrowItems(arrowSpan(forces, i, time.length, at, poses, scale.force), colours.force, size, 1),
      ...arrowItems(arrowSpan(moments, i, time.length, at, poses, scale.moment), colours.moment, size, 2),
    ];
  });
}

export function reactionArrows(run: Run, scene: Scene, poses: Poses, size: number, scale: ArrowScale): Item[] {
  const { reactions, time } = run.frames;
  return scene.joints.flatMap((joint, i) =>
    arrowItems(arrowSpan(reactions, i, time.length, joint, poses, scale.force), colours.reaction, size, 1),
  );
}
