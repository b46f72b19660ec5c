// The runs of a report: what they look like, and switches for each.
import { el } from "../dom";
import { lookOf } from "./figure";
import type { Library } from "./library";
import { colour, inkOf, isDark } from "./palette";

export interface RunActions {
  show(run: number, on: boolean): void;
  colour(byRun: boolean): void;
}

function sample(library: Library, run: number): HTMLElement {
  const { colour: index, dash } = lookOf(library, 0, run);
  const ink = library.colourByRun ? colour(index, isDark()) : "currentColor";
  return el("span", { class: "swatch wide", style: inkOf(ink, library.colourByRun ? 0 : dash) });
}

export function runLegend(library: Library, actions: RunActions): HTMLElement[] {
  const runs = library.runs.map((run, index) => {
    const input = el("input", { type: "checkbox", checked: library.shown[index], "data-run": index });
    input.addEventListener("change", () => actions.show(index, input.checked));
    const label = run.label || `run ${index + 1}`;
    return el("label", { class: "run-chip", title: `${label} (${run.file})` }, input, sample(library, index), el("bdi", {}, label));
  });
  const title = "Colours tell runs and dashes curves, or the other way round";
  const swap = el(
    "button",
    { class: library.colourByRun ? "tool on" : "tool", title, "aria-pressed": String(library.colourByRun), onclick: () => actions.colour(!library.colourByRun) },
    "colour by run",
  );
  return [...runs, swap];
}
