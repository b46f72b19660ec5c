// What a panel draws, apart from how: the same figure goes to the screen, to SVG and to CSV.
import { around, extent, valueAt } from "../curve";
import type { Run } from "../types";
import { unitOf } from "../format";
import type { Choice } from "./choice";
import type { Library } from "./library";
import { type Look, lookAmong } from "./looks";
import { spectralLines, transformed } from "./views";

export interface Axis {
  key: string;
  label: string;
  min: number;
  max: number;
  log: boolean;
  factor?: number; // its marks are labelled with the values times this
}

export interface Line {
  name: string;
  unit: string;
  run: number;
  dash?: number; // pattern of its dashes, 0: solid; else by run
  colour: number; // index into the palette, or textColour
  axis: number; // index into Figure.ys
  time: Float64Array;
  xs: ArrayLike<number>; // the time itself, or values of the x channel
  ys: ArrayLike<number>;
  first: number; // samples [first, last) are drawn
  last: number;
  still?: boolean; // belongs to no time: a limit
  dots?: boolean; // at each sample
  steps?: boolean; // a value holds for the time since the sample before it
  shade?: ArrayLike<number>; // 0 to 1 at each sample: the colour along it, in place of the palette; with dots
}

export interface Figure {
  x: Axis;
  ys: Axis[];
  lines: Line[];
  overTime: boolean;
  still?: boolean; // neither x nor the points of its lines belong to a time
  labelT?: string; // of the first column of its table; default: time [s]
  equal: boolean; // x and y to the same scale
  marks?: { x: number; y: number; label: string }[]; // points to be seen
  events?: number[]; // their times within the limits of x; none where they would be a hatching
}

const mostEvents = 100;

/** Times of events, each once, that a plot over this range should mark. */
export function eventsWithin(run: Pick<Run, "events"> | undefined, [low, high]: [number, number]): number[] {
  const times = new Set((run?.events ?? []).map((event) => event.t).filter((t) => t >= low && t <= high));
  return times.size > mostEvents ? [] : [...times];
}

/** Limits with some room; something sensible where all values are equal or there is none. */
export function limits([low, high]: [number, number], log = false): [number, number] {
  if (low > high) return log ? [0.1, 1] : [0, 1];
  if (log) return low === high ? [low / 10, high * 10] : [low / 1.3, high * 1.3];
  const room = high > low ? (high - low) * 0.06 : Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

function wider(a: [number, number], b: [number, number]): [number, number] {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

/** Sets the limits of the y axes (and of an x axis that is no time) by what the lines show. */
export function fit(figure: Figure): Figure {
  figure.ys.forEach((axis, index) => {
    let range: [number, number] = [Infinity, -Infinity];
    for (const line of figure.lines) {
      if (line.axis === index) range = wider(range, extent(line.ys, line.first, line.last, axis.log));
    }
    [axis.min, axis.max] = limits(range, axis.log);
  });
  if (!figure.overTime) {
    let range: [number, number] = [Infinity, -Infinity];
    for (const line of figure.lines) range = wider(range, extent(line.xs, line.first, line.last, figure.x.log));
    [figure.x.min, figure.x.max] = limits(range, figure.x.log);
  }
  return figure;
}

function valuesAt(
  library: Library,
  run: number,
  name: string,
  own: readonly string[],
  time: Float64Array,
): ArrayLike<number> | null {
  const samples = library.samples(run, name, own);
  if (!samples) return null;
  if (samples.time === time) return samples.values;
  return Float64Array.from(time, (t) => valueAt(samples, t));
}

/** What the samples of a run stand over: "time [s]", or the travel of a kinematic analysis. */
export function abscissaOf(run: Run | undefined): string {
  const { abscissa, abscissa_unit } = run?.info ?? {};
  return abscissa ? labelled(abscissa, unitOf(abscissa_unit ?? "")) : "time [s]";
}

/** The colour and the dashes of a curve of a run. */
export function lookOf(library: Library, curve: number, run: number): Look {
  return library.colourByRun ? { colour: run, dash: curve } : lookAmong(curve, run, library.runs.length);
}

type Add = (unit: string, line: Omit<Line, "axis" | "unit" | "name" | "run" | "colour" | "dash">) => void;

/** Adds the line of one curve of one run, as the view of the panel wants it. */
function addLine(library: Library, choice: Choice, name: string, run: number, range: [number, number], add: Add): void {
  const own = choice.units ?? [];
  const samples = library.samples(run, name, own);
  if (!samples) return;
  const unit = library.unit(name, own);
  const spectrum = spectralLines(choice.view, samples, unit, range);
  if (spectrum) {
    const { frequency, values } = spectrum;
    return add(spectrum.unit, { time: frequency, xs: frequency, ys: values, first: 1, last: values.length });
  }
  const values = transformed(choice.view, samples);
  const { time } = samples;
  const xs = choice.x === null ? time : valuesAt(library, run, choice.x, unitsOfX(library, choice), time);
  const [first, last] = around(time, range[0], range[1]);
  if (xs) add(unit, { time, xs, ys: values, first, last });
}

/** Units of the panel for its x axis: not where a curve is of the same quantity, as one in mm over a way in m, unless both have the same scale. */
function unitsOfX(library: Library, { curves, x, units = [], equal }: Choice): readonly string[] {
  const isAlike = x !== null && curves.some((name) => library.siUnit(name) === library.siUnit(x));
  return isAlike && !equal ? [] : units;
}

/** The figure of a choice with the time between the limits of `range`. */
export function figureOf(library: Library, choice: Choice, range: [number, number]): Figure {
  const isSpectrum = choice.view === "psd" || choice.view === "amplitude";
  const overTime = choice.x === null && !isSpectrum;
  const labelX = isSpectrum
    ? "frequency [Hz]"
    : choice.x === null
      ? abscissaOf(library.runs[0])
      : labelled(choice.x, library.unit(choice.x, unitsOfX(library, choice)));
  const figure: Figure = {
    x: { key: "x", label: labelX, min: range[0], max: range[1], log: isSpectrum },
    ys: [],
    lines: [],
    overTime,
    still: isSpectrum,
    labelT: isSpectrum ? "frequency [Hz]" : abscissaOf(library.runs[0]),
    equal: false,
    events: overTime ? eventsWithin(library.runs[0], range) : [],
  };
  const axes = new Map<string, number>();
  choice.curves.forEach((name, index) => {
    for (const run of library.visible) {
      addLine(library, choice, name, run, range, (unit, line) => {
        if (!axes.has(unit)) {
          axes.set(unit, figure.ys.length);
          figure.ys.push({ key: `y${figure.ys.length}`, label: unit, min: 0, max: 1, log: choice.view === "psd" });
        }
        figure.lines.push({ name, unit, run, ...lookOf(library, index, run), axis: axes.get(unit) as number, ...line });
      });
    }
  });
  if (figure.ys.length === 0) figure.ys.push({ key: "y0", label: "", min: 0, max: 1, log: false });
  figure.equal = (choice.equal ?? false) && canBeEqual(library, choice);
  return fit(figure);
}

/** Whether x and all y have the same unit. */
export function canBeEqual(library: Library, choice: Choice): boolean {
  const { x, curves, view } = choice;
  return x !== null && (view ?? "curves") === "curves" && curves.length > 0 && curves.every((name) => library.unit(name) === library.unit(x));
}

/** Widens x or y such that both have the same scale on an area of the given size. */
export function equalise(figure: Figure, width: number, height: number): void {
  const [y] = figure.ys;
  const { x } = figure;
  const scale = Math.max((x.max - x.min) / width, (y.max - y.min) / height);
  const widen = (axis: Axis, length: number) => {
    const centre = (axis.min + axis.max) / 2;
    axis.min = centre - (scale * length) / 2;
    axis.max = centre + (scale * length) / 2;
  };
  widen(x, width);
  widen(y, height);
}

export const labelled = (name: string, unit: string): string => (unit === "" ? name : `${name} [${unit}]`);

/** From a value to a coordinate. */
export type Place = (value: number) => number;

export function place(axis: Axis, from: number, to: number): Place {
  const at = axis.log ? Math.log10 : (value: number) => value;
  const low = at(axis.min);
  const scale = (to - from) / (at(axis.max) - low);
  return (value) => from + (at(value) - low) * scale;
}

type Pen = (x: number, y: number) => void;

/** Calls back with the points of the line, part by part between gaps; on a logarithmic axis 0 is a gap. */
export function trace(line: Line, log: boolean, move: Pen, draw: Pen, logX = false): void {
  const { xs, ys } = line;
  let pen = false;
  let before = 0;
  for (let i = line.first; i < line.last; ++i) {
    const x = xs[i];
    const y = ys[i];
    if (!Number.isFinite(x) || !Number.isFinite(y) || (log && y <= 0) || (logX && x <= 0)) {
      pen = false;
      continue;
    }
    if (!pen) move(x, y);
    else {
      if (line.steps) draw(before, y);
      draw(x, y);
    }
    pen = true;
    before = x;
  }
}
