// The page of a sweep: each measure over a parameter, one curve for each combination of the others.
import { el } from "../dom";
import { short, unitOf } from "../format";
import { type Figure, fit, labelled, type Line } from "../plots/figure";
import { lookAmong } from "../plots/looks";
import type { Clock, Run } from "../types";
import { units } from "../units";
import type { AnalysisPage } from "./analysis_page";
import { card, longTable, versusText } from "./parts";
import { Charts } from "./run_charts";

type Point = Record<string, unknown>;

export interface Sweep {
  axes: string[]; // parameters
  measures: string[];
  units: Record<string, string>;
  points: Point[];
}

/** What `skyhook run --sweep --json` says. Parameters stand before the status of a point, measures are those with a unit behind it. */
export function sweepOf(run: Run): Sweep | null {
  const found = (run.found ?? {}) as { units?: Record<string, string>; points?: Point[] };
  if (!found.units || !Array.isArray(found.points)) return null;
  const columns = Object.keys(found.points[0] ?? {});
  const axes = columns.slice(0, Math.max(0, columns.indexOf("status")));
  const measures = Object.keys(found.units).filter((name) => !axes.includes(name));
  return { axes, measures, units: found.units, points: found.points };
}

const numberOf = (value: unknown): number => (typeof value === "number" ? value : NaN);

/** "k = 20 kN/m, c = 2" of all parameters but one. */
function familyOf({ axes, units: given }: Sweep, point: Point, x: string): string {
  const others = axes.filter((name) => name !== x);
  return others.map((name) => `${name} = ${short(numberOf(point[name]))} ${unitOf(given[name] ?? "")}`.trim()).join(", ");
}

export function sweepFigure(sweeps: Sweep[], measure: string, x: string): Figure {
  const [first] = sweeps;
  const { unit, factor } = units.shown(first.units[measure] ?? "");
  const names = [...new Set(sweeps.flatMap((sweep) => sweep.points.map((point) => familyOf(sweep, point, x))))];
  const lines = sweeps.flatMap((sweep, run) =>
    names.flatMap((name, family): Line[] => {
      const points = sweep.points
        .filter((point) => familyOf(sweep, point, x) === name)
        .map((point) => [numberOf(point[x]), factor * numberOf(point[measure])])
        .filter(([at]) => Number.isFinite(at))
        .sort((a, b) => a[0] - b[0]);
      if (points.length === 0) return [];
      const [xs, ys] = [0, 1].map((k) => Float64Array.from(points, (point) => point[k]));
      return [{ name: name || measure, unit, run, ...lookAmong(family, run, sweeps.length), axis: 0, time: xs, xs, ys, first: 0, last: xs.length, dots: true, still: true }];
    }),
  );
  return fit({
    x: { key: "x", label: labelled(x, unitOf(first.units[x] ?? "")), min: 0, max: 1, log: false },
    ys: [{ key: "y0", label: unit, min: 0, max: 1, log: false }],
    lines,
    overTime: false,
    still: true,
    equal: false,
  });
}

function pointsTable({ axes, measures, units: given, points }: Sweep): HTMLElement {
  const shownOf = (name: string) => (measures.includes(name) ? units.shown(given[name] ?? "") : { unit: unitOf(given[name] ?? ""), factor: 1 });
  const head = [...axes.map((name) => labelled(name, shownOf(name).unit)), "status", ...measures.map((name) => labelled(name, shownOf(name).unit))];
  const cell = (point: Point, name: string) => el("span", { class: "n" }, short(numberOf(point[name]) * shownOf(name).factor, 6));
  const reason = (point: Point) => [point.status, point.reason].filter((text) => typeof text === "string" && text !== "").join(": ");
  const rows = points.map((point) => [...axes.map((name) => cell(point, name)), reason(point), ...measures.map((name) => cell(point, name))]);
  return longTable(head, rows);
}

export function sweepPage(runs: Run[], clock: Clock): AnalysisPage | null {
  const sweeps = runs.flatMap((run) => sweepOf(run) ?? []);
  if (sweeps.length === 0 || sweeps[0].axes.length === 0) return null;
  const [first] = sweeps;
  const cards = el("div", { class: "chart-cards sweep" });
  const points = el("div");
  let charts = new Charts(clock);
  const valuesOf = (name: string) => new Set(first.points.map((point) => point[name])).size;
  let x = [...first.axes].sort((a, b) => valuesOf(b) - valuesOf(a))[0]; // that with most values
  const draw = () => {
    charts.dispose();
    charts = new Charts(clock);
    cards.replaceChildren(...first.measures.map((measure) => card(measure, charts.add(() => sweepFigure(sweeps, measure, x)))));
    points.replaceChildren(card(`Points (${first.points.length})`, pointsTable(first)));
  };
  const select = el(
    "select",
    { class: "sweep-x", "aria-label": "Parameter of the x axis", title: "Parameter of the x axis" },
    ...first.axes.map((name) => el("option", { value: name, selected: name === x }, `over ${name}`)),
  );
  select.addEventListener("change", () => {
    x = select.value;
    draw();
  });
  draw();
  const hint = first.measures.length === 0 ? "Nothing was measured: --measure \"max(channel)\" says what." : sweeps.length > 1 ? versusText(runs) : "";
  const head = el("div", { class: "response-head" }, el("span", {}, `${first.points.length} points`), select, el("span", { class: "hint" }, hint));
  return { tab: "Sweep", element: el("div", { class: "page" }, head, cards, points), rebuild: draw };
}
