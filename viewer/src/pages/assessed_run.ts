// What the experiment of a run evaluates, where that has curves: bars of how near its limits are, curves over the distance with the limits drawn in and the sections of the track, then all numbers.
import { count } from "../curve";
import { el } from "../dom";
import { short, unitOf } from "../format";
import { type Figure, fit, labelled, type Line } from "../plots/figure";
import { looksOf } from "../plots/looks";
import type { Clock, Run } from "../types";
import { units } from "../units";
import type { AnalysisPage } from "./analysis_page";
import { foundPage } from "./found_page";
import { card } from "./parts";
import { Charts, limitLook } from "./run_charts";

const engineering = ["kN"];

interface Curves {
  abscissa: string;
  unit: string;
  x: number[];
  lines: { name: string; unit: string; y: (number | null)[] }[];
}
interface Evaluated {
  name: string;
  numbers: { number: string; value: number; unit: string; meaning: string }[];
  sections?: { zone: string; from: number; to: number }[];
  curves: Curves;
}

export const isLimit = (name: string): boolean => name.endsWith(".limit") || name.endsWith(".lower_limit");
export const kindOf = (name: string): string => name.split(".")[0];

export const titles: Record<string, string> = {
  yq: "Y/Q, sliding mean",
  sum_y: "Sum of Y, sliding mean",
  q: "Wheel force Q, filtered",
  y: "Guiding force Y, filtered",
  unloading: "Unloading of wheels, dQ/Q0",
  lateral: "Lateral acceleration of the body",
  vertical: "Vertical acceleration of the body",
  bogie: "Lateral acceleration of the bogie",
  wear: "Wear number",
  instability: "Instability: rms of the sum of Y",
  instability_bogie: "Instability: rms of the acceleration of the bogie",
  path: "Path between the borders of its lanes",
};

export function evaluatedOf(run: Run): Evaluated[] {
  const found = Object.values((run.found ?? {}) as Record<string, Partial<Evaluated>>);
  return found.filter((each) => Array.isArray(each?.curves?.x) && each.curves.x.length > 1 && Array.isArray(each.numbers)) as Evaluated[];
}

/** When a run was at these places, by the way of a wheel along its track; NaN where it never was. */
export function timesAt(run: Run, places: number[]): Float64Array | null {
  const way = run.channels.find(({ name }) => name.endsWith(".along"));
  if (!way) return null;
  const [s, t] = [Float64Array.from(way.values), run.times[way.time]];
  return Float64Array.from(places, (place) => {
    const k = count(s, place);
    if (k === 0 || k === s.length) return place === s[0] ? t[0] : NaN;
    return t[k - 1] + ((place - s[k - 1]) / (s[k] - s[k - 1])) * (t[k] - t[k - 1]);
  });
}

/** All curves of one kind; the borders of sections are thin lines. */
export function kindFigure(run: Run, { curves, sections }: Evaluated, kind: string): Figure {
  const xs = Float64Array.from(curves.x);
  const time = curves.unit === "m" ? timesAt(run, curves.x) : null;
  const tailOf = (name: string) => name.slice(kind.length + 1) || name;
  const own = curves.lines.filter(({ name }) => kindOf(name) === kind);
  const shown = units.shown(own[0].unit, engineering);
  const looks = looksOf(own.map(({ name }) => tailOf(name)).filter((name) => !isLimit(`.${name}`)));
  const lines = own.map(({ name, y }): Line => ({
    name: tailOf(name),
    unit: shown.unit,
    run: 0,
    ...(looks.get(tailOf(name)) ?? limitLook),
    still: isLimit(name),
    axis: 0,
    time: time ?? xs,
    xs,
    ys: Float64Array.from(y, (value) => (value === null ? NaN : value * shown.factor)),
    first: 0,
    last: xs.length,
  }));
  return fit({
    x: { key: "x", label: labelled(curves.abscissa, unitOf(curves.unit)), min: xs[0], max: xs[xs.length - 1], log: false },
    ys: [{ key: "y0", label: shown.unit, min: 0, max: 1, log: false }],
    lines,
    overTime: false,
    still: time === null,
    equal: false,
    events: (sections ?? []).map(({ from }) => from).filter((place) => place > xs[0]),
  });
}

interface Bar {
  text: string;
  value: number;
  unit: string;
  limit: number; // NaN: none
  guide?: boolean; // no limit of a standard, but what is usually asked for
}

/** The numbers a reader looks for first. */
export function barsOf({ numbers, curves }: Evaluated): Bar[] {
  const limitOf = (kind: string) => curves.lines.find(({ name }) => name === `${kind}.limit`)?.y[0] ?? NaN;
  const wanted: [RegExp, string, number, boolean?][] = [
    [/(^|\.)worst\.yq$/, "Y/Q, largest 2 m mean", limitOf("yq")],
    [/(^|\.)worst\.sum_y$/, "sum of Y, 99.85 %", limitOf("sum_y")],
    [/(^|\.)worst\.unloading$/, "unloading dQ/Q0", limitOf("unloading")],
    [/(^|\.)lateral\.ride\.rms$/, "lateral ride, rms", NaN],
    [/(^|\.)lateral\.Wz$/, "Wz lateral", 3, true],
    [/(^|\.)vertical\.Wz$/, "Wz vertical", 3, true],
    [/(^|\.)N_MV$/, "comfort N_MV", 3.5, true],
  ];
  return wanted.flatMap(([pattern, text, limit, guide = false]) => {
    const found = numbers.find(({ number }) => pattern.test(number));
    return found ? [{ text, value: Math.abs(found.value), unit: found.unit, limit, guide }] : [];
  });
}

function barRow({ text, value, unit, limit, guide }: Bar): HTMLElement[] {
  const shown = units.shown(unit, engineering);
  const part = value / limit;
  const level = part > 1 ? "bad" : part > 0.8 ? "warn" : "good";
  const tell = (x: number) => `${short(x * shown.factor, 3)} ${unitOf(shown.unit)}`.trim();
  const bar = Number.isFinite(part) ? el("span", { class: "limit-bar" }, el("span", { class: `limit-part ${level}`, style: `width:${Math.min(100, 80 * part)}%` })) : el("span");
  return [el("span", {}, text), el("b", {}, tell(value)), bar, el("span", { class: "hint" }, Number.isFinite(limit) ? `${guide ? "guide value" : "limit"} ${tell(limit)}` : "")];
}

export function assessedRunPage(runs: Run[], clock: Clock): AnalysisPage | null {
  const facts = foundPage(runs);
  const run = runs[0];
  const evaluated = evaluatedOf(run);
  if (!facts || evaluated.length === 0) return null;
  const charts = new Charts(clock);
  const summaries: { bars: Bar[]; host: HTMLElement }[] = [];
  const parts = evaluated.flatMap((one) => {
    const bars = barsOf(one);
    const host = el("div", { class: "limit-bars" }, ...bars.flatMap(barRow));
    summaries.push({ bars, host });
    const kinds = [...new Set(one.curves.lines.map(({ name }) => kindOf(name)))];
    const drawn = kinds.map((kind) => card(titles[kind] ?? kind, charts.add(() => kindFigure(run, one, kind))));
    return [...(bars.length > 0 ? [card(`Ride and safety: ${one.name}`, host)] : []), el("div", { class: "chart-cards" }, ...drawn)];
  });
  const rebuild = () => {
    charts.rebuild();
    for (const { bars, host } of summaries) host.replaceChildren(...bars.flatMap(barRow));
  };
  return { tab: "Evaluation", element: el("div", { class: "page" }, ...parts, facts.element), rebuild };
}
