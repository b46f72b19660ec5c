// Charts of a run over its time that share zoom and time.
import { around, extent } from "../curve";
import { el } from "../dom";
import { Chart } from "../plots/chart";
import { type Figure, fit, figureOf, type Line } from "../plots/figure";
import { Library } from "../plots/library";
import { type Key, keysOf, type Look } from "../plots/looks";
import { colour, inkOf, isDark, swatchClass, textColour } from "../plots/palette";
import type { Clock, Run } from "../types";

export const limitLook: Look = { colour: textColour, dash: 1 };

interface Shown {
  chart: Chart;
  make: () => Figure;
  figure: Figure;
  legend: HTMLElement;
  whole: [number, number];
  hidden: Set<string>; // keys of the legend that are switched off
}

export class Charts {
  private readonly list: Shown[] = [];
  private hovered: number | null = null;
  private range: [number, number] | null = null;

  constructor(private readonly clock: Clock) {
    clock.onChange(() => this.mark());
  }

  /** `make` is asked again when units or colours have changed. */
  add(make: () => Figure): HTMLElement {
    const figure = make();
    const host = el("div", { class: "chart" });
    const legend = el("div", { class: "legend plain" });
    const chart = new Chart(host, {
      setTime: (t) => this.clock.set(t),
      hover: (t) => {
        this.hovered = t;
        this.mark();
      },
      zoom: (range) => {
        this.range = range;
        this.draw();
      },
    });
    const whole: [number, number] = [Math.min(figure.x.min, this.clock.begin), Math.max(figure.x.max, this.clock.end)];
    this.list.push({ chart, make, figure, legend, whole, hidden: new Set() });
    this.draw();
    return el("div", { class: "run-chart" }, legend, host);
  }

  rebuild(): void {
    for (const each of this.list) each.figure = each.make();
    this.draw();
  }

  private draw(): void {
    for (const shown of this.list) {
      const { chart, figure, whole } = shown;
      const range = this.range ?? whole;
      figure.x.min = Math.max(whole[0], range[0]);
      figure.x.max = Math.min(whole[1], range[1]);
      if (!(figure.x.max > figure.x.min)) [figure.x.min, figure.x.max] = whole;
      const overWay = !figure.overTime && !figure.still; // it shows all of the run
      for (const line of figure.lines) if (!overWay) [line.first, line.last] = around(line.time, figure.x.min, figure.x.max);
      const keys = legendOf(figure);
      const off = keys.filter(({ text }) => shown.hidden.has(text));
      const lines = figure.lines.filter(({ name }) => !off.some(({ names }) => names.has(name)));
      chart.show(fit({ ...figure, lines }));
      shown.legend.replaceChildren(...keys.map((key) => this.chip(key, shown)));
    }
    this.mark();
  }

  /** Switches what the key stands for. */
  private chip({ text, colour: hue, dash = 0 }: Key, { hidden }: Shown): HTMLElement {
    const off = hidden.has(text);
    const flip = () => {
      if (!hidden.delete(text)) hidden.add(text);
      this.draw();
    };
    const style = inkOf(hue === undefined ? "currentColor" : colour(hue, isDark()), dash);
    const title = `${text}: ${off ? "show" : "hide"}`;
    const name = el("span", { class: "chip-name" }, el("bdi", {}, text));
    return el("button", { class: off ? "chip switch off" : "chip switch", title, "aria-pressed": String(!off), onclick: flip }, el("span", { class: swatchClass(dash), style }), name);
  }

  /** To be called when it is taken off the page. */
  dispose(): void {
    this.list.forEach(({ chart }) => chart.dispose());
    this.list.length = 0;
  }

  private mark(): void {
    for (const { chart } of this.list) chart.mark({ t: this.clock.t, hover: this.hovered });
  }
}

/** Limits last; of two runs each curve once. */
export function legendOf({ lines }: Figure): Key[] {
  const looks = (limits: boolean) => {
    const found = new Map<string, Look>();
    for (const { name, colour: hue, dash = 0 } of lines) {
      if (!found.has(name) && limits === (hue === textColour)) found.set(name, { colour: hue, dash });
    }
    return found;
  };
  return [...keysOf(looks(false)), ...keysOf(looks(true))];
}

function timeFigure(
  label: string,
  log: boolean,
  time: Float64Array,
  curves: { name: string; ys: ArrayLike<number>; steps?: boolean }[],
): Figure | null {
  const [begin, end] = extent(time);
  if (!(begin < end)) return null;
  const lines = curves
    .filter(({ ys }) => extent(ys, 0, ys.length, log)[0] !== Infinity)
    .map(
      ({ name, ys, steps }, i): Line => ({
        name,
        unit: label,
        run: 0,
        colour: i,
        axis: 0,
        time,
        xs: time,
        ys,
        first: 0,
        last: time.length,
        steps,
      }),
    );
  if (lines.length === 0) return null;
  return fit({
    x: { key: "x", label: "time [s]", min: begin, max: end, log: false },
    ys: [{ key: "y0", label, min: 0, max: 1, log }],
    lines,
    overTime: true,
    equal: false,
  });
}

export function stepFigure({ steps }: Run): Figure | null {
  return timeFigure("s", true, steps.t, [{ name: "step size", ys: steps.h, steps: true }]);
}

export function orderFigure({ steps }: Run): Figure | null {
  return timeFigure("", false, steps.t, [{ name: "order", ys: steps.order, steps: true }]);
}

export function driftFigure({ drift }: Run): Figure | null {
  return timeFigure("", true, drift.time, [
    { name: "position", ys: drift.position },
    { name: "velocity", ys: drift.velocity },
  ]);
}

/** Of the channels whose name speaks of energy; those of elements only where there are few. */
export function energyFigure(run: Run): Figure | null {
  const named = run.channels.filter((channel) => /energy/i.test(channel.name)).map((channel) => channel.name);
  const curves = named.slice(0, 6);
  if (curves.length === 0) return null;
  const times = run.times.filter((time) => time.length > 0);
  const range: [number, number] = [
    Math.min(...times.map((time) => time[0])),
    Math.max(...times.map((time) => time[time.length - 1])),
  ];
  if (!(range[0] < range[1])) return null;
  return figureOf(new Library([run]), { curves, x: null, stats: false }, range);
}
