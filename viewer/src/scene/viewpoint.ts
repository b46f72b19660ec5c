// Where the camera looks from: a fixed view until the user moves it, and along with a body where one is followed.
import { type PerspectiveCamera, Vector3 } from "three";
import { type Camera, createCamera, type ViewName } from "./camera";
import { bodyPoint, lightSide } from "./figure";
import { ground } from "./poses";
import { headingOf } from "./vehicle";
import type { Stage } from "./stage";

export interface Viewpoint {
  readonly camera: PerspectiveCamera;
  readonly target: Vector3;
  state: Camera["state"];
  setView(name: ViewName): void;
  /** To a point; null: back to a fixed view. */
  centreOn(point: Vector3 | null): void;
  follow(body: number): void;
  readonly followed: number; // -1: none
  turnWith(on: boolean): void; // with the followed body, about the vertical
  goAlong(): void; // with the followed body, after a change of time
  resize(width: number, height: number): void;
  focus(): void;
  onChange(listener: () => void): void;
}

export function createViewpoint(canvas: HTMLCanvasElement, stage: Stage): Viewpoint {
  const rig = createCamera(canvas, stage.level, lightSide(stage.main, stage.box, stage.level));
  let view: ViewName | null = "iso"; // kept at every size of the window until the user moves the camera
  let followed = ground;
  const followedAt = new Vector3();
  let known = false; // whether it is where the body was last seen: a body may have no place for a while
  let turning = false;
  let heading = 0; // of the camera: that of the body when it was last known
  rig.controls.addEventListener("start", () => (view = null));

  function headingNow(): number {
    const now = turning && followed >= 0 ? headingOf(stage.main.poses, followed, stage.level) : NaN;
    return Number.isNaN(now) ? heading : now;
  }

  function fit() {
    heading = headingNow();
    known = bodyPoint(stage.main, followed, followedAt);
    const about = known ? followedAt.clone().applyMatrix4(stage.level.toLevel) : undefined;
    if (view) rig.view(view, stage.outermost(followed >= 0, about), turning ? heading : 0);
  }

  function setView(name: ViewName) {
    view = name;
    fit();
  }

  return {
    camera: rig.camera,
    target: rig.controls.target,
    state: rig.state,
    setView,
    centreOn(point) {
      if (!point) return setView(view ?? "iso");
      view = null;
      rig.centreOn(point);
    },
    follow(body) {
      followed = body < stage.main.poses.count ? body : ground;
      known = bodyPoint(stage.main, followed, followedAt);
      if (followed < 0 || !known) return;
      if (view) fit();
      else rig.centreOn(followedAt);
    },
    get followed() {
      return followed;
    },
    turnWith(on) {
      turning = on;
      fit();
    },
    goAlong() {
      const now = new Vector3();
      if (followed < 0 || !bodyPoint(stage.main, followed, now)) return;
      if (known) rig.moveBy(now.clone().sub(followedAt));
      else rig.centreOn(now);
      known = true;
      followedAt.copy(now);
      if (!turning) return;
      const next = headingNow();
      if (next !== heading) rig.turnBy(next - heading);
      heading = next;
    },
    resize(width, height) {
      rig.resize(width, height);
      fit();
    },
    focus: () => rig.focus(stage.reach),
    onChange: (listener) => rig.controls.addEventListener("change", listener),
  };
}
