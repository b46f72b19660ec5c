// The page of limit cycles: their amplitudes over the parameter, unstable ones dashed, what a ramp has found as dots; critical values and all cycles.
import { el, table } from "../dom";
import { short, unitOf } from "../format";
import { type Figure, figureOf, fit, labelled } from "../plots/figure";
import { Library } from "../plots/library";
import type { Clock, Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { card } from "./parts";
import { Charts } from "./run_charts";

interface Cycle {
  value?: number;
  amplitude?: number;
  period_s?: number;
  stable?: boolean;
  fold?: boolean;
  multipliers?: [number, number][];
}
interface Found {
  parameter?: string;
  unit?: string;
  output?: string;
  output_unit?: string;
  linear?: number;
  nonlinear?: number;
  verdicts?: string[];
  cycles?: Cycle[];
}
const foundOf = (run: Run): Found => (run.found ?? {}) as Found;

export function cyclesFigure(library: Library, names: string[], clock: Clock): Figure {
  const found = foundOf(library.runs[0]);
  const figure = figureOf(library, { curves: names, x: found.parameter ?? null, stats: false }, [clock.begin, clock.end]);
  for (const line of figure.lines) {
    if (line.name === "stable" || line.name === "unstable") line.colour = line.run;
    line.dash = line.name === "unstable" ? 1 : 0;
    if (line.name === "ramp") line.dots = true;
  }
  figure.events = [found.linear, found.nonlinear].filter((x): x is number => typeof x === "number");
  return fit(figure);
}

const sizeOf = (cycle: Cycle): number => Math.max(0, ...(cycle.multipliers ?? []).map(([re, im]) => Math.hypot(re, im)));

function cyclesTable(found: Found): HTMLElement {
  const unit = unitOf(found.output_unit ?? "");
  const head = [labelled(found.parameter ?? "", unitOf(found.unit ?? "")), labelled("amplitude", unit), "frequency [Hz]", "largest multiplier", "cycle"];
  const number = (x: number | undefined, digits = 6) => el("span", { class: "n" }, short(x, digits));
  const rows = (found.cycles ?? []).map((cycle) => [
    number(cycle.value, 7),
    number(cycle.amplitude),
    number(1 / (cycle.period_s ?? NaN)),
    number(sizeOf(cycle), 5),
    cycle.fold ? "fold" : cycle.stable ? "stable" : "unstable",
  ]);
  return table(head, rows);
}

export function cyclesPage(runs: Run[], clock: Clock): AnalysisPage {
  const charts = new Charts(clock);
  const library = new Library(runs);
  const found = foundOf(runs[0]);
  const hint = `Amplitude of ${found.output ?? "the output"}: half its range. Solid: stable; dashed: unstable; dots: a ramp. Vertical lines: linear and nonlinear critical value.`;
  const element = el(
    "div",
    { class: "page" },
    card("Critical values", ...(found.verdicts ?? []).map((line) => el("div", {}, line))),
    card("Limit cycles", el("div", { class: "hint" }, hint), el("div", { class: "tall" }, charts.add(() => cyclesFigure(library, ["stable", "unstable", "ramp"], clock)))),
    el(
      "div",
      { class: "chart-cards" },
      card("Frequency", charts.add(() => cyclesFigure(library, ["frequency"], clock))),
      card("Largest multiplier", el("div", { class: "hint" }, "Below 1 a cycle is stable."), charts.add(() => cyclesFigure(library, ["multiplier"], clock))),
    ),
    card("Cycles", cyclesTable(found)),
  );
  return { tab: "Limit cycles", element, rebuild: () => charts.rebuild() };
}
