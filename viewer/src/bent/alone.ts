// A body with modes by itself, moving in one of them: a run of one body over one period.
import type { BodyModes, Run, Scene, Vec } from "../types";
import { sizeOfPoints } from "./coordinates";

const steps = 48; // of a period

type Body = Scene["bodies"][number];

/** The run of one period, all at rest; shake() fills it. */
export function alone(run: Run, body: Body): Run {
  const time = Float64Array.from({ length: steps + 1 }, (_, k) => k / steps);
  const count = time.length;
  const none = new Float32Array(0);
  const still = { ...body, at: [0, 0, 0] as Vec, quaternion: [1, 0, 0, 0] as Body["quaternion"], tree: { parent: -1, joint: -1, reversed: false, depth: 1 } };
  return {
    ...run,
    info: { ...run.info, abscissa: "phase", abscissa_unit: "periods", t_start: 0, t_end: 1, t_reached: 1 },
    scene: { gravity: run.scene?.gravity ?? [0, 0, 0], degrees_of_freedom: 0, coordinates: 0, constraints: 0, redundant: 0, ground: { shapes: [] }, bodies: [still], markers: [], joints: [], rods: [], couplers: [], forces: [] },
    frames: {
      time,
      positions: new Float32Array(3 * count),
      quaternions: new Float32Array(4 * count).fill(1, 0, count),
      reactions: none,
      forces: none,
      moments: none,
      state_names: body.modes?.states ?? [],
      states: new Float32Array((body.modes?.states.length ?? 0) * count),
    },
    channels: [],
    times: [],
    events: [],
  };
}

/** The largest displacement of a point in a mode, per unit of its coordinate. */
export function reachOf(modes: BodyModes, mode: number): number {
  return Math.max(0, ...modes.shifts.map((shifts) => Math.hypot(...shifts[mode])));
}

/** Fills the frames: the point that moves most does so by `share` of the size of the body. */
export function shakeAlone(period: Run, modes: BodyModes, mode: number, share: number): void {
  const { time, states } = period.frames;
  if (!states) return;
  states.fill(0);
  const reach = reachOf(modes, mode);
  const amplitude = reach > 0 ? (share * sizeOfPoints(modes.points)) / reach : 0;
  for (let f = 0; f < time.length; ++f) states[mode * time.length + f] = amplitude * Math.sin(2 * Math.PI * time[f]);
}

/** Smallest and largest value of each state of the body over the run, and none where the run has no states. */
export function rangesOf(run: Run, modes: BodyModes): { min: number; max: number }[] {
  const { time, state_names: names = [], states } = run.frames;
  if (!states) return [];
  return modes.states.map((name) => {
    const number = names.indexOf(name);
    const values = number < 0 ? [] : Array.from(states.subarray(number * time.length, (number + 1) * time.length)).filter(Number.isFinite);
    return { min: values.reduce((a, b) => Math.min(a, b), Infinity), max: values.reduce((a, b) => Math.max(a, b), -Infinity) };
  });
}
