// States at one time, and the displacements of bodies with modes that follow from them.
import { Vector3 } from "three";
import type { Bracket } from "../scene/frames";
import type { BodyModes, Run, Vec } from "../types";

/** Values of states between frames, by name; 0 where the run does not have one, as of analyses. */
export interface States {
  numbersOf(names: string[]): Int32Array; // -1: not there
  at(number: number, now: Bracket): number;
}

export function createStates(run: Run): States {
  const { time, state_names: names = [], states = new Float32Array(0) } = run.frames;
  const numbers = new Map(names.map((name, i) => [name, i]));
  return {
    numbersOf: (wanted) => Int32Array.from(wanted, (name) => numbers.get(name) ?? -1),
    at(number, now) {
      if (number < 0 || now.index < 0) return 0;
      const start = number * time.length + now.index;
      const value = now.part === 0 ? states[start] : states[start] + now.part * (states[start + 1] - states[start]);
      return Number.isFinite(value) ? value : 0;
    },
  };
}

/** How a body is bent at one time. */
export interface Bend {
  readonly modes: BodyModes;
  readonly z: Float64Array; // modal coordinates, as they are
  set(now: Bracket): void;
  /** Adds the displacement of a point of the body, times `factor`, if it is one that the body names. */
  move(at: Vec, factor: number, out: Vector3): void;
}

/** Adds factor * sum of z_k fields_k. */
export function addSum(fields: Vec[], z: Float64Array, factor: number, out: Vector3): void {
  for (let k = 0; k < z.length; ++k) {
    const by = factor * z[k];
    out.x += by * fields[k][0];
    out.y += by * fields[k][1];
    out.z += by * fields[k][2];
  }
}

export function sizeOfPoints(points: Vec[]): number {
  const [low, high] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
  const point = new Vector3();
  for (const at of points) {
    low.min(point.fromArray(at));
    high.max(point);
  }
  return points.length > 0 ? low.distanceTo(high) : 0;
}

export function createBend(modes: BodyModes, states: States): Bend {
  const numbers = states.numbersOf(modes.states);
  const z = new Float64Array(numbers.length);
  const near = 1e-6 * sizeOfPoints(modes.points); // files have their points to all digits, sums round
  const found = new Map<Vec, number>(); // places that were asked for
  const find = (at: Vec): number =>
    modes.points.findIndex((point) => Math.hypot(point[0] - at[0], point[1] - at[1], point[2] - at[2]) <= near);
  return {
    modes,
    z,
    set(now) {
      for (let k = 0; k < z.length; ++k) z[k] = states.at(numbers[k], now);
    },
    move(at, factor, out) {
      const point = found.get(at) ?? find(at);
      found.set(at, point);
      if (point >= 0) addSum(modes.shifts[point], z, factor, out);
    },
  };
}
