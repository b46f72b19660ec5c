// The 3D scene of a run, and of a second one as its ghost. It draws when something has changed, never on its own.
import { Box3, Scene as Space, Vector3, type WebGLRenderer } from "three";
import type { Clock, Run, SceneView } from "../types";
import { createCamera, type ViewName } from "./camera";
import { gridStep, groundHeight } from "./extent";
import { bodyPoint, createFigure, dressed, type Figure, lightSide } from "./figure";
import { createGeometries } from "./geometries";
import { createGround } from "./ground";
import { createHighlight } from "./highlight";
import { createLabels, type Label } from "./labels";
import { levelOf } from "./level";
import { backdrop, createLights } from "./lights";
import { pick, watchPointer } from "./picking";
import { bodyCount, createPoses, ground as groundBody } from "./poses";
import { dark, light } from "./theme";
import { createTraces } from "./traces";
import { createTriad } from "./triad";
import { behindMaterial, createRenderer, ghostMaterial, solidMaterial, withoutWebGl } from "./webgl";

export interface PickableScene extends SceneView {
  /** A body was clicked; -1: the background. */
  onPick(listener: (body: number) => void): void;
  /** The body to go along with in a run that leads far away, -1 where all of it is seen well in one view. */
  readonly worthFollowing: number;
}

const manyBodies = 300; // more are drawn without shadows and in less detail

function bodyName(run: Run, body: number): string {
  return run.scene?.bodies[body]?.name ?? `body ${body + 1}`;
}

function labelsOf(figure: Figure): Label[] {
  const { run, poses } = figure;
  const bodies = Array.from({ length: poses.count }, (_, body): Label => ({
    text: bodyName(run, body),
    place: (out) => bodyPoint(figure, body, out),
  }));
  const markers = run.scene?.markers.map((marker): Label => ({
    text: marker.name,
    place: (out) => poses.point(marker.body, marker.at, out),
  }));
  return [...bodies, ...(markers ?? [])];
}

function heaviest(run: Run): number {
  const masses = run.scene?.bodies.map((body) => body.mass) ?? [];
  return masses.length > 0 ? masses.indexOf(Math.max(...masses)) : 0;
}

function corners({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

/** A box that a camera can look at, whatever the run holds. */
function usable(box: Box3, size: number): Box3 {
  if (box.isEmpty()) box.expandByPoint(new Vector3());
  return box.min.distanceTo(box.max) > 1e-3 * size ? box : box.expandByScalar(size / 2);
}

export function createScene(container: HTMLElement, runs: Run[], clock: Clock): PickableScene {
  const renderer = createRenderer();
  return renderer ? build(container, runs, clock, renderer) : withoutWebGl(container);
}

function build(container: HTMLElement, runs: Run[], clock: Clock, renderer: WebGLRenderer): PickableScene {
  const [run, second] = runs;
  const level = levelOf(run.scene?.gravity ?? [0, 0, 0]);
  const geometries = createGeometries({ fine: bodyCount(run) <= manyBodies });
  const main = createFigure(run, { geometries, level, material: solidMaterial(), behind: behindMaterial() });
  const ghostLook = ghostMaterial();
  const ghost = second && createFigure(dressed(second, run), { geometries, level, material: ghostLook, size: main.size });

  const size = main.size.model;
  const box = usable(main.bounds.clone().union(ghost?.bounds ?? new Box3()), size);
  const reach = box.min.distanceTo(box.max);
  const goesFar = reach > 6 * size;

  const space = new Space();
  const ground = createGround(level, groundHeight(box.min.z, size), gridStep(size));
  const withShadows = main.poses.count <= manyBodies;
  const lights = createLights(level, withShadows);
  const traces = createTraces(run, main.poses, createPoses(run), size);
  space.add(lights.group, ground.group, traces.group);
  for (const layer of Object.values(main.layers)) space.add(layer.group);
  if (main.layers.reactions) main.layers.reactions.group.visible = false;
  for (const name of ["bodies", "joints", "springs"] as const) main.layers[name]?.group.traverse((part) => (part.castShadow = true));
  // Joints and arrows of a ghost would only confuse.
  const ghostGroups = [ghost?.layers.bodies, ghost?.layers.springs].flatMap((layer) => (layer ? [layer.group] : []));
  if (ghostGroups.length > 0) space.add(...ghostGroups);
  for (const layer of Object.values(ghost?.layers ?? {})) layer.paint((_, out) => void out.set("#ffffff"));

  const canvas = renderer.domElement;
  if (getComputedStyle(container).position === "static") container.style.position = "relative";
  container.append(canvas);
  const labels = createLabels(container, labelsOf(main));
  const triad = createTriad(container);
  const rig = createCamera(canvas, level, lightSide(main, box, level));
  const bodies = main.layers.bodies;
  const highlight = bodies && createHighlight(bodies);
  const pickListeners: ((body: number) => void)[] = [];

  let width = 1;
  let height = 1;
  let view: ViewName | null = "iso"; // kept at every size of the window until the user moves the camera
  let followed = groundBody;
  const followedAt = new Vector3();
  let posedAt = NaN;
  let waiting = false;

  function request() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      if (waiting) draw();
    });
  }

  /** What a fixed view shows: the whole run, or the model about the followed body. */
  function pointsInView(): Vector3[] {
    const points = followed >= 0 ? main.outermostNow() : [...main.outermost, ...(ghost?.outermost ?? [])];
    const around = new Box3().setFromPoints(points);
    return around.min.distanceTo(around.max) > 1e-3 * size ? points : corners(usable(around, size));
  }

  function fit() {
    if (view) rig.view(view, pointsInView());
    if (followed >= 0) bodyPoint(main, followed, followedAt);
  }

  function pose() {
    if (posedAt === clock.t) return;
    posedAt = clock.t;
    main.update(clock.t);
    ghost?.update(clock.t);
    traces.update();
    goAlong();
  }

  function goAlong() {
    const now = new Vector3();
    if (followed < 0 || !bodyPoint(main, followed, now)) return;
    rig.moveBy(now.clone().sub(followedAt));
    followedAt.copy(now);
  }

  function throwShadows(at: Vector3, radius: number) {
    lights.aim(at, radius);
    if (withShadows) ground.shade(at, 1.5 * radius); // they fall a little aside
  }

  function draw() {
    waiting = false;
    pose();
    const { camera, controls } = rig;
    const distance = camera.position.distanceTo(controls.target);
    rig.focus(reach);
    camera.updateMatrixWorld();
    ground.centre(controls.target, Math.max(2.5 * size, 1.6 * distance));
    if (goesFar) throwShadows(controls.target, Math.min(reach, Math.max(size, 0.5 * distance)));
    lights.follow(camera.position.clone().sub(controls.target).normalize());
    renderer.render(space, camera);
    labels.update(camera, width, height);
    triad.update(camera);
  }

  function resize() {
    const [newWidth, newHeight] = [container.clientWidth, container.clientHeight];
    if (newWidth === 0 || newHeight === 0 || (newWidth === width && newHeight === height)) return; // hidden, or as before
    [width, height] = [newWidth, newHeight];
    renderer.setSize(width, height, false);
    rig.resize(width, height);
    fit();
    draw(); // a canvas of a new size is empty
  }

  function changed() {
    posedAt = NaN;
    request();
  }

  function setTheme(isDark: boolean) {
    const theme = isDark ? dark : light;
    space.background = backdrop(theme);
    for (const part of [ground, lights, labels, triad]) part.setTheme(theme);
    ghostLook.color.set(theme.ghost);
    request();
  }

  function follow(body: number) {
    followed = body < main.poses.count ? body : groundBody;
    pose();
    const at = new Vector3();
    if (followed >= 0 && bodyPoint(main, followed, at)) {
      followedAt.copy(at);
      if (view) fit();
      else rig.centreOn(at);
    }
    request();
  }

  function show(what: Parameters<SceneView["show"]>[0], on: boolean) {
    if (what === "names") labels.show(on);
    else if (what === "traces") traces.group.visible = on;
    else if (what === "ghost") ghostGroups.forEach((group) => (group.visible = on));
    else {
      const layer = main.layers[what];
      if (layer) layer.group.visible = on;
      if (what === "ground") ground.group.visible = on;
    }
    changed();
  }

  watchPointer(canvas, (x, y) => (bodies ? pick(bodies, rig.camera, x, y, width, height) : null), {
    hover(hit, x, y) {
      labels.hint(hit && bodyName(run, hit.body), x, y);
      canvas.style.cursor = hit ? "pointer" : "";
      if (highlight?.hover(hit?.body ?? -1)) request();
    },
    click(hit) {
      const body = hit?.body ?? -1;
      highlight?.select(body);
      pickListeners.forEach((listener) => listener(body));
      request();
    },
    doubleClick(hit) {
      if (hit) rig.centreOn(hit.point);
      view = hit ? null : (view ?? "iso");
      if (!hit) fit();
      request();
    },
  });
  rig.controls.addEventListener("start", () => (view = null));
  rig.controls.addEventListener("change", request);
  clock.onChange(request);

  if (!goesFar) throwShadows(box.getCenter(new Vector3()).applyMatrix4(level.toGlobal), 0.65 * reach);
  setTheme(false);
  pose();
  resize();
  new ResizeObserver(resize).observe(container);

  return {
    canvas,
    worthFollowing: goesFar ? heaviest(run) : -1,
    camera: () => ({ ...rig.state(), width, height }),
    setView(name) {
      view = name;
      pose();
      fit();
      request();
    },
    follow,
    select(body) {
      highlight?.select(body);
      request();
    },
    trace(marker, on) {
      traces.set(marker, on);
      changed();
    },
    show,
    setDark: setTheme,
    resize,
    draw,
    onPick: (listener) => void pickListeners.push(listener),
  };
}
