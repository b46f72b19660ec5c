// The camera: fixed views that show the whole run, orbit and zoom, and going along with a body.
import { type Box3, PerspectiveCamera, Vector3 } from "three";
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
};

export interface Camera {
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  view(name: ViewName, box: Box3): void; // box in level axes
  moveBy(step: Vector3): void;
  centreOn(point: Vector3): void;
  resize(width: number, height: number): void;
  /** Sets what is near and far enough to be drawn. */
  focus(reach: number): void;
  state(): Pick<ReturnType<SceneView["camera"]>, "position" | "target" | "up" | "fov">;
}

function corners(box: Box3): Vector3[] {
  const { min, max } = box;
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

/** How far from the centre of a box a camera must be to see all of it. `right`, `up` and `back` are its axes. */
export function fittingDistance(box: Box3, axes: { right: Vector3; up: Vector3; back: Vector3 }, fov: number, aspect: number): number {
  const centre = box.getCenter(new Vector3());
  const vertical = Math.tan(fov / 2);
  const needs = corners(box).map((corner) => {
    corner.sub(centre);
    const aside = Math.max(Math.abs(corner.dot(axes.up)) / vertical, Math.abs(corner.dot(axes.right)) / (vertical * aspect));
    return corner.dot(axes.back) + aside;
  });
  return Math.max(...needs);
}

function axesOf(back: Vector3): { right: Vector3; up: Vector3; back: Vector3 } {
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
  const margin = 1.12;

  return {
    camera,
    controls,
    view(name, box) {
      const back = new Vector3(...directions[name]).normalize();
      if (name === "iso") back.y *= side;
      const distance = margin * fittingDistance(box, axesOf(back), (camera.fov * Math.PI) / 180, camera.aspect);
      controls.target.copy(box.getCenter(new Vector3())).applyMatrix4(level.toGlobal);
      camera.position.copy(controls.target).addScaledVector(back.applyMatrix4(level.toGlobal), Math.max(distance, 1e-6));
      controls.update();
    },
    moveBy(step) {
      camera.position.add(step);
      controls.target.add(step);
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
