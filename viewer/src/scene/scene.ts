// The 3D scene of a run, and of others as its ghosts. It draws when something has changed, never on its own.
import type { Vector3, WebGLRenderer } from "three";
import type { Clock, Run, SceneView } from "../types";
import { bodyPoint, type Figure } from "./figure";
import { createHighlight } from "./highlight";
import { createLabels, type Label } from "./labels";
import { pick, watchPointer } from "./picking";
import { createStage } from "./stage";
import { dark, light } from "./theme";
import { createTriad } from "./triad";
import { heaviest, hasWheelsOnRoads, speedAt } from "./vehicle";
import { createViewpoint } from "./viewpoint";
import { createRenderer, withoutWebGl } from "./webgl";

export interface PickableScene extends SceneView {
  /** A body was clicked; -1: the background. */
  onPick(listener: (body: number) => void): void;
  /** The body to go along with in a run that leads far away, -1 where all of it is seen well in one view. */
  readonly worthFollowing: number;
  /** It runs on wheels on a road: one wants to look from behind. */
  readonly isVehicle: boolean;
  /** Tracks deviate from their lines, so that exaggerate() has something to do. */
  readonly hasDeviations: boolean;
}

function bodyName(run: Run, body: number): string {
  return run.scene?.bodies[body]?.name ?? `body ${body + 1}`;
}

function labelsOf(figure: Figure): Label[] {
  const { run, poses } = figure;
  const bodies = Array.from({ length: poses.count }, (_, body): Label => ({
    text: bodyName(run, body),
    place: (out: Vector3) => bodyPoint(figure, body, out),
  }));
  const markers = run.scene?.markers.map((marker): Label => ({
    text: marker.name,
    place: (out: Vector3) => poses.point(marker.body, marker.at, out),
  }));
  return [...bodies, ...(markers ?? [])];
}

export function createScene(container: HTMLElement, runs: Run[], clock: Clock): PickableScene {
  const renderer = createRenderer();
  return renderer ? build(container, runs, clock, renderer) : withoutWebGl(container);
}

function build(container: HTMLElement, runs: Run[], clock: Clock, renderer: WebGLRenderer): PickableScene {
  const canvas = renderer.domElement;
  if (getComputedStyle(container).position === "static") container.style.position = "relative";
  container.append(canvas);
  const stage = createStage(runs);
  const viewpoint = createViewpoint(canvas, stage);
  const labels = createLabels(container, labelsOf(stage.main));
  const triad = createTriad(container);
  const bodies = stage.main.layers.bodies;
  const { bent } = stage.main;
  const highlight = bodies && createHighlight(bodies, bent);
  const pickListeners: ((body: number) => void)[] = [];
  const followListeners: (() => void)[] = [];
  let width = 1;
  let height = 1;
  let posedAt = NaN; // the time that the parts stand at
  let waiting = false;

  function request() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      if (waiting) draw();
    });
  }

  function pose() {
    if (posedAt === clock.t) return;
    posedAt = clock.t;
    stage.setTime(clock.t);
    viewpoint.goAlong();
  }

  function draw() {
    waiting = false;
    pose();
    const { camera, target } = viewpoint;
    viewpoint.focus();
    camera.updateMatrixWorld();
    stage.lookFrom(camera.position, target);
    renderer.render(stage.space, camera);
    labels.update(camera, width, height);
    triad.update(camera);
  }

  function resize() {
    const [newWidth, newHeight] = [container.clientWidth, container.clientHeight];
    if (newWidth === 0 || newHeight === 0 || (newWidth === width && newHeight === height)) return; // hidden, or as before
    [width, height] = [newWidth, newHeight];
    renderer.setSize(width, height, false);
    viewpoint.resize(width, height);
    draw(); // a canvas of a new size is empty
  }

  /** Parts that were hidden have not moved. */
  function changed() {
    posedAt = NaN;
    request();
  }

  function setDark(isDark: boolean) {
    for (const part of [stage, labels, triad]) part.setTheme(isDark ? dark : light);
    request();
  }

  function select(body: number) {
    highlight?.select(body);
    request();
  }

  watchPointer(canvas, (x, y) => (bodies ? pick(bodies, bent?.group ?? null, viewpoint.camera, x, y, width, height) : null), {
    hover(hit, x, y) {
      labels.hint(hit && bodyName(runs[0], hit.body), x, y);
      canvas.style.cursor = hit ? "pointer" : "";
      if (highlight?.hover(hit?.body ?? -1)) request();
    },
    click(hit) {
      select(hit?.body ?? -1);
      pickListeners.forEach((listener) => listener(hit?.body ?? -1));
    },
    doubleClick(hit) {
      viewpoint.centreOn(hit && hit.point);
      request();
    },
  });
  viewpoint.onChange(request);
  clock.onChange(request);
  setDark(false);
  pose();
  resize();
  new ResizeObserver(resize).observe(container);

  return {
    canvas,
    worthFollowing: stage.traveller >= 0 ? stage.traveller : stage.goesFar ? heaviest(runs[0]) : -1,
    isVehicle: stage.traveller >= 0 && (hasWheelsOnRoads(runs[0]) || stage.line !== null),
    hasDeviations: stage.line?.hasDeviations ?? false,
    get speed() {
      pose();
      return speedAt(runs[0], viewpoint.followed, stage.main.poses.now);
    },
    camera: () => ({ ...viewpoint.state(), width, height }),
    setView(name) {
      pose();
      viewpoint.setView(name);
      request();
    },
    follow(body) {
      pose();
      viewpoint.follow(body);
      followListeners.forEach((listener) => listener());
      request();
    },
    onFollow: (listener) => void followListeners.push(listener),
    turnWith(on) {
      pose();
      viewpoint.turnWith(on);
      request();
    },
    scaleArrows(factor) {
      stage.main.arrows.zoom = factor;
      changed();
    },
    exaggerate(factor) {
      stage.line?.exaggerate(factor);
      changed();
    },
    bend(factor) {
      stage.bend(factor);
      changed();
    },
    shades: stage.main.bent?.shades ?? [],
    select,
    trace(marker, on) {
      stage.traces.set(marker, on);
      changed();
    },
    show(what, on) {
      if (what === "names") labels.show(on);
      else stage.show(what, on);
      changed();
    },
    showRun(run, on) {
      stage.showRun(run, on);
      changed();
    },
    setDark,
    resize,
    draw,
    refresh() {
      stage.measure();
      changed();
    },
    onPick: (listener) => void pickListeners.push(listener),
  };
}
