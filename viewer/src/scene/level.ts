// Up, forward and left of a model: ISO 8855 (x forward, y left, z up) unless gravity points elsewhere than down z.
import { Matrix4, Vector3 } from "three";
import type { Vec } from "../types";

export interface Level {
  forward: Vector3;
  left: Vector3;
  up: Vector3;
  toGlobal: Matrix4; // from level axes (forward, left, up)
  toLevel: Matrix4;
}

export function levelOf(gravity: Vec): Level {
  const up = new Vector3(-gravity[0], -gravity[1], -gravity[2]);
  if (!(up.lengthSq() > 0)) up.set(0, 0, 1);
  up.normalize();
  // x stays forward where it can: with gravity along x, z is as good as any.
  const forward = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 0, 1);
  forward.addScaledVector(up, -forward.dot(up)).normalize();
  const left = new Vector3().crossVectors(up, forward);
  const toGlobal = new Matrix4().makeBasis(forward, left, up);
  return { forward, left, up, toGlobal, toLevel: toGlobal.clone().transpose() };
}
