// How fast the followed body is, over the scene.
import { el } from "./dom";
import type { Clock, SceneView } from "./types";
import { units } from "./units";

/** In km/h unless the reader has chosen another unit of speed. */
export function speedText(speed: number): string {
  const { unit, factor } = units.chosen("speed") ?? { unit: "km/h", factor: 3.6 };
  return `${(speed * factor).toFixed(1).replace("-", "−")} ${unit}`;
}

export function speedNote(scene: SceneView, clock: Clock): HTMLElement {
  const note = el("output", { class: "stage-speed", title: "Speed of the followed body" });
  const update = () => {
    const { speed } = scene;
    note.hidden = !Number.isFinite(speed);
    if (!note.hidden) note.textContent = speedText(speed);
  };
  clock.onChange(update);
  units.onChange(update);
  scene.onFollow(update);
  update();
  return note;
}
