// One period of a mode as frames: each body moves by Re(shape e^(i phase)) times the amplitude about where it stands.
import { Quaternion, Vector3 } from "three";
import { boundsAtStart, boundsOfRun, knownBalls, sizeOf } from "../scene/extent";
import { levelOf } from "../scene/level";
import { createPoses, vector } from "../scene/poses";
import type { Run } from "../types";
import { type BodyShape, type Complex, isModes, type Mode } from "./mode";

const steps = 48; // of a period; the last frame is the first again

/** Diagonal of the model where it stands, m. */
export function modelSize(run: Run): number {
  const poses = createPoses(run);
  const known = knownBalls(run, poses);
  const level = levelOf(run.scene?.gravity ?? [0, 0, 0]);
  return sizeOf(run, boundsAtStart(run, poses, known, level), boundsOfRun(run, poses, known, level), known).model;
}

/** The run with frames for one period of a mode in place of its samples; other results stay as they are. */
export function asPeriod(run: Run): Run {
  if (!isModes(run)) return run;
  const count = steps + 1;
  const bodies = run.scene?.bodies.length ?? 0;
  const none = (items: number) => new Float32Array(3 * items * count).fill(NaN);
  const out: Run = {
    ...run,
    info: { ...run.info, abscissa: "phase", abscissa_unit: "periods", t_start: 0, t_end: 1, t_reached: 1 },
    frames: {
      time: Float64Array.from({ length: count }, (_, k) => k / steps),
      positions: none(bodies),
      quaternions: new Float32Array(4 * bodies * count),
      reactions: none(run.scene?.joints.length ?? 0),
      forces: none(run.scene?.forces.length ?? 0),
      moments: none(run.scene?.forces.length ?? 0),
      state_names: run.frames.state_names ?? [],
      states: new Float32Array((run.frames.state_names?.length ?? 0) * count),
    },
    channels: [],
    times: [],
    events: run.events.filter((event) => event.kind === "warning").map((event) => ({ ...event, t: 0 })),
  };
  shake(out, run, null, 0);
  return out;
}

const at = ([re, im]: Complex, phase: number) => re * Math.cos(phase) - im * Math.sin(phase);
const vectorAt = (x: Complex[], phase: number, size: number) =>
  new Vector3(at(x[0], phase), at(x[1], phase), at(x[2], phase)).multiplyScalar(size);

const wholeTurn = 2 * Math.PI;

/** What damping makes of a mode behind its start, as [size, phase]; the largest size of the period is 1. What creeps does not turn: it decays by e in a sixth of
 * the time shown, whatever its rate. */
export function damped(mode: Mode, phase: number): [number, number] {
  if (mode.rigid) return [1, phase];
  const rate = mode.oscillates ? mode.real / Math.abs(mode.imag) : Math.sign(mode.real);
  return [Math.exp(rate * (rate > 0 ? phase - wholeTurn : phase)), mode.oscillates ? phase : 0];
}

/** Where a body stands in a result. */
function standing(run: Run, body: number): { position: Vector3; turn: Quaternion } {
  const n = run.frames.time.length;
  const { positions: p, quaternions: q } = run.frames;
  const [i, k] = [3 * body * n, 4 * body * n];
  const turn = new Quaternion(q[k + n], q[k + 2 * n], q[k + 3 * n], q[k]);
  return { position: new Vector3(p[i], p[i + n], p[i + 2 * n]), turn: turn.normalize() };
}

/** States by which bodies bend: where they stand, and the motion of the mode. */
function bend(period: Run, stand: Run, mode: Mode | null, amplitude: number, withDamping: boolean): void {
  const { states, state_names: names = [], time } = period.frames;
  const before = stand.frames.time.length;
  names.forEach((name, i) => {
    const design = stand.frames.states?.[i * before] ?? 0;
    const shape: Complex = mode?.bend.get(name) ?? [0, 0];
    time.forEach((t, f) => {
      const [part, phase] = mode && withDamping ? damped(mode, wholeTurn * t) : [1, wholeTurn * t];
      if (states) states[i * time.length + f] = design + at(shape, phase) * part * amplitude;
    });
  });
}

/** Fills the frames of `period`, made by asPeriod(), with a mode; `stand` is the result as it was. null: all stand still. */
export function shake(period: Run, stand: Run, mode: Mode | null, amplitude: number, withDamping = false): void {
  const { positions, quaternions, time } = period.frames;
  const n = time.length;
  bend(period, stand, mode, amplitude, withDamping);
  const [centre, arm, moved, turned] = [new Vector3(), new Vector3(), new Vector3(), new Quaternion()];
  period.scene?.bodies.forEach((body, b) => {
    const { position, turn } = standing(stand, b);
    const shape: BodyShape | undefined = mode?.shape.get(body.name);
    const com = vector(body.com);
    centre.copy(arm.copy(com).applyQuaternion(turn)).add(position);
    for (let f = 0; f < n; ++f) {
      const [part, phase] = mode && withDamping ? damped(mode, wholeTurn * time[f]) : [1, wholeTurn * time[f]];
      const size = part * amplitude;
      const rotation = shape ? vectorAt(shape.rotation, phase, size) : new Vector3();
      const angle = rotation.length();
      turned.identity();
      if (angle > 0) turned.setFromAxisAngle(rotation.divideScalar(angle), angle);
      turned.multiply(turn);
      moved.copy(centre).sub(arm.copy(com).applyQuaternion(turned));
      if (shape) moved.add(vectorAt(shape.displacement, phase, size));
      moved.toArray().forEach((x, c) => (positions[(3 * b + c) * n + f] = x));
      [turned.w, turned.x, turned.y, turned.z].forEach((x, c) => (quaternions[(4 * b + c) * n + f] = x));
    }
  });
}
