// The numbers below a panel: statistics of its curves, or weighted values.
import { el, table } from "../dom";
import { short } from "../format";
import type { Choice } from "./choice";
import { lookOf } from "./figure";
import type { Library } from "./library";
import { colour, isDark } from "./palette";
import { type WeightedValues, weightedValues } from "./views";

const number = (value: number): HTMLElement => el("span", { class: "n" }, short(value));

function label(library: Library, name: string, index: number, run: number): HTMLElement {
  const swatch = `background:${colour(lookOf(library, index, run).colour, isDark())}`;
  return el("span", {}, el("span", { class: "swatch", style: swatch }), el("bdi", {}, name));
}

/** A row for each curve of each visible run, with what `numbers` makes of it. */
function rowsOf(library: Library, choice: Choice, numbers: (run: number, name: string) => number[] | null): (Node | string)[][] {
  const several = library.runs.length > 1;
  return choice.curves.flatMap((name, index) =>
    library.visible.flatMap((run) => {
      const found = numbers(run, name);
      if (!found) return [];
      const own = several ? [library.runs[run].label] : [];
      return [[label(library, name, index, run), ...own, library.unit(name, choice.units), ...found.map(number)]];
    }),
  );
}

export function statisticsTable(library: Library, choice: Choice, range: [number, number], zoomed: boolean): HTMLElement[] {
  const own = choice.units ?? [];
  const rows = rowsOf(library, choice, (run, name) => {
    const s = library.statistics(run, name, own, zoomed ? range : null);
    return s && [s.min, s.t_min, s.max, s.t_max, s.mean, s.rms, s.first, s.last];
  });
  const unit = library.runs[0].info.abscissa_unit;
  const at = `at [${unit}]`;
  const head = ["", ...(library.runs.length > 1 ? ["run"] : []), "unit", "min", at, "max", at, "mean", "rms", "first", "last"];
  const thinned = library.runs.some((run) => run.thinned > 1);
  const source = zoomed
    ? `Of the samples between ${short(range[0])} ${unit} and ${short(range[1])} ${unit}${thinned ? " that this page holds" : ""}.`
    : thinned && choice.curves.some((name) => library.isFormula(name))
      ? "Of all samples of the run; of formulas, of those that this page holds."
      : "Of all samples of the run.";
  return [table(head, rows, "stats"), el("div", { class: "panel-note" }, source)];
}

/** Of views that weigh: null for others. */
export function weightedTable(library: Library, choice: Choice, range: [number, number]): HTMLElement[] {
  const values = (run: number, name: string): WeightedValues | null => {
    const samples = library.samples(run, name, choice.units);
    return samples && weightedValues(choice.view, samples, range);
  };
  const rows = rowsOf(library, choice, (run, name) => {
    const found = values(run, name);
    return found && [found.rms, found.largest, found.dose];
  });
  if (rows.length === 0) return [];
  const head = ["", ...(library.runs.length > 1 ? ["run"] : []), "unit", "rms", "largest running rms", "dose [unit·s^0.25]"];
  return [table(head, rows, "stats")];
}
