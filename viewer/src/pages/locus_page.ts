// The page of a root locus: branches in the complex plane, coloured by the parameter, and over it; where one begins to grow.
import { extent } from "../curve";
import { el, table } from "../dom";
import { short, unitOf } from "../format";
import { abscissaOf, type Figure, figureOf, fit, labelled, type Line } from "../plots/figure";
import { Library } from "../plots/library";
import { isDark, shaded } from "../plots/palette";
import type { Clock, Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { card } from "./parts";
import { Charts } from "./run_charts";

interface Found {
  branches?: { name?: string }[];
  crossings?: { value?: number; frequency_hz?: number; name?: string; grows?: boolean }[];
}
const foundOf = (run: Run): Found => (run.found ?? {}) as Found;

/** "branch2" as "2: chassis". */
function label(run: Run, branch: string): string {
  const number = Number(branch.replace("branch", ""));
  const name = foundOf(run).branches?.[number - 1]?.name ?? "";
  return name === "" ? `${number}` : `${number}: ${name}`;
}

function branchesOf(library: Library): string[] {
  return library.names.filter((name) => /^branch\d+\.real$/.test(name)).map((name) => name.replace(".real", ""));
}

/** All runs share the scale of colours. */
function rangeOf(runs: Run[]): [number, number] {
  const ends = runs.flatMap((run) => run.times.flatMap((time) => extent(time)));
  return [Math.min(...ends), Math.max(...ends)];
}

export function planeFigure(library: Library): Figure {
  const [low, high] = rangeOf(library.runs);
  const lines = branchesOf(library).flatMap((branch, colour) =>
    library.runs.flatMap((run, index): Line[] => {
      const real = library.samples(index, `${branch}.real`);
      const imag = library.samples(index, `${branch}.imag`);
      if (!real || !imag) return [];
      const { time } = real;
      const shade = Float64Array.from(time, (t) => (high > low ? (t - low) / (high - low) : 0));
      const own = { time, xs: real.values, ys: imag.values, first: 0, last: time.length, shade };
      return [{ name: label(run, branch), unit: "1/s", run: index, colour, axis: 0, ...own }];
    }),
  );
  const marks = (foundOf(library.runs[0]).crossings ?? []).map(({ value, frequency_hz }) => ({
    x: 0,
    y: 2 * Math.PI * (frequency_hz ?? NaN),
    label: short(value, 9),
  }));
  return fit({
    x: { key: "x", label: "real [1/s]", min: 0, max: 1, log: false },
    ys: [{ key: "y0", label: "imag [1/s]", min: 0, max: 1, log: false }],
    lines,
    overTime: false,
    labelT: abscissaOf(library.runs[0]),
    equal: false,
    marks,
    events: [0], // left of it motions decay
  });
}

function overParameter(library: Library, quantity: string, clock: Clock): Figure {
  const curves = branchesOf(library).map((branch) => `${branch}.${quantity}`);
  const figure = figureOf(library, { curves, x: null, stats: false }, [clock.begin, clock.end]);
  for (const line of figure.lines) line.name = label(library.runs[line.run], line.name.replace(`.${quantity}`, ""));
  return figure;
}

function scaleOfColours(runs: Run[]): HTMLElement {
  const [low, high] = rangeOf(runs);
  const colours = [0, 0.25, 0.5, 0.75, 1].map((part) => shaded(part, isDark())).join(", ");
  const unit = unitOf(runs[0].info.abscissa_unit);
  return el(
    "div",
    { class: "colour-scale" },
    el("bdi", {}, labelled(runs[0].info.abscissa, unit)),
    el("span", { class: "n" }, short(low)),
    el("span", { class: "colours", style: `background:linear-gradient(to right, ${colours})` }),
    el("span", { class: "n" }, short(high)),
  );
}

function crossings(run: Run): HTMLElement[] {
  const list = foundOf(run).crossings ?? [];
  if (list.length === 0) return [];
  const head = [labelled(run.info.abscissa, unitOf(run.info.abscissa_unit)), "frequency [Hz]", "mode", "as it rises"];
  const rows = list.map(({ value, frequency_hz, name, grows }) => [
    el("span", { class: "n" }, short(value, 9)),
    el("span", { class: "n" }, short(frequency_hz, 6)),
    name ?? "",
    grows ? "begins to grow" : "begins to decay",
  ]);
  return [card("Crossings of the imaginary axis", table(head, rows))];
}

export function locusPage(runs: Run[], clock: Clock): AnalysisPage {
  const charts = new Charts(clock);
  const library = new Library(runs);
  const colours = el("div", {}, scaleOfColours(runs));
  const hint = "To the left of the dashed line motions decay. Large dots: at the value that the time line stands at.";
  const plane = el("div", { class: "tall" }, charts.add(() => planeFigure(library)));
  const element = el(
    "div",
    { class: "page" },
    ...(runs.length > 1 ? [el("div", { class: "hint" }, `Dashed, small dots: ${runs[1].label}.`)] : []),
    card("Root locus", el("div", { class: "hint" }, hint), colours, plane),
    ...crossings(runs[0]),
    el(
      "div",
      { class: "chart-cards" },
      card("Frequency", charts.add(() => overParameter(library, "frequency", clock))),
      card("Damping", charts.add(() => overParameter(library, "damping", clock))),
    ),
  );
  return {
    tab: "Root locus",
    element,
    rebuild: () => {
      colours.replaceChildren(scaleOfColours(runs));
      charts.rebuild();
    },
  };
}
