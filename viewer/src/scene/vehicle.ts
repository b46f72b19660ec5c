// What goes along with a body that travels: which one is worth it, where it heads, how fast it is.
import { Vector3 } from "three";
import type { Run, Scene } from "../types";
import { type Bracket, vectorAt } from "./frames";
import type { Level } from "./level";
import type { Poses } from "./poses";

const forwardAxis = new Vector3(1, 0, 0);

export function heaviest(run: Run): number {
  const masses = run.scene?.bodies.map((body) => body.mass) ?? [];
  return masses.length > 0 ? masses.indexOf(Math.max(...masses)) : 0;
}

/** Tyres and other forces of wheels on roads: their contact points leave tracks. */
export function hasWheelsOnRoads(run: Run): boolean {
  return run.scene?.forces.some((force) => "to" in force && force.track !== undefined) ?? false;
}

/** Whether joints leave a body free of the ground: what hangs on a hinge comes back. */
function isFree(scene: Scene, body: number): boolean {
  const seen = new Set([body]);
  const waiting = [body];
  while (waiting.length > 0) {
    const at = waiting.pop() as number;
    for (const joint of [...scene.joints.filter((each) => each.type !== "free" && each.type !== "track"), ...scene.rods]) {
      if (joint.from !== at && joint.to !== at) continue;
      const other = joint.from === at ? joint.to : joint.from;
      if (other < 0) return false;
      if (!seen.has(other)) waiting.push(other);
      seen.add(other);
    }
  }
  return true;
}

/** Diagonal of the box around the way of a body. */
function travelOf(run: Run, body: number): number {
  const { time, positions } = run.frames;
  const spans = [0, 1, 2].map((axis) => {
    const start = (3 * body + axis) * time.length;
    let [low, high] = [Infinity, -Infinity];
    for (let i = start; i < start + time.length; ++i) {
      if (positions[i] < low) low = positions[i];
      if (positions[i] > high) high = positions[i];
    }
    return high > low ? high - low : 0;
  });
  return Math.hypot(...spans);
}

/** The body to go along with: the heaviest, where it is free and travels further than the model is large; else -1. */
export function traveller(run: Run, size: number): number {
  if (!run.scene || run.scene.bodies.length === 0) return -1;
  const body = heaviest(run);
  const onTrack = (run.scene.tracks ?? []).length > 0; // carriages may be led by a drive
  return (onTrack || isFree(run.scene, body)) && travelOf(run, body) > size ? body : -1;
}

/** The angle about the vertical that a body's x axis has turned from forward; NaN where it stands upright or has no place. */
export function headingOf(poses: Poses, body: number, level: Level, axis = new Vector3()): number {
  const pose = poses.matrix(body);
  if (!pose) return NaN;
  axis.copy(forwardAxis).transformDirection(pose).applyMatrix4(level.toLevel);
  return Math.hypot(axis.x, axis.y) > 0.05 ? Math.atan2(axis.y, axis.x) : NaN;
}

/** Central difference about a frame; of equal times, both sides of an event, none is used. */
function velocityOfFrame(run: Run, body: number, frame: number, out: Vector3): boolean {
  const { time, positions } = run.frames;
  let before = Math.max(0, frame - 1);
  let after = Math.min(time.length - 1, frame + 1);
  if (time[after] === time[frame] && after > frame && after + 1 < time.length) ++after;
  if (time[before] === time[frame] && before > 0 && before < frame) --before;
  const from = new Vector3();
  const at = (index: number): Bracket => ({ index, part: 0 });
  if (!(time[after] > time[before])) return false;
  if (!vectorAt(positions, body, time.length, at(after), out) || !vectorAt(positions, body, time.length, at(before), from)) return false;
  out.sub(from).divideScalar(time[after] - time[before]);
  return true;
}

const [first, second] = [new Vector3(), new Vector3()];

/** Speed of a body's reference point in m/s from the frames of the animation, linear between them; NaN where there is none. */
export function speedAt(run: Run, body: number, now: Bracket): number {
  if (body < 0 || now.index < 0 || !velocityOfFrame(run, body, now.index, first)) return NaN;
  if (now.part === 0 || !velocityOfFrame(run, body, now.index + 1, second)) return first.length();
  return first.lerp(second, now.part).length();
}
