// How large a model and its run are.
import { Box3, Vector3 } from "three";
import { isDrawn } from "../bent/bent_body";
import { placesOf } from "../bent/bent_line";
import type { BodyModes, Run, Shape, Vec } from "../types";
import { createHull } from "./hull";
import type { Level } from "./level";
import { type Ball, ballsOfShape, pointsOfBodies } from "./outline";
import { type Poses, vector } from "./poses";

export interface Size {
  model: number; // diagonal of the model at one time
  detail: number; // the measure of joints, rods and springs: that of a model of a few bodies of the usual size
}

/** Calls with every ball that has a place, in level axes. */
function eachBall(balls: Ball[][], poses: Poses, level: Level, use: (at: Vector3, radius: number) => void) {
  const point = new Vector3();
  balls.forEach((list, i) => {
    const pose = poses.matrix(i < poses.count ? i : -1);
    if (!pose) return;
    for (const ball of list) {
      point.copy(ball.at).applyMatrix4(pose).applyMatrix4(level.toLevel);
      if (Number.isFinite(point.x + point.y + point.z + ball.radius)) use(point, ball.radius);
    }
  });
}

function growAround(box: Box3, balls: Ball[][], poses: Poses, level: Level) {
  eachBall(balls, poses, level, (at, radius) => {
    box.min.min(at.clone().subScalar(radius));
    box.max.max(at.clone().addScalar(radius));
  });
}

/** Poses the run at some of its frames, so many that about `most` balls are looked at; without frames as it stands. */
function overRun(run: Run, poses: Poses, balls: Ball[][], most: number, look: () => void) {
  const frames = run.frames.time.length;
  const count = balls.reduce((sum, list) => sum + list.length, 0);
  const looks = Math.max(2, Math.min(frames, Math.floor(most / Math.max(1, count))));
  if (frames === 0) look();
  for (let k = 0; k < looks && frames > 0; ++k) {
    poses.setFrame(Math.round((k * (frames - 1)) / (looks - 1)));
    look();
  }
}

/** What a model names: points, given shapes, origins. */
export function knownBalls(run: Run, poses: Poses): Ball[][] {
  const balls: Ball[][] = Array.from({ length: poses.count + 1 }, () => []);
  for (let body = 0; body < poses.count; ++body) balls[body].push({ at: new Vector3(), radius: 0 });
  if (!run.scene) return balls;
  pointsOfBodies(run.scene).forEach((points, i) => balls[i].push(...points.map((at) => ({ at: vector(at), radius: 0 }))));
  run.scene.bodies.forEach((body, i) => balls[i].push(...body.shapes.flatMap(ballsOfShape), ...ballsOfModes(body.modes)));
  for (const line of run.scene.bent_lines ?? []) {
    const radius = Math.max(line.section[0], line.section[1]) / 2;
    balls[poses.count].push(...placesOf(run, line, poses).map((at) => ({ at, radius })));
  }
  return balls;
}

/** Where a body that bends reaches to when it does not. */
function ballsOfModes(modes: BodyModes | undefined): Ball[] {
  if (!isDrawn(modes)) return [];
  const hull = createHull();
  for (const at of modes.points) hull.add(vector(at), 0);
  return hull.points().map((at) => ({ at, radius: 0 }));
}

export function ballsOfShapes(shapes: Shape[][]): Ball[][] {
  return shapes.map((list) => list.flatMap(ballsOfShape));
}

/** Bounds over the run, in level axes. Empty where no body ever has a place. */
export function boundsOfRun(run: Run, poses: Poses, balls: Ball[][], level: Level): Box3 {
  const box = new Box3();
  overRun(run, poses, balls, 5e5, () => growAround(box, balls, poses, level));
  return box;
}

/** The outermost points over the run, in level axes: closer than the box around them. */
export function outermostOfRun(run: Run, poses: Poses, balls: Ball[][], level: Level): Vector3[] {
  const hull = createHull();
  overRun(run, poses, balls, 1e5, () => eachBall(balls, poses, level, hull.add));
  return hull.points();
}

export function outermostNow(poses: Poses, balls: Ball[][], level: Level): Vector3[] {
  const hull = createHull();
  eachBall(balls, poses, level, hull.add);
  return hull.points();
}

/** Bounds at the first frame that has a place for any body. */
export function boundsAtStart(run: Run, poses: Poses, balls: Ball[][], level: Level): Box3 {
  const box = new Box3();
  if (run.frames.time.length === 0) growAround(box, balls, poses, level);
  for (let frame = 0; frame < run.frames.time.length && box.isEmpty(); ++frame) {
    poses.setFrame(frame);
    growAround(box, balls, poses, level);
  }
  return box;
}

function diagonal(box: Box3): number {
  return box.isEmpty() ? 0 : box.min.distanceTo(box.max);
}

function diagonals(balls: Ball[][]): number[] {
  const point = new Vector3();
  return balls.map((list) => {
    const box = new Box3();
    for (const ball of list) box.expandByPoint(point.copy(ball.at).subScalar(ball.radius)).expandByPoint(point.addScalar(2 * ball.radius));
    return diagonal(box);
  });
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** Edges of the box of even density with these moments of inertia, from Ixx = m (ey^2 + ez^2) / 12 and so on. Products
 *  of inertia are left out, and a negative square (a body that cannot be) counts as zero. */
export function boxOfInertia(mass: number, [xx, yy, zz]: readonly number[]): Vec {
  const edge = (a: number, b: number, c: number) => Math.sqrt(Math.max(0, (6 * (a + b - c)) / mass)) || 0;
  return [edge(yy, zz, xx), edge(xx, zz, yy), edge(xx, yy, zz)];
}

function largestInertiaBox(run: Run): number {
  const edges = run.scene?.bodies.flatMap((body) => boxOfInertia(body.mass, body.inertia)) ?? [];
  return Math.max(0, ...edges.filter(Number.isFinite));
}

/** A body alone has no size of its own: that of its inertia, then that of its way, then one metre. */
export function sizeOf(run: Run, atStart: Box3, overRun: Box3, balls: Ball[][]): Size {
  const model = diagonal(atStart) || 2 * largestInertiaBox(run) || 0.3 * diagonal(overRun) || 1;
  const bodies = diagonals(balls.slice(0, -1)).filter((length) => length > 1e-6 * model);
  const usual = bodies.length > 0 ? median(bodies) : model / Math.max(1, Math.cbrt(balls.length - 1));
  return { model, detail: Math.min(model, 6 * usual) };
}

/** Height of the ground: 0 under a model that stays above it and near, else a little below the lowest point. */
export function groundHeight(lowest: number, size: number): number {
  if (!Number.isFinite(lowest)) return 0;
  if (lowest > -1e-3 * size && lowest < size) return 0;
  return lowest - 0.02 * size;
}

/** 0.1, 1 or 10 m and further powers of ten, three to thirty lines across the model. */
export function gridStep(size: number): number {
  return 10 ** Math.floor(Math.log10(size / 3));
}
