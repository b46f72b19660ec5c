// Which body is under the pointer.
import { type Group, InstancedMesh, type PerspectiveCamera, Raycaster, Vector2, type Vector3 } from "three";
import type { Batch } from "./batch";

export interface Hit {
  body: number;
  point: Vector3;
}

/** `bent`: meshes that know their body. */
export function pick(batch: Batch, bent: Group | null, camera: PerspectiveCamera, x: number, y: number, width: number, height: number): Hit | null {
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), camera);
  for (const { object, instanceId, point } of ray.intersectObjects(bent ? [batch.group, bent] : [batch.group])) {
    const item = object instanceof InstancedMesh && instanceId !== undefined ? batch.itemOf(object, instanceId) : undefined;
    const body: number = item?.body ?? object.userData.body ?? -1;
    if (body >= 0) return { body, point };
  }
  return null;
}

export interface PointerListeners {
  hover(hit: Hit | null, x: number, y: number): void;
  click(hit: Hit | null): void;
  doubleClick(hit: Hit | null): void;
}

/** Looks at most once an animation frame, and not while a button drags the camera. */
export function watchPointer(canvas: HTMLCanvasElement, find: (x: number, y: number) => Hit | null, listeners: PointerListeners) {
  let pressed: [number, number] | null = null;
  let waiting = false;
  let last: [number, number] = [0, 0];

  const look = () => {
    waiting = false;
    if (!pressed) listeners.hover(find(...last), ...last);
  };
  canvas.addEventListener("pointermove", (event) => {
    last = [event.offsetX, event.offsetY];
    if (waiting || pressed) return;
    waiting = true;
    requestAnimationFrame(look);
  });
  canvas.addEventListener("pointerleave", () => listeners.hover(null, 0, 0));
  canvas.addEventListener("pointerdown", (event) => (pressed = [event.offsetX, event.offsetY]));
  canvas.addEventListener("pointerup", (event) => {
    const still = pressed && Math.hypot(event.offsetX - pressed[0], event.offsetY - pressed[1]) < 4;
    pressed = null;
    if (still && event.button === 0) listeners.click(find(event.offsetX, event.offsetY));
  });
  canvas.addEventListener("pointercancel", () => (pressed = null));
  canvas.addEventListener("dblclick", (event) => listeners.doubleClick(find(event.offsetX, event.offsetY)));
}
