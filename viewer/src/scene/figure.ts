// All that is drawn of one run: layers of parts that follow its poses.
import { type Box3, type Material, type MeshPhongMaterial, Vector3 } from "three";
import { type Bent, createBent } from "../bent/bent";
import type { Run, Scene, Shape } from "../types";
import { type ArrowScale, arrowScale, forceArrows, reactionArrows, tyreArrows } from "./arrows";
import { type Batch, createBatch, type Item } from "./batch";
import { shapeItems } from "./bodies";
import { plainShapes, shapesOfBodies } from "./default_shapes";
import { forceItems, rodItems } from "./elements";
import { ballsOfShapes, boundsAtStart, boundsOfRun, knownBalls, outermostNow, outermostOfRun, type Size, sizeOf } from "./extent";
import type { Geometries } from "./geometries";
import { jointItems } from "./joints";
import type { Level } from "./level";
import type { Ball } from "./outline";
import { createPoses, type Poses } from "./poses";
import { createThreads, type Threads } from "./threads";

const largestOnRails = 9; // m, that arrows are made for: trains are long

export type Layer = "bodies" | "ground" | "joints" | "springs" | "forces" | "tyres" | "reactions";

export interface Figure {
  readonly run: Run;
  readonly poses: Poses;
  readonly size: Size;
  readonly bounds: Box3; // over the run, in level axes
  readonly layers: Partial<Record<Layer, Batch>>;
  readonly arrows: ArrowScale;
  readonly threads: Threads | null; // of rods too thin to be seen
  readonly bent: Bent | null;
  readonly outermost: Vector3[]; // points over the run, in level axes
  outermostNow(): Vector3[]; // of the bodies alone
  update(t: number): void;
}

export interface Look {
  geometries: Geometries;
  material: Material;
  behind?: Material; // of arrows that bodies hide
  bent: () => MeshPhongMaterial; // of a part that bends
  level: Level;
  size?: Size; // else the run's own
}

function allBalls(known: Ball[][], shapes: Shape[][]): Ball[][] {
  // Shapes of the ground may be a whole road; what the camera should see is what moves.
  const drawn = ballsOfShapes(shapes.slice(0, -1));
  return known.map((balls, i) => [...balls, ...(drawn[i] ?? [])]);
}

function bodyItems(shapes: Shape[][], poses: Poses, geometries: Geometries): Item[] {
  return shapes.slice(0, -1).flatMap((list, body) => shapeItems(list, body, poses, geometries));
}

function mechanismItems(scene: Scene, shapes: Shape[][], poses: Poses, size: Size) {
  const wheels = new Set(shapes.flatMap((list, body) => (list.some((shape) => shape.kind === "wheel") ? [body] : [])));
  return {
    joints: jointItems(scene.joints, 0.013 * size.detail, poses),
    springs: forceItems(scene.forces, size.detail, poses, wheels),
    rods: rodItems(scene.rods, size.detail, poses),
  };
}

export function createFigure(run: Run, look: Look): Figure {
  const { geometries, material, level } = look;
  const poses = createPoses(run);
  poses.setFrame(-1);
  const known = knownBalls(run, poses);
  const atStart = boundsAtStart(run, poses, known, level);
  const size = look.size ?? sizeOf(run, atStart, boundsOfRun(run, poses, known, level), known);
  const shapes = run.scene ? shapesOfBodies(run.scene, size) : plainShapes(poses.count, size);
  const balls = allBalls(known, shapes);
  const bounds = boundsOfRun(run, poses, balls, level);
  const outermost = outermostOfRun(run, poses, balls, level);
  boundsAtStart(run, poses, balls, level); // leaves the poses at the start, for the usual length of springs

  const batch = (items: Item[], behind?: Material) => createBatch(items, geometries, material, behind);
  const layers: Figure["layers"] = {};
  const items = bodyItems(shapes, poses, geometries);
  const arrowSize = (run.scene?.tracks ?? []).length > 0 ? Math.min(size.model, largestOnRails) : size.model;
  const scale = arrowScale(run.frames, arrowSize);
  if (run.scene) {
    const { joints, springs, rods } = mechanismItems(run.scene, shapes, poses, size);
    layers.ground = batch(shapeItems(shapes[shapes.length - 1], -1, poses, geometries));
    layers.joints = batch(joints);
    layers.springs = batch(springs);
    layers.forces = batch(forceArrows(run, run.scene, poses, arrowSize, scale), look.behind);
    layers.tyres = batch(tyreArrows(run, run.scene, poses, arrowSize, scale, level.up), look.behind);
    layers.reactions = batch(reactionArrows(run, run.scene, poses, arrowSize, scale), look.behind);
    items.push(...rods);
  }
  layers.bodies = batch(items);
  const threads = createThreads(shapes.slice(0, -1), poses, size.model);
  const bent = createBent(run, poses, createPoses(run), look.bent);

  return {
    run,
    poses,
    size,
    bounds,
    layers,
    arrows: scale,
    threads,
    bent,
    outermost,
    outermostNow: () => outermostNow(poses, balls.slice(0, -1), level),
    update(t) {
      poses.set(t);
      for (const layer of Object.values(layers)) if (layer.group.visible) layer.update();
      threads?.update();
      bent?.update();
    },
  };
}

/** The second of two runs, for its ghost: a body without shapes looks like that of the same name in the first run. */
export function dressed(run: Run, first: Run): Run {
  if (!run.scene) return run.frames.positions.length > 0 ? { ...run, scene: borrowedScene(run, first) } : run;
  const shapesByName = new Map(first.scene?.bodies.map((body) => [body.name, body.shapes]));
  const bodies = run.scene.bodies.map((body) =>
    body.shapes.length > 0 ? body : { ...body, shapes: shapesByName.get(body.name) ?? [] },
  );
  return { ...run, scene: { ...run.scene, bodies } };
}

/** A result without a scene has no names: that of the first run will do where the number of bodies is the same. */
function borrowedScene(run: Run, first: Run): Scene | null {
  const count = run.frames.positions.length / (3 * run.frames.time.length);
  return first.scene && first.scene.bodies.length === count ? first.scene : null;
}

/** Where the label of a body stands: at the middle of what is drawn of it, near enough its centre of mass. */
export function bodyPoint(figure: Figure, body: number, out: Vector3): boolean {
  return figure.poses.point(body, figure.run.scene?.bodies[body]?.com ?? [0, 0, 0], out);
}

/** The side, 1 left or -1 right, that is clearly lighter: from the other one, a wheel hides the suspension behind it. */
export function lightSide(figure: Figure, box: Box3, level: Level): number {
  const [sum, at] = [new Vector3(), new Vector3()];
  let mass = 0;
  figure.run.scene?.bodies.forEach((body, i) => {
    if (!(body.mass > 0) || !bodyPoint(figure, i, at)) return;
    sum.addScaledVector(at, body.mass);
    mass += body.mass;
  });
  const diagonal = box.min.distanceTo(box.max);
  const flat = box.max.z - box.min.z < 0.25 * diagonal; // nothing hides anything
  if (mass === 0 || flat) return -1;
  const offset = sum.divideScalar(mass).applyMatrix4(level.toLevel).y - (box.min.y + box.max.y) / 2;
  return offset < -0.12 * diagonal ? 1 : -1;
}
