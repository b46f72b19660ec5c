// The page of a frequency response: gain, phase, coherence and densities of its outputs, and what is random in them.
import { el, table } from "../dom";
import { short, unitOf } from "../format";
import { type Figure, figureOf, fit, lookOf } from "../plots/figure";
import { Library } from "../plots/library";
import type { Clock, Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { card, versusText } from "./parts";
import { Charts } from "./run_charts";

const kinds: [string, string, string, boolean][] = [
  ["gain", "Gain", "Amplitude of the output for one of the input.", true],
  ["phase", "Phase", "Negative where the output lags.", false],
  ["density", "Spectral density", "Of the output, one-sided; its area is the square of the rms.", true],
  ["coherence", "Coherence", "1: all of the output is a linear answer to the input.", false],
];

const inDegrees = ["deg"];

interface Found {
  input?: string;
  random?: Record<string, unknown>[];
}
const foundOf = (run: Run): Found => (run.found ?? {}) as Found;

/** Of the channels OUTPUT.kind, a figure for each of their units. */
export function responseFigures(library: Library, kind: string, outputs: string[], log: boolean, range: [number, number]): Figure[] {
  const names = outputs.map((output) => `${output}.${kind}`).filter((name) => library.has(name));
  const units = [...new Set(names.map((name) => library.unit(name, inDegrees)))];
  return units.map((unit) => {
    const curves = names.filter((name) => library.unit(name, inDegrees) === unit);
    const figure = figureOf(library, { curves, x: null, units: inDegrees, stats: false }, range);
    figure.x.log = range[0] > 0;
    for (const axis of figure.ys) axis.log = log;
    for (const line of figure.lines) {
      line.name = line.name.slice(0, -kind.length - 1);
      Object.assign(line, lookOf(library, outputs.indexOf(line.name), line.run)); // the same in all figures
    }
    return fit(figure);
  });
}

function randomTable(runs: Run[]): HTMLElement[] {
  const rows = runs.flatMap((run) =>
    (foundOf(run).random ?? []).map((row) => [
      ...(runs.length > 1 ? [run.label] : []),
      ...Object.values(row).map((value) =>
        typeof value === "number" ? el("span", { class: "n" }, short(value, 6)) : unitOf(String(value ?? "–")),
      ),
    ]),
  );
  if (rows.length === 0) return [];
  const first = runs.flatMap((run) => foundOf(run).random ?? [])[0];
  const head = Object.keys(first).map((name) => (name === "crossings" ? "crossings of zero [1/s]" : name));
  return [card("Random vibration", table([...(runs.length > 1 ? ["result"] : []), ...head], rows))];
}

export function responsePage(runs: Run[], clock: Clock): AnalysisPage {
  const library = new Library(runs);
  const outputs = library.names.filter((name) => name.endsWith(".gain")).map((name) => name.slice(0, -5));
  const cards = el("div", { class: "chart-cards" });
  let charts = new Charts(clock);
  let shown = outputs;
  const draw = (wanted: string[]) => {
    shown = wanted;
    charts.dispose();
    charts = new Charts(clock);
    const drawn = kinds.flatMap(([kind, title, hint, log]) =>
      responseFigures(library, kind, outputs.filter((name) => wanted.includes(name)), log, [clock.begin, clock.end]).map(
        (figure) => card(title, el("div", { class: "hint" }, hint), charts.add(() => figure)),
      ),
    );
    cards.replaceChildren(...drawn);
  };
  const select = el(
    "select",
    { class: "output-select", "aria-label": "Output", title: "Output" },
    el("option", { value: -1 }, "all outputs"),
    ...outputs.map((name, i) => el("option", { value: i }, name)),
  );
  select.addEventListener("change", () => draw(Number(select.value) < 0 ? outputs : [outputs[Number(select.value)]]));
  draw(outputs);
  const input = foundOf(runs[0]).input ?? "the input";
  const element = el(
    "div",
    { class: "page" },
    el(
      "div",
      { class: "response-head" },
      el("span", {}, "Response to ", el("b", {}, input)),
      select,
      runs.length > 1 && el("span", { class: "hint" }, versusText(runs)),
    ),
    ...randomTable(runs),
    cards,
  );
  return { tab: "Response", element, rebuild: () => draw(shown) };
}
