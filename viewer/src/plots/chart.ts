// A figure on the screen. uPlot lays out axes and grid; the curves are drawn here, since each has times of its own,
// gaps and jumps. Lines for the present time and the pointer are elements above it, so playing redraws nothing.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { el } from "../dom";
import type { Axis, Figure, Line } from "./figure";
import { equalise, fit, place, type Place, trace } from "./figure";
import { colour, dashes, isDark, shaded } from "./palette";
import { Pointer, type PointerActions } from "./pointer";
import { labelsOf, marksOf } from "./ticks";

export interface Marks {
  t: number;
  hover: number | null; // time under the pointer
}

export class Chart {
  private plot: uPlot | null = null;
  private figure: Figure | null = null;
  private shape = ""; // what the axes of the plot were made for
  private marks: Marks = { t: NaN, hover: null };
  private readonly now = el("div", { class: "chart-now" });
  private readonly hover = el("div", { class: "chart-hover" });
  private readonly dots = el("div", { class: "chart-dots" });

  private readonly observer = new ResizeObserver(() => this.resize());

  constructor(
    private readonly host: HTMLElement,
    private readonly actions: PointerActions,
  ) {
    this.observer.observe(host);
  }

  /** To be called when it is taken off the page: uPlot listens to the window. */
  dispose(): void {
    this.observer.disconnect();
    this.plot?.destroy(); // which may still ask for its limits: the figure stays
    this.plot = null;
  }

  show(figure: Figure): void {
    this.figure = figure;
    const shape = JSON.stringify([figure.x.label, figure.x.log, figure.ys.map((axis) => [axis.label, axis.log]), isDark()]);
    if (this.plot && shape === this.shape) {
      this.plot.setData(data(figure));
    } else {
      this.shape = shape;
      this.make();
    }
    this.equalise();
    this.mark(this.marks);
  }

  /** Needs the size of the plotting area, which uPlot finds from the labels. */
  private equalise(): void {
    const { plot, figure } = this;
    if (!plot || !figure?.equal || !(plot.bbox.width > 0)) return;
    const { width, height } = plot.bbox;
    equalise(fit(figure), width, height);
    plot.setData(data(figure));
  }

  private make(): void {
    this.plot?.destroy();
    this.plot = null;
    const figure = this.figure;
    const { clientWidth, clientHeight } = this.host;
    if (!figure || clientWidth < 20 || clientHeight < 20) return; // hidden: made when it is shown
    this.plot = new uPlot(this.options(figure, clientWidth, clientHeight), data(figure), this.host);
    this.plot.over.append(this.hover, this.now, this.dots);
    new Pointer(this.plot, this.actions, () => (this.figure?.overTime ? this.marks.t : null));
  }

  private options(figure: Figure, width: number, height: number): uPlot.Options {
    const style = getComputedStyle(this.host);
    const ink = style.getPropertyValue("--muted").trim() || "#666";
    const grid = style.getPropertyValue("--grid").trim() || "#ddd";
    const scales: uPlot.Scales = {
      x: { time: false, distr: figure.x.log ? 3 : 1, range: () => [this.figure!.x.min, this.figure!.x.max] },
    };
    figure.ys.forEach((axis, i) => {
      scales[axis.key] = {
        distr: axis.log ? 3 : 1,
        range: () => [this.figure!.ys[i].min, this.figure!.ys[i].max],
      };
    });
    return {
      width,
      height,
      scales,
      series: [{}, ...figure.ys.map((axis) => ({ scale: axis.key, paths: () => null, points: { show: false } }))],
      axes: [xAxis(figure.x, ink, grid), ...figure.ys.map((axis, i) => yAxis(axis, i, ink, grid))],
      cursor: { show: false },
      legend: { show: false },
      padding: [8, figure.ys.length > 1 ? 4 : 14, 0, 2],
      // uPlot lays out after its constructor and its setters return: only when it draws are places known.
      hooks: { ready: [() => this.equalise()], draw: [(plot) => this.draw(plot)] },
    };
  }

  private draw(plot: uPlot): void {
    if (this.figure) drawLines(plot, this.figure);
    this.mark(this.marks);
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.host;
    if (!this.plot) this.make();
    else if (clientWidth >= 20 && clientHeight >= 20) this.plot.setSize({ width: clientWidth, height: clientHeight });
    this.equalise();
    this.mark(this.marks);
  }

  /** Moves the lines of the present time and of the pointer; in x-y plots the points at the present time. */
  mark(marks: Marks): void {
    this.marks = marks;
    const { plot, figure } = this;
    if (!plot || !figure) return;
    this.vertical(this.now, figure.overTime ? marks.t : NaN);
    this.vertical(this.hover, figure.overTime && marks.hover !== null ? marks.hover : NaN);
    this.dots.replaceChildren(...(figure.overTime || figure.still ? [] : this.points(marks.hover ?? marks.t)));
  }

  /** Of the x axis as it is drawn. */
  xLimits(): [number, number] {
    const { min, max } = this.plot?.scales.x ?? {};
    return [min ?? NaN, max ?? NaN];
  }

  private vertical(line: HTMLElement, t: number): void {
    const { plot, figure } = this;
    const visible = plot && figure && t >= figure.x.min && t <= figure.x.max;
    line.style.display = visible ? "" : "none";
    if (visible) line.style.transform = `translateX(${plot.valToPos(t, "x")}px)`;
  }

  private points(t: number): HTMLElement[] {
    const { plot, figure } = this;
    if (!plot || !figure) return [];
    return figure.lines.flatMap((line) => {
      if (line.still) return [];
      const [x, y] = pointAt(line, t);
      if (!Number.isFinite(x) || !Number.isFinite(y)) return [];
      const left = plot.valToPos(x, "x");
      const top = plot.valToPos(y, figure.ys[line.axis].key);
      const style = `left:${left}px;top:${top}px;background:${colour(line.colour, isDark())}`;
      return [el("div", { class: "chart-dot", style })];
    });
  }
}

function pointAt(line: Line, t: number): [number, number] {
  let i = line.first;
  while (i + 1 < line.last && line.time[i + 1] <= t) ++i;
  if (i >= line.last) return [NaN, NaN];
  const h = line.time[i + 1] - line.time[i];
  const part = i + 1 < line.last && h > 0 ? Math.min(1, Math.max(0, (t - line.time[i]) / h)) : 0;
  const between = (list: ArrayLike<number>) => (part === 0 ? list[i] : list[i] + part * (list[i + 1] - list[i]));
  return [between(line.xs), between(line.ys)];
}

/** uPlot needs data to find its scales; the corners of the figure do. */
function data(figure: Figure): uPlot.AlignedData {
  return [[figure.x.min, figure.x.max], ...figure.ys.map((axis) => [axis.min, axis.max])] as uPlot.AlignedData;
}

const font = '11px system-ui, "Segoe UI", sans-serif';

function xAxis(axis: Axis, ink: string, grid: string): uPlot.Axis {
  return {
    scale: "x",
    stroke: ink,
    font,
    labelFont: font,
    label: axis.label.length > 80 ? axis.label.slice(0, 79) + "…" : axis.label,
    labelSize: 16,
    size: 26,
    gap: 3,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 4 },
    splits: (plot, _, min, max) => marksOf(axis, min, max, Math.floor(plot.bbox.width / uPlot.pxRatio / 80)),
    filter: (_, marks) => marks,
    values: (_, marks) => labelsOf(axis, marks),
  };
}

function yAxis(axis: Axis, index: number, ink: string, grid: string): uPlot.Axis {
  return {
    scale: axis.key,
    side: index === 0 ? 3 : 1,
    stroke: ink,
    font,
    labelFont: font,
    label: axis.label,
    labelSize: 16,
    size: (_, labels) => 12 + 6.2 * Math.max(3, ...(labels ?? []).map((label) => label.length)),
    gap: 3,
    grid: { show: index === 0, stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 4 },
    splits: (plot, _, min, max) =>
      marksOf(axis, min, max, Math.min(10, Math.floor(plot.bbox.height / uPlot.pxRatio / 30))),
    filter: (_, marks) => marks,
    values: (_, marks) => labelsOf(axis, marks),
  };
}

/** Thin lines behind the curves. */
function drawEvents(plot: uPlot, times: number[], toX: Place): void {
  const { top, height } = plot.bbox;
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = getComputedStyle(plot.root).getPropertyValue("--event").trim() || "#999";
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash([2 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
  ctx.beginPath();
  for (const t of times) {
    ctx.moveTo(toX(t), top);
    ctx.lineTo(toX(t), top + height);
  }
  ctx.stroke();
  ctx.restore();
}

function drawLines(plot: uPlot, figure: Figure): void {
  const { left, top, width, height } = plot.bbox;
  const { ctx } = plot;
  const dark = isDark();
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.lineJoin = "round";
  ctx.lineWidth = 1.6 * uPlot.pxRatio;
  const toX = place(figure.x, left, left + width);
  drawEvents(plot, figure.events ?? [], toX);
  for (const line of [...figure.lines].sort((a, b) => b.run - a.run)) {
    const axis = figure.ys[line.axis];
    const toY = place(axis, top + height, top);
    if (line.shade) {
      drawShaded(ctx, line, dark, toX, toY);
      continue;
    }
    ctx.beginPath();
    ctx.setLineDash(dashes(line.dash ?? line.run).map((length) => length * uPlot.pxRatio));
    ctx.strokeStyle = colour(line.colour, dark);
    trace(
      line,
      axis.log,
      (x, y) => ctx.moveTo(toX(x), toY(y)),
      (x, y) => ctx.lineTo(toX(x), toY(y)),
      figure.x.log,
    );
    ctx.stroke();
    if (line.last - line.first === 1 || line.dots) {
      for (let i = line.first; i < line.last; ++i) if (Number.isFinite(line.ys[i])) drawPoint(ctx, toX(line.xs[i]), toY(line.ys[i]));
    }
  }
  ctx.setLineDash([]);
  for (const mark of figure.marks ?? []) drawMark(ctx, toX(mark.x), place(figure.ys[0], top + height, top)(mark.y));
  ctx.restore();
}

/** Dots joined by a line, each in the colour of its shade. */
function drawShaded(ctx: CanvasRenderingContext2D, line: Line, dark: boolean, toX: Place, toY: Place): void {
  const radius = (line.run === 0 ? 2.6 : 1.8) * uPlot.pxRatio;
  ctx.setLineDash(dashes(line.dash ?? line.run).map((length) => length * uPlot.pxRatio));
  for (let i = line.first; i < line.last; ++i) {
    const [x, y] = [toX(line.xs[i]), toY(line.ys[i])];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    ctx.strokeStyle = ctx.fillStyle = shaded(line.shade?.[i] ?? 0, dark);
    const before = i > line.first ? [toX(line.xs[i - 1]), toY(line.ys[i - 1])] : [NaN, NaN];
    if (Number.isFinite(before[0]) && Number.isFinite(before[1])) {
      ctx.beginPath();
      ctx.moveTo(before[0], before[1]);
      ctx.lineTo(x, y);
      ctx.stroke();
    }
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
  }
}

/** A ring with a cross. */
function drawMark(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  const size = 7 * uPlot.pxRatio;
  ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--now").trim() || "#d1491f";
  ctx.lineWidth = 2 * uPlot.pxRatio;
  ctx.beginPath();
  ctx.arc(x, y, size, 0, 2 * Math.PI);
  for (const [dx, dy] of [[1, 1], [1, -1]]) {
    ctx.moveTo(x - 0.7 * size * dx, y - 0.7 * size * dy);
    ctx.lineTo(x + 0.7 * size * dx, y + 0.7 * size * dy);
  }
  ctx.stroke();
}

/** A line of one sample would not be seen. */
function drawPoint(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.beginPath();
  ctx.fillStyle = ctx.strokeStyle;
  ctx.arc(x, y, 3 * uPlot.pxRatio, 0, 2 * Math.PI);
  ctx.fill();
}
