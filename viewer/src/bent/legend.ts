// What the colours of bodies that bend mean, and how far their deformation is shown, in a corner of the scene.
import { el } from "../dom";
import { short } from "../format";
import type { SceneView, Shade } from "../types";
import { gradientOf } from "./shades";

const steps = 40; // of the slider
const largest = 1000; // times, at its end

// Of equilibria and the like that have the motion of frames alone.
const unbent = "Flexible bodies are drawn without deformation: this result has none.";

export interface BendLegend {
  element: HTMLElement;
  readonly place: number; // of the slider
  set(place: number): void;
  tell(): void; // the shades have changed
}

/** A number with the unit that suits the largest of its scale. */
export function shadeUnit({ quantity, low, high }: Shade): { unit: string; factor: number } {
  const reach = Math.max(Math.abs(low), Math.abs(high));
  if (quantity === "strain") return reach >= 1e-3 ? { unit: "%", factor: 100 } : { unit: "µm/m", factor: 1e6 };
  if (reach >= 1) return { unit: "m", factor: 1 };
  return reach >= 1e-4 ? { unit: "mm", factor: 1e3 } : { unit: "µm", factor: 1e6 };
}

function scaleOf(shade: Shade): HTMLElement {
  const { unit, factor } = shadeUnit(shade);
  const marks = [0, 0.5, 1].map((part) => short(factor * (shade.low + part * (shade.high - shade.low)), 3));
  return el(
    "div",
    { class: "shade", "data-quantity": shade.quantity },
    el("div", { class: "shade-title" }, `${shade.quantity} [${unit}]`),
    el("div", { class: "shade-bar", style: `background:${gradientOf(shade.quantity)}` }),
    el("div", { class: "shade-marks" }, ...marks.map((text) => el("span", {}, text))),
  );
}

/** Null where nothing bends. Large deformations, coloured by strain, are always shown as they are. */
export function bendLegend(scene: SceneView): BendLegend | null {
  if (scene.shades.length === 0) return null;
  const title = "Deformations of bodies with modes, larger than they are";
  const slider = el("input", { type: "range", min: 0, max: steps, step: 1, value: 0, class: "bend-scale", title, "aria-label": title });
  const text = el("output", { class: "bend-factor" });
  const set = (place: number) => {
    slider.value = String(place);
    const factor = largest ** (Number(slider.value) / steps);
    text.textContent = factor === 1 ? "as it is" : `× ${short(factor, 2)}`;
    scene.bend(factor);
  };
  slider.addEventListener("input", () => set(Number(slider.value)));
  set(0);
  const element = el("div", { class: "stage-shades" });
  const label = el("label", { class: "bend" }, "deformation", slider, text);
  const tell = () => {
    const isStill = scene.shades.every(({ low, high }) => low === high);
    const isScaled = scene.shades.some(({ quantity }) => quantity === "displacement");
    element.replaceChildren(...(isStill ? [unbent] : [...scene.shades.map(scaleOf), ...(isScaled ? [label] : [])]));
  };
  tell();
  return {
    element,
    tell,
    get place() {
      return Number(slider.value);
    },
    set,
  };
}
