// The page of the run: what it cost, what limited its step, how well it kept constraints and energy, its events.
import { warningsOf } from "../data";
import { el } from "../dom";
import { integer, short } from "../format";
import type { Clock, Run } from "../types";
import { abscissaOf, type Figure } from "../plots/figure";
import { Charts, driftFigure, energyFigure, orderFigure, stepFigure } from "./run_charts";
import { card, facts, longTable } from "./parts";

export interface RunPage {
  element: HTMLElement;
  rebuild(): void; // in other colours
}

export function runPage(runs: Run[], clock: Clock, jump: (t: number) => void): RunPage {
  const charts = new Charts(clock);
  const element = el("div", { class: "page" });
  runs.forEach((run, i) => {
    if (runs.length > 1) element.append(el("h1", {}, run.label || `run ${i + 1}`));
    element.append(...partsOf(run, charts, i === 0 ? jump : null));
  });
  return { element, rebuild: () => charts.rebuild() };
}

function partsOf(run: Run, charts: Charts, jump: ((t: number) => void) | null): HTMLElement[] {
  const left = el("div", { class: "stacked" }, card("Run", runFacts(run)), card("Solver", solverFacts(run)));
  const warned = warningsOf(run);
  const parts: HTMLElement[] = warned.length > 0 ? [card(`Warnings (${warned.length})`, warnings(warned, run))] : [];
  parts.push(el("div", { class: "halves" }, left, card("Cost", cost(run))));
  const figures: [string, string, (of: Run) => Figure | null][] = [
    ["Step size", "Size of each step, on a logarithmic scale.", stepFigure],
    ["Order", "Order of the method in each step.", orderFigure],
    ["Constraint drift", "Largest residuals of the constraints.", driftFigure],
    ["Energy", "Channels of energy that were recorded.", energyFigure],
  ];
  const drawn = figures.flatMap(([title, text, make]) =>
    make(run) ? [card(title, el("div", { class: "hint" }, text), charts.add(() => make(run) as Figure))] : [],
  );
  if (drawn.length > 0) parts.push(el("div", { class: "chart-cards" }, ...drawn));
  if (run.limits.length > 0) parts.push(card("What limited the step", limits(run)));
  const others = run.events.filter((event) => event.kind !== "warning");
  parts.push(card(`Events (${others.length})`, events(others, run, jump)));
  return parts;
}

const seconds = (value: number): string => (Number.isFinite(value) ? `${short(value, 4)} s` : "–");

function runFacts({ info, file, thinned }: Run): HTMLElement {
  const rows: [string, string][] = [
    ["experiment", info.experiment],
    ["status", info.status + (info.reason !== "" ? `: ${info.reason}` : "")],
    [
      info.abscissa,
      `${short(info.t_start)} ${info.abscissa_unit} to ${short(info.t_end)} ${info.abscissa_unit}, ` +
        `reached ${short(info.t_reached)} ${info.abscissa_unit}`,
    ],
    ["samples", integer(info.samples) + (thinned > 1 ? `, here about one of ${Math.round(thinned)}` : "")],
    ["result", file],
    ["created", info.created],
    ["Skyhook", info.skyhook_version],
  ];
  return facts(rows);
}

function solverFacts({ info }: Run): HTMLElement {
  return facts([
    ["formulation", info.formulation],
    ["solver", info.solver],
    ["Jacobian", info.jacobian],
    ["tolerance", short(info.tolerance)],
    ["position residual", short(info.position_residual, 3)],
    ["velocity residual", short(info.velocity_residual, 3)],
    ["energy closure", short(info.energy_closure, 3)],
  ]);
}

/** The program's own table tells most; an older result has none. */
function cost({ info, cost: counts }: Run): HTMLElement {
  const rows = counts.map(([name, value]): [string, string] => [
    name,
    Number.isInteger(value) ? integer(value) : short(value),
  ]);
  if (!counts.some(([name]) => /time/.test(name))) {
    rows.unshift(
      ["time of the run", seconds(info.seconds)],
      ["time in the integrator", seconds(info.integrator_seconds)],
    );
  }
  const simulated = info.t_reached - info.t_start;
  if (info.seconds > 0 && simulated > 0)
    rows.push(["simulated time / time of the run", short(simulated / info.seconds, 3)]);
  return facts(rows);
}

function limits(run: Run): HTMLElement {
  const total = run.limits.reduce((sum, each) => sum + each.steps, 0);
  const bar = (share: number) => el("span", { class: "bar", style: `width:${Math.round(share * 120)}px` });
  const rows = run.limits.map(({ state, element, steps }) => [
    state,
    element,
    el("span", { class: "n" }, integer(steps)),
    el("span", {}, bar(steps / total), ` ${Math.round((100 * steps) / total)} %`),
  ]);
  return longTable(["state", "element", "steps", "share"], rows);
}

/** In full: a warning that is cut off is none. */
function warnings(list: Run["events"], { info }: Run): HTMLElement {
  const at = (t: number) => (info.analysis === "simulate" ? ` at ${short(t)} s` : "");
  const item = (event: Run["events"][number]) =>
    el("li", {}, el("bdi", {}, event.detail), " ", el("span", { class: "unit" }, `[${event.name}]${at(event.t)}`));
  return el("ul", { class: "warnings" }, ...list.map(item));
}

function events(list: Run["events"], run: Run, jump: ((t: number) => void) | null): HTMLElement {
  if (list.length === 0) return el("p", { class: "empty" }, "There were no events.");
  const rows = list.map((event) => [
    el("span", { class: "n" }, short(event.t, 10)),
    event.name,
    event.element === event.name ? "" : event.element,
    event.detail,
    jump
      ? el("button", { class: "tool jump", title: "Show this time in the scene", onclick: () => jump(event.t) }, "Jump")
      : "",
  ]);
  return longTable([abscissaOf(run), "event", "element", "what changed", ""], rows);
}
