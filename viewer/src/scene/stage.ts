// What the scene holds: the run, its ghosts, ground, lights and traces. It knows no camera and no page.
import { Box3, Group, Scene as Space, Vector3 } from "three";
import type { Run, SceneView } from "../types";
import { gridStep, groundHeight } from "./extent";
import { createFigure, dressed, type Figure } from "./figure";
import { inSpan } from "./frames";
import { createGeometries } from "./geometries";
import { createGround, type Ground } from "./ground";
import { type Level, levelOf } from "./level";
import { backdrop, createLights, type Lights } from "./lights";
import { bodyCount, createPoses } from "./poses";
import { colour } from "../plots/palette";
import { dark, type Theme } from "./theme";
import { createLine, type Line } from "./line";
import { createRibbon } from "./ribbon";
import { createTraces, type Traces } from "./traces";
import { traveller as travellerOf } from "./vehicle";
import { behindMaterial, bentMaterial, ghostMaterial, solidMaterial } from "./webgl";

export type Part = Exclude<Parameters<SceneView["show"]>[0], "names">;

export interface Stage {
  readonly space: Space;
  readonly level: Level;
  readonly main: Figure;
  readonly traces: Traces;
  readonly box: Box3; // over the run, in level axes
  readonly reach: number; // its diagonal
  readonly goesFar: boolean; // the run is much larger than the model
  readonly traveller: number; // the body to go along with, -1: none
  readonly line: Line | null; // railway tracks
  setTime(t: number): void;
  /** Ground, shadows and light are made for someone who looks from an eye to a target. */
  lookFrom(eye: Vector3, target: Vector3): void;
  bend(factor: number): void; // deformations of all runs
  measure(): void; // the frames have changed: colours of what bends are found anew
  showRun(run: number, on: boolean): void; // 0: the first; others are its ghosts
  show(part: Part, on: boolean): void;
  setTheme(theme: Theme): void;
  /** What a fixed view should contain, in level axes: the whole run, or the bodies as they stand. */
  outermost(now: boolean, about?: Vector3): Vector3[];
}

const coach = 16; // m, from the middle of a long vehicle to what is looked at with it
const manyBodies = 300; // more are drawn without shadows and in less detail

/** A box that a camera can look at, whatever the run holds. */
function usable(box: Box3, size: number): Box3 {
  if (box.isEmpty()) box.expandByPoint(new Vector3());
  return box.min.distanceTo(box.max) > 1e-3 * size ? box : box.expandByScalar(size / 2);
}

function corners({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

function groupsOf(figure: Figure, names: (keyof Figure["layers"])[]): Group[] {
  return names.flatMap((name) => figure.layers[name]?.group ?? []);
}

function createFigures([run, ...others]: Run[], level: Level) {
  const geometries = createGeometries({ fine: bodyCount(run) <= manyBodies });
  const main = createFigure(run, { geometries, level, material: solidMaterial(), behind: behindMaterial(), bent: bentMaterial });
  const ghosts = others.map((other) => {
    const material = ghostMaterial();
    const figure = createFigure(dressed(other, run), { geometries, level, material, size: main.size, bent: () => material });
    for (const layer of Object.values(figure.layers)) layer.paint((_, out) => void out.set("#ffffff"));
    const group = new Group(); // joints and arrows of a ghost would only confuse
    group.add(...groupsOf(figure, ["bodies", "springs"]));
    if (figure.bent) group.add(figure.bent.group);
    return { figure, material, group };
  });
  return { main, ghosts };
}

interface Surroundings {
  ground: Ground;
  lights: Lights;
  shadows: boolean;
}

function throwShadows({ ground, lights, shadows }: Surroundings, at: Vector3, radius: number) {
  lights.aim(at, radius);
  if (shadows) ground.shade(at, 1.5 * radius); // they fall a little aside
}

export function createStage(runs: Run[]): Stage {
  const level = levelOf(runs[0].scene?.gravity ?? [0, 0, 0]);
  const { main, ghosts } = createFigures(runs, level);
  const size = main.size.model;
  const bounds = ghosts.reduce((all, { figure }) => all.union(figure.bounds), main.bounds.clone());
  const box = usable(bounds, size);
  const reach = box.min.distanceTo(box.max);
  const traveller = travellerOf(runs[0], size);
  const goesFar = traveller >= 0 || reach > 6 * size;
  const shadows = main.poses.count <= manyBodies;
  const around = { ground: createGround(level, groundHeight(box.min.z, size), gridStep(size)), lights: createLights(level, shadows), shadows };
  const traces = createTraces(runs[0], main.poses, createPoses(runs[0]), size);

  const line = createLine(runs[0]);
  const ribbon = traveller >= 0 ? createRibbon(runs[0], createPoses(runs[0]), level) : null;
  const ghostLayer = new Group();
  for (const { group } of ghosts) ghostLayer.add(group);
  const space = new Space();
  const moving = new Group(); // not to be seen outside of the span of the run
  moving.add(...groupsOf(main, ["bodies", "joints", "springs", "forces", "tyres", "reactions"]));
  if (main.threads) moving.add(main.threads.lines);
  if (main.bent) moving.add(main.bent.group);
  space.add(around.lights.group, around.ground.group, traces.group, moving);
  for (const group of [...groupsOf(main, ["ground"]), ghostLayer]) space.add(group);
  if (ribbon) space.add(ribbon.group);
  if (line) space.add(line.group);
  for (const group of groupsOf(main, ["bodies", "joints", "springs"])) group.traverse((part) => (part.castShadow = true));
  main.bent?.group.traverse((part) => (part.castShadow = true));
  for (const group of groupsOf(main, ["reactions"])) group.visible = false;
  if (!goesFar) throwShadows(around, box.getCenter(new Vector3()).applyMatrix4(level.toGlobal), 0.65 * reach);

  let shown = true; // the first run

  const parts: Record<Part, Group[]> = {
    joints: groupsOf(main, ["joints"]),
    springs: groupsOf(main, ["springs"]),
    forces: groupsOf(main, ["forces"]),
    tyres: groupsOf(main, ["tyres"]),
    reactions: groupsOf(main, ["reactions"]),
    ground: [...groupsOf(main, ["ground"]), around.ground.group, ...(ribbon ? [ribbon.group] : []), ...(line ? [line.group] : [])],
    traces: [traces.group],
    ghost: [ghostLayer],
  };

  return {
    space, level, main, traces, box, reach, goesFar, traveller, line,
    setTime(t) {
      main.update(t);
      moving.visible = shown && inSpan(main.run.frames.time, t);
      for (const { figure } of ghosts) figure.update(t);
      traces.update();
    },
    lookFrom(eye, target) {
      const distance = eye.distanceTo(target);
      line?.lookFrom(eye, target);
      const earth = line?.groundBelow(target);
      if (earth) around.ground.lay(earth.dot(level.up));
      around.ground.centre(target, Math.max(2.5 * size, 1.6 * distance));
      around.lights.follow(eye.clone().sub(target).normalize());
      if (goesFar) throwShadows(around, target, Math.min(reach, Math.max(size, 0.5 * distance)));
    },
    measure: () => [main, ...ghosts.map(({ figure }) => figure)].forEach(({ bent }) => bent?.measure()),
    bend: (factor) => [main, ...ghosts.map(({ figure }) => figure)].forEach(({ poses }) => (poses.factor = factor)),
    showRun(run, on) {
      if (run === 0) shown = on;
      else if (ghosts[run - 1]) ghosts[run - 1].group.visible = on;
    },
    show: (part, on) => parts[part].forEach((group) => (group.visible = on)),
    setTheme(theme) {
      space.background = backdrop(theme);
      around.ground.setTheme(theme);
      ribbon?.setTheme(theme);
      line?.setTheme(theme);
      around.lights.setTheme(theme);
      ghosts.forEach(({ material }, i) => material.color.set(ghosts.length > 1 ? colour(i + 1, theme === dark) : theme.ghost));
    },
    outermost(now, about) {
      const all = now ? main.outermostNow() : [...main.outermost, ...ghosts.flatMap(({ figure }) => figure.outermost)];
      const near = about && line ? all.filter((point) => point.distanceTo(about) < coach) : all; // of a train the coach that is followed
      const points = near.length >= 8 ? near : all;
      const bounds = new Box3().setFromPoints(points);
      return bounds.min.distanceTo(bounds.max) > 1e-3 * size ? points : corners(usable(bounds, size));
    },
  };
}
