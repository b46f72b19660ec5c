// Friction ellipses: for each tyre the point (Fx, Fy) over Fz through time, and how far it could go.
import { Vector3 } from "three";
import { around } from "../curve";
import { vectorAt } from "../scene/frames";
import { levelOf } from "../scene/level";
import { createPoses } from "../scene/poses";
import type { Run } from "../types";
import { type Figure, fit, lookOf, type Line } from "./figure";
import type { Library } from "./library";

interface Tyre {
  name: string;
  time: Float64Array;
  x: Float64Array; // Fx/Fz
  y: Float64Array;
  limit: [number, number] | null; // largest Fx/Fz and Fy/Fz
}

const leastLoad = 0.02; // of the largest: below it the wheel is about to lift, and a quotient says nothing

function overLoad(fx: ArrayLike<number>, fy: ArrayLike<number>, fz: ArrayLike<number>): Pick<Tyre, "x" | "y"> {
  let largest = 0;
  for (let i = 0; i < fz.length; ++i) if (Math.abs(fz[i]) > largest) largest = Math.abs(fz[i]);
  const quotient = (force: ArrayLike<number>) =>
    Float64Array.from(force, (value, i) => (Math.abs(fz[i]) > leastLoad * largest ? value / Math.abs(fz[i]) : NaN));
  return { x: quotient(fx), y: quotient(fy) };
}

/** From the channels fx, fy and fz of a tyre, where all are recorded at the same times. */
function fromChannels(library: Library, run: number, name: string): Omit<Tyre, "limit"> | null {
  const [fx, fy, fz] = ["fx", "fy", "fz"].map((force) => library.curve(run, `${name}.${force}`)?.samples);
  if (!fx || !fy || !fz || fx.time !== fy.time || fx.time !== fz.time) return null;
  return { name, time: fx.time, ...overLoad(fx.values, fy.values, fz.values) };
}

/** From the arrows of the scene: along and across a wheel that turns about its y axis, on ground that is level. */
export function fromFrames(run: Run, index: number): Omit<Tyre, "limit"> | null {
  const force = run.scene?.forces[index];
  const { time, forces } = run.frames;
  if (!run.scene || !force || !("to" in force) || forces.length < 3 * (index + 1) * time.length) return null;
  const { up } = levelOf(run.scene.gravity);
  const poses = createPoses(run);
  const [axis, ahead, left, pull] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const parts = [0, 1, 2].map(() => new Float64Array(time.length).fill(NaN));
  for (let i = 0; i < time.length; ++i) {
    poses.setFrame(i);
    const pose = poses.matrix(force.to);
    if (!pose || !vectorAt(forces, index, time.length, { index: i, part: 0 }, pull)) continue;
    axis.set(0, 1, 0).transformDirection(pose);
    ahead.crossVectors(axis, up).normalize();
    left.crossVectors(up, ahead);
    [ahead, left, up].forEach((direction, k) => (parts[k][i] = pull.dot(direction)));
  }
  return { name: force.name, time, ...overLoad(parts[0], parts[1], parts[2]) };
}

export function tyresOf(library: Library, run: number): Tyre[] {
  const { scene } = library.runs[run];
  return (scene?.forces ?? []).flatMap((force, index) => {
    if (!("to" in force) || force.track === undefined) return [];
    const found = fromChannels(library, run, force.name) ?? fromFrames(library.runs[run], index);
    return found ? [{ ...found, limit: force.friction ?? null }] : [];
  });
}

function limitLine(tyre: Tyre, look: Pick<Line, "run" | "colour">): Line[] {
  if (!tyre.limit) return [];
  const [along, across] = tyre.limit;
  const angles = Float64Array.from({ length: 73 }, (_, i) => (2 * Math.PI * i) / 72);
  const [xs, ys] = [angles.map((a) => along * Math.cos(a)), angles.map((a) => across * Math.sin(a))];
  return [{ name: `${tyre.name} limit`, unit: "", ...look, dash: 1, axis: 0, time: angles, xs, ys, first: 0, last: xs.length, still: true }];
}

export function hasTyres(library: Library): boolean {
  return library.runs.some((run) => run.scene?.forces.some((force) => "to" in force && force.track !== undefined));
}

export function ellipseFigure(library: Library, range: [number, number]): Figure {
  const lines = library.visible.flatMap((run) =>
    tyresOf(library, run).flatMap((tyre, index): Line[] => {
      const look = { run, ...lookOf(library, index, run) };
      const [first, last] = around(tyre.time, range[0], range[1]);
      const trace: Line = { name: tyre.name, unit: "", ...look, axis: 0, time: tyre.time, xs: tyre.x, ys: tyre.y, first, last };
      return [...limitLine(tyre, look), trace];
    }),
  );
  const figure: Figure = {
    x: { key: "x", label: "Fx / Fz", min: -1, max: 1, log: false },
    ys: [{ key: "y0", label: "Fy / Fz", min: -1, max: 1, log: false }],
    lines,
    overTime: false,
    equal: true,
    events: [],
  };
  return fit(figure);
}
