// The channels of all runs by name, and curves that the reader has made of them by formulas. What it gives out is in the
// units of the page.
import { type Samples, type Statistics, statistics } from "../curve";
import { unitOf } from "../format";
import { evaluate } from "../formula/evaluate";
import { FormulaError, nameAndText, namesIn, type Node, parse } from "../formula/parse";
import { nearest } from "../search";
import type { Channel, Run } from "../types";
import { units } from "../units";

interface Formula {
  text: string;
  node: Node;
  curves: (Curve | null)[]; // by run
}

/** In SI. */
interface Curve {
  unit: string;
  samples: Samples;
  stats: Channel["stats"] | null; // of all samples of the result, where they are known
}

const builtIn = ["t", "pi"];

export class Library {
  readonly names: string[]; // of channels, then of formulas
  readonly shown: boolean[]; // runs, as the reader has switched them
  /** Whether colours tell runs and dashes curves, or the other way round. */
  colourByRun: boolean;
  private readonly byName: Map<string, Channel>[];
  private readonly formulas = new Map<string, Formula>();
  private readonly converted = new WeakMap<object, Map<number, Float32Array>>();

  constructor(readonly runs: Run[]) {
    // Of channels with the same name the first one counts, as in the result file.
    this.byName = runs.map((run) => new Map([...run.channels].reverse().map((channel) => [channel.name, channel])));
    this.names = [...new Set(runs.flatMap((run) => run.channels.map((channel) => channel.name)))];
    this.shown = runs.map(() => true);
    this.colourByRun = runs.length > 2;
  }

  has(name: string): boolean {
    return this.formulas.has(name) || this.byName.some((channels) => channels.has(name));
  }

  isFormula(name: string): boolean {
    return this.formulas.has(name);
  }

  /** Runs that are switched on, by number. */
  get visible(): number[] {
    return this.runs.flatMap((_, run) => (this.shown[run] ? [run] : []));
  }

  /** Makes a curve of a formula ("a - b", "load = a + b") and tells its name; FormulaError says what is wrong. */
  define(typed: string): string {
    const { name, text } = nameAndText(typed);
    if (text === "") throw new FormulaError("Type a formula of channels, for example 0.5*(a + b).");
    if (this.byName.some((channels) => channels.has(name))) {
      if (name === text) return name; // a channel by its name
      throw new FormulaError(`There is a channel "${name}" already.`);
    }
    const node = parse(text);
    for (const each of namesIn(node)) {
      if (this.has(each) || builtIn.includes(each)) continue;
      const near = nearest(each, this.names);
      throw new FormulaError(`There is no channel "${each}".${near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : ""}`);
    }
    if (namesIn(node).includes(name)) throw new FormulaError(`"${name}" is made of itself.`);
    const curves = this.runs.map((_, run) => this.compute(run, node));
    if (curves.every((curve) => curve === null)) throw new FormulaError("No run has all channels of the formula.");
    if (!this.formulas.has(name)) this.names.push(name);
    this.formulas.set(name, { text, node, curves });
    return name;
  }

  /** As they would be typed, in the order in which they were defined. */
  typed(): string[] {
    return [...this.formulas].map(([name, { text }]) => (name === text ? text : `${name} = ${text}`));
  }

  formula(name: string): string | null {
    return this.formulas.get(name)?.text ?? null;
  }

  private compute(run: number, node: Node): Curve | null {
    const found = evaluate(node, (name) => this.curve(run, name), this.runs[run].info?.abscissa_unit ?? "s");
    return found && { ...found, stats: null };
  }

  /** In SI. */
  curve(run: number, name: string): Curve | null {
    const formula = this.formulas.get(name);
    if (formula) return formula.curves[run];
    const channel = this.byName[run]?.get(name);
    if (!channel) return null;
    return { unit: unitOf(channel.unit), samples: { time: this.runs[run].times[channel.time], values: channel.values }, stats: channel.stats };
  }

  exists(run: number, name: string): boolean {
    return this.formulas.get(name)?.curves[run] != null || this.byName[run]?.has(name) === true;
  }

  /** In SI, of the first run that has it. */
  siUnit(name: string): string {
    const curve = this.runs.map((_, run) => this.curve(run, name)).find((each) => each !== null);
    return curve?.unit ?? "";
  }

  /** As it is shown; `own` are units that a panel wants. */
  unit(name: string, own: readonly string[] = []): string {
    return units.shown(this.siUnit(name), own).unit;
  }

  samples(run: number, name: string, own: readonly string[] = []): Samples | null {
    const curve = this.curve(run, name);
    if (!curve) return null;
    const { factor } = units.shown(curve.unit, own);
    return { time: curve.samples.time, values: this.times(curve.samples.values, factor) };
  }

  private times(values: Samples["values"], factor: number): Samples["values"] {
    if (factor === 1) return values;
    const made = this.converted.get(values) ?? new Map<number, Float32Array>();
    this.converted.set(values, made);
    const result = made.get(factor) ?? Float32Array.from(values, (value) => value * factor);
    made.set(factor, result);
    return result;
  }

  /** Of all samples of the result (the report tells them) or, for a range, of those shown. */
  statistics(run: number, name: string, own: readonly string[], range: [number, number] | null): Statistics | null {
    const curve = this.curve(run, name);
    const samples = this.samples(run, name, own);
    if (!curve || !samples) return null;
    if (range || !curve.stats) return statistics(samples, ...(range ?? [-Infinity, Infinity]));
    const { factor } = units.shown(curve.unit, own);
    const { min, max, mean, rms, first, last, t_min, t_max } = curve.stats;
    const [low, high, middle, square, start, end] = [min, max, mean, rms, first, last].map((value) => value * factor);
    return { min: low, max: high, mean: middle, rms: square, first: start, last: end, t_min, t_max };
  }
}
