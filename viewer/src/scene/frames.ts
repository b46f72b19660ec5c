// Positions, turns and forces between the samples of a run.
import { Quaternion, Vector3 } from "three";
import { countUntil } from "../clock";

/** Between frame `index` (-1: there is none) and the next one; `part` 0 is exactly at the frame. */
export interface Bracket {
  index: number;
  part: number;
}

/** At equal times, both sides of an event, it is the later frame that counts. */
export function bracket(time: Float64Array, t: number): Bracket {
  if (time.length === 0) return { index: -1, part: 0 };
  const index = Math.max(0, countUntil(time, t) - 1);
  if (index + 1 >= time.length || t <= time[index]) return { index, part: 0 };
  return { index, part: (t - time[index]) / (time[index + 1] - time[index]) };
}

/** Whether t lies between the first and the last frame; true without frames. */
export function inSpan(time: Float64Array, t: number): boolean {
  const last = time.length - 1;
  if (last < 0) return true;
  const slack = 1e-9 * (time[last] - time[0]);
  return t >= time[0] - slack && t <= time[last] + slack;
}

function component(series: Float32Array, row: number, count: number, at: Bracket): number {
  const start = row * count + at.index;
  if (at.part === 0) return series[start];
  return series[start] + at.part * (series[start + 1] - series[start]);
}

/** Linear between frames. False where a component has no value. */
export function vectorAt(series: Float32Array, item: number, count: number, at: Bracket, out: Vector3): boolean {
  if (at.index < 0) return false;
  out.set(
    component(series, 3 * item, count, at),
    component(series, 3 * item + 1, count, at),
    component(series, 3 * item + 2, count, at),
  );
  return Number.isFinite(out.x + out.y + out.z);
}

const next = new Quaternion();

function quaternionOfFrame(series: Float32Array, item: number, count: number, frame: number, out: Quaternion) {
  const start = 4 * item * count + frame;
  out.set(series[start + count], series[start + 2 * count], series[start + 3 * count], series[start]);
  return Number.isFinite(out.x + out.y + out.z + out.w) && out.lengthSq() > 0;
}

/** On the great circle between frames, the short way round. */
export function quaternionAt(series: Float32Array, item: number, count: number, at: Bracket, out: Quaternion): boolean {
  if (at.index < 0 || !quaternionOfFrame(series, item, count, at.index, out)) return false;
  out.normalize(); // the samples are floats
  if (at.part === 0) return true;
  if (!quaternionOfFrame(series, item, count, at.index + 1, next)) return false;
  out.slerp(next.normalize(), at.part);
  return true;
}

/** Length of the longest vector of all frames and items, 0 if there is none. */
export function longest(series: Float32Array, count: number): number {
  let largest = 0;
  for (let start = 0; start + 3 * count <= series.length && count > 0; start += 3 * count) {
    for (let i = start; i < start + count; ++i) {
      const length = Math.hypot(series[i], series[i + count], series[i + 2 * count]);
      if (length > largest && Number.isFinite(length)) largest = length;
    }
  }
  return largest;
}
