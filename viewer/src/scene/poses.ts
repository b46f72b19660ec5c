// Where the bodies of a run are at one time.
import { Matrix4, Quaternion, Vector3 } from "three";
import { type Bend, createBend, createStates } from "../bent/coordinates";
import type { Quat, Run, Scene, Vec } from "../types";
import { type Bracket, bracket, inSpan, quaternionAt, vectorAt } from "./frames";

export const ground = -1;

export interface Poses {
  readonly count: number;
  readonly now: Bracket; // the time of the poses
  factor: number; // by which deformations of bodies with modes are shown; 1: as they are
  set(t: number): void;
  setFrame(index: number): void;
  /** Of a body or the ground; null where the run has no value. */
  matrix(body: number): Matrix4 | null;
  /** How a body with modes is bent; null of others. */
  bend(body: number): Bend | null;
  /** A point of a body in global axes, as it is bent. False where the body has no place. */
  point(body: number, at: Vec, out: Vector3): boolean;
}

export function vector(v: Vec): Vector3 {
  return new Vector3(v[0], v[1], v[2]);
}

export function quaternion(q: Quat): Quaternion {
  const turn = new Quaternion(q[1], q[2], q[3], q[0]);
  return turn.lengthSq() > 0 ? turn.normalize() : turn.identity();
}

export function bodyCount(run: Run): number {
  if (run.scene) return run.scene.bodies.length;
  return run.frames.time.length > 0 ? Math.floor(run.frames.positions.length / (3 * run.frames.time.length)) : 0;
}

function designMatrix(scene: Scene | null, body: number): Matrix4 | null {
  const design = scene?.bodies[body];
  if (!design) return null;
  return new Matrix4().compose(vector(design.at), quaternion(design.quaternion), new Vector3(1, 1, 1));
}

export function createPoses(run: Run): Poses {
  const frames = run.frames;
  const frameCount = frames.time.length;
  const count = bodyCount(run);
  const design = Array.from({ length: count }, (_, body) => designMatrix(run.scene, body));
  const matrices = Array.from({ length: count }, () => new Matrix4());
  const known = new Array<boolean>(count).fill(false);
  const identity = new Matrix4();
  const unit = new Vector3(1, 1, 1);
  const position = new Vector3();
  const turn = new Quaternion();
  const now: Bracket = { index: -1, part: 0 };
  const states = createStates(run);
  const bends = Array.from({ length: count }, (_, body) => {
    const modes = run.scene?.bodies[body]?.modes;
    return modes ? createBend(modes, states) : null;
  });
  let factor = 1;

  function place(body: number) {
    if (now.index < 0) {
      known[body] = design[body] !== null;
      matrices[body].copy(design[body] ?? identity);
      return;
    }
    known[body] =
      vectorAt(frames.positions, body, frameCount, now, position) &&
      quaternionAt(frames.quaternions, body, frameCount, now, turn);
    if (known[body]) matrices[body].compose(position, turn, unit);
  }

  function placeAll(at: Bracket) {
    Object.assign(now, at);
    for (let body = 0; body < count; ++body) place(body);
    for (const bend of bends) bend?.set(now);
  }

  function matrix(body: number): Matrix4 | null {
    if (body === ground) return identity;
    return known[body] ? matrices[body] : null;
  }

  return {
    count,
    now,
    get factor() {
      return factor;
    },
    set factor(value) {
      factor = value;
    },
    bend: (body) => bends[body] ?? null,
    set(t) {
      placeAll(bracket(frames.time, t));
      if (!inSpan(frames.time, t)) known.fill(false); // of two runs one may end before the other
    },
    setFrame: (index) => placeAll({ index, part: 0 }),
    matrix,
    point(body, at, out) {
      const pose = matrix(body);
      if (!pose) return false;
      out.set(at[0], at[1], at[2]);
      bends[body]?.move(at, factor, out);
      out.applyMatrix4(pose);
      return true;
    },
  };
}
