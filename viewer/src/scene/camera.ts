// The camera: fixed views that show the whole run, orbit and zoom, and going along with a body.
import { Box3, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { SceneView } from "../types";
import type { Level } from "./level";

export type ViewName = Parameters<SceneView["setView"]>[0];

// Towards the camera, in forward, left, up. From above, forward is to the right: the tiny step back tells which way is up.
const directions: Record<ViewName, [number, number, number]> = {
  iso: [0.62, 1, 0.52], // or its mirror image, see createCamera
  front: [1, 0, 0],
  rear: [-1, 0, 0],
  left: [0, 1, 0],
  right: [0, -1, 0],
  top: [0, -1e-5, 1],
  chase: [-1, 0.16, 0.3],
};
const margins: Partial<Record<ViewName, number>> = { chase: 1.8 }; // there is to be some road around it
const usualMargin = 1.15;

export interface Camera {
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  /** Of points in level axes; directions are turned about the vertical by `heading`. */
  view(name: ViewName, points: Vector3[], heading?: number): void;
  moveBy(step: Vector3): void;
  /** About the vertical through the target. */
  turnBy(angle: number): void;
  centreOn(point: Vector3): void;
  resize(width: number, height: number): void;
  /** Sets what is near and far enough to be drawn. */
  focus(reach: number): void;
  state(): Pick<ReturnType<SceneView["camera"]>, "position" | "target" | "up" | "fov">;
}

const vertical = new Vector3(0, 0, 1); // in level axes

// What a view shows of a run without bodies: a cube of 2 m.
const emptyRoom = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => new Vector3(x, y, z))));

export interface Axes {
  right: Vector3;
  up: Vector3;
  back: Vector3; // towards the camera
}

/** How far from `centre` a camera must be to see all points. */
export function fittingDistance(points: Vector3[], centre: Vector3, axes: Axes, fov: number, aspect: number): number {
  const vertical = Math.tan(fov / 2);
  const from = new Vector3();
  const needs = points.map((point) => {
    from.copy(point).sub(centre);
    const aside = Math.max(Math.abs(from.dot(axes.up)) / vertical, Math.abs(from.dot(axes.right)) / (vertical * aspect));
    return from.dot(axes.back) + aside;
  });
  return Math.max(...needs);
}

/** The step across the view that brings points to the middle of the picture, seen from `distance` before `centre`. */
function centring(points: Vector3[], centre: Vector3, axes: Axes, distance: number): Vector3 {
  const seen = new Box3();
  const from = new Vector3();
  for (const point of points) {
    from.copy(point).sub(centre);
    const depth = distance - from.dot(axes.back);
    seen.expandByPoint(new Vector3(from.dot(axes.right) / depth, from.dot(axes.up) / depth, 0));
  }
  const middle = seen.getCenter(from).multiplyScalar(distance);
  return axes.right.clone().multiplyScalar(middle.x).addScaledVector(axes.up, middle.y);
}

function axesOf(back: Vector3): Axes {
  const right = new Vector3(0, 0, 1).cross(back).normalize();
  return { right, up: back.clone().cross(right), back };
}

/** `side` is the one that the view from aslant looks from: 1 left, -1 right. */
export function createCamera(element: HTMLElement, level: Level, side: number): Camera {
  const camera = new PerspectiveCamera(32, 1, 0.01, 1000);
  camera.up.copy(level.up); // before the controls: they take their axis from it
  const controls = new OrbitControls(camera, element);
  controls.zoomToCursor = true;
  controls.zoomSpeed = 1.4;

  return {
    camera,
    controls,
    view(name, given, heading = 0) {
      const points = given.length > 0 ? given : emptyRoom;
      const back = new Vector3(...directions[name]).normalize();
      if (name === "iso") back.y *= side;
      back.applyAxisAngle(vertical, heading);
      const axes = axesOf(back);
      const centre = new Box3().setFromPoints(points).getCenter(new Vector3());
      const distanceNow = () => fittingDistance(points, centre, axes, (camera.fov * Math.PI) / 180, camera.aspect);
      for (let k = 0; k < 3; ++k) centre.add(centring(points, centre, axes, distanceNow()));
      const distance = Math.max((margins[name] ?? usualMargin) * distanceNow(), 1e-6);
      controls.target.copy(centre).applyMatrix4(level.toGlobal);
      camera.position.copy(controls.target).addScaledVector(back.applyMatrix4(level.toGlobal), distance);
      controls.update();
    },
    moveBy(step) {
      camera.position.add(step);
      controls.target.add(step);
    },
    turnBy(angle) {
      const offset = camera.position.clone().sub(controls.target).applyAxisAngle(level.up, angle);
      camera.position.copy(controls.target).add(offset);
      controls.update();
    },
    centreOn(point) {
      camera.position.add(point.clone().sub(controls.target));
      controls.target.copy(point);
      controls.update();
    },
    resize(width, height) {
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
    },
    focus(reach) {
      const distance = camera.position.distanceTo(controls.target);
      camera.near = distance / 200;
      camera.far = 2 * distance + 4 * reach;
      camera.updateProjectionMatrix();
    },
    state() {
      camera.updateMatrixWorld();
      const up = new Vector3(0, 1, 0).transformDirection(camera.matrixWorld).toArray();
      return { position: camera.position.toArray(), target: controls.target.toArray(), up, fov: (camera.fov * Math.PI) / 180 };
    },
  };
}
