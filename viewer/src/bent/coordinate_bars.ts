// Modal coordinates as bars that move with the time, over the range that each has in the run.
import { el } from "../dom";
import { short } from "../format";
import { bracket } from "../scene/frames";
import type { BodyModes, Clock, Run } from "../types";
import { rangesOf } from "./alone";
import { createStates } from "./coordinates";
import { shadeUnit } from "./legend";

export interface CoordinateBars {
  element: HTMLElement;
  update(): void;
}

/** "rod.mode_1" is shown as "mode_1" beside the body's name. */
export const shortName = (state: string): string => state.slice(state.lastIndexOf(".") + 1);

export function coordinateBars(run: Run, modes: BodyModes, clock: Clock): CoordinateBars {
  const ranges = rangesOf(run, modes);
  const reach = Math.max(0, ...ranges.flatMap(({ min, max }) => [-min, max]).filter(Number.isFinite));
  if (ranges.length === 0 || !Number.isFinite(reach))
    return { element: el("p", { class: "hint" }, "This result has no modal coordinates over time: a run has."), update: () => {} };
  const { unit, factor } = shadeUnit({ quantity: "displacement", low: 0, high: reach });
  const decimals = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(factor * reach || 1)))); // three digits of the largest
  const states = createStates(run);
  const numbers = states.numbersOf(modes.states);
  const percent = (value: number) => (reach > 0 ? 50 + (50 * value) / reach : 50); // of the width
  const between = (a: number, b: number) => `left:${Math.min(a, b)}%;width:${Math.abs(b - a)}%`;
  const bars = modes.states.map(() => el("span", { class: "coordinate-bar" }));
  const values = modes.states.map(() => el("output", { class: "n" }));
  const rows = modes.states.map((state, k) => {
    const { min, max } = ranges[k];
    const range = Number.isFinite(min + max) ? between(percent(min), percent(max)) : "display:none";
    const hz = modes.frequencies[k];
    return el(
      "div",
      { class: "coordinate", title: `${state}: ${short(factor * min, 3)} to ${short(factor * max, 3)} ${unit} over the run` },
      el("bdi", {}, `${shortName(state)}${Number.isFinite(hz) ? `, ${short(hz, 4)} Hz` : ""}`),
      el("span", { class: "coordinate-track" }, el("span", { class: "coordinate-range", style: range }), bars[k]),
      values[k],
    );
  });
  const update = () => {
    const now = bracket(run.frames.time, clock.t);
    numbers.forEach((number, k) => {
      const z = states.at(number, now);
      bars[k].setAttribute("style", between(50, percent(z)));
      bars[k].classList.toggle("negative", z < 0);
      values[k].textContent = `${(factor * z).toFixed(decimals).replace(/^-(?=[0.]*$)/, "").replace("-", "−")} ${unit}`;
    });
  };
  update();
  return { element: el("div", { class: "coordinates" }, ...rows, el("div", { class: "hint" }, `Bars at the present time from −${short(factor * reach, 3)} to ${short(factor * reach, 3)} ${unit}; behind them the range over the run.`)), update };
}
