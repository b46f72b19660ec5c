// Formulas on curves: each number carries its unit, each curve its samples; curves with other times meet on all times of both.
import { percentile, type Samples, statistics, valueAt } from "../curve";
import { atSamples, derivative, integral, meanOf, refined, runningRms } from "./calculus";
import { type Dimension, hasOwn, isSame, none, over, parseUnit, power, times, unitText } from "./dimension";
import { FormulaError, isZeroPhase, namesIn, type Node, wordsOfFilters } from "./parse";
import { butterworth, weighted, weightings } from "../signal/weighting";

export interface Channelled {
  unit: string; // SI
  samples: Samples;
}

interface Value {
  values: Float64Array | number;
  dimension: Dimension;
  unit: string; // as text: rad stays rad, although it has no dimension
}

/** Behind and in front of a jump differ: the first of equal times. */
function valueBefore(samples: Samples, t: number): number {
  const { time, values } = samples;
  let [low, high] = [0, time.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] < t) low = middle + 1;
    else high = middle;
  }
  return time[low] === t ? values[low] : valueAt(samples, t);
}

/** All times of all curves; twice where one of them jumps. */
export function commonTime(list: Samples[]): Float64Array {
  const distinct = [...new Set(list.map(({ time }) => time))];
  if (distinct.length === 1) return distinct[0];
  const counts = new Map<number, number>();
  for (const time of distinct) {
    time.forEach((t, i) => {
      const isSecond = i > 0 && time[i - 1] === t;
      counts.set(t, Math.max(counts.get(t) ?? 1, isSecond ? 2 : 1));
    });
  }
  const sorted = [...counts.keys()].sort((a, b) => a - b);
  return Float64Array.from(sorted.flatMap((t) => (counts.get(t) === 2 ? [t, t] : [t])));
}

export function onTime(samples: Samples, time: Float64Array): Float64Array {
  if (samples.time === time) return Float64Array.from(samples.values);
  return time.map((t, i) => (time[i + 1] === t ? valueBefore(samples, t) : valueAt(samples, t)));
}

const degreesText = (unit: string): string => (unit === "" ? "no unit" : unit);

/** Functions of one number without unit. */
const plain: Record<string, (x: number) => number> = {
  exp: Math.exp,
  log: Math.log,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  tanh: Math.tanh,
};
const angles = ["asin", "acos", "atan", "atan2"];
/** Functions of numbers of one unit. */
const alike: Record<string, { count: [number, number]; of: (...x: number[]) => number; unit: "same" | "none" }> = {
  abs: { count: [1, 1], of: Math.abs, unit: "same" },
  min: { count: [1, 9], of: Math.min, unit: "same" },
  max: { count: [1, 9], of: Math.max, unit: "same" },
  hypot: { count: [2, 9], of: Math.hypot, unit: "same" },
  sign: { count: [1, 1], of: Math.sign, unit: "none" },
  atan2: { count: [2, 2], of: Math.atan2, unit: "none" },
};
/** As `skyhook evaluate` and the standards call them. */
const synonyms: Record<string, string> = { derivative: "diff", integral: "int", Wk: "wk", Wd: "wd", Wc: "wc", We: "we", Wj: "wj", Wf: "wf", Wb: "wb" };
const overTime = ["diff", "int", "mean", "rms", "running_rms", "percentile", ...Object.keys(weightings)];

export const functions: string[] = [...Object.keys(alike), ...Object.keys(plain), "sqrt", ...overTime, "butterworth"];
const mostOrder = 20;

class Evaluation {
  constructor(
    private readonly time: Float64Array,
    private readonly unitOfTime: string,
    private readonly channels: Map<string, Channelled>,
  ) {}

  value(node: Node): Value {
    switch (node.kind) {
      case "number": return this.number(node.value, node.unit);
      case "name": return this.channel(node.name);
      case "negative": {
        const inner = this.value(node.of);
        return { ...inner, values: this.map((x) => -x, inner) };
      }
      case "operation": return this.operation(node.operator, this.value(node.left), this.value(node.right));
      case "call": return this.call(node.name, node.of);
    }
  }

  curve({ values }: Value): Float64Array {
    return typeof values === "number" ? new Float64Array(this.time.length).fill(values) : values;
  }

  private number(value: number, text: string): Value {
    const unit = parseUnit(text);
    if (!unit) throw new FormulaError(`"${text}" is no unit.`);
    const { factor, dimension } = unit;
    return { values: value * factor, dimension, unit: unitText(dimension) };
  }

  private channel(name: string): Value {
    if (name === "pi") return { values: Math.PI, dimension: none, unit: "" };
    if (name === "t" && !this.channels.has(name))
      return { values: this.time, dimension: parseUnit(this.unitOfTime)?.dimension ?? none, unit: this.unitOfTime };
    const { unit, samples } = this.channels.get(name) as Channelled;
    return { values: onTime(samples, this.time), dimension: parseUnit(unit)?.dimension ?? none, unit };
  }

  private map(of: (...x: number[]) => number, ...operands: Value[]): Float64Array | number {
    if (operands.every(({ values }) => typeof values === "number"))
      return of(...operands.map(({ values }) => values as number));
    const lists = operands.map((each) => this.curve(each));
    return this.time.map((_, i) => of(...lists.map((list) => list[i])));
  }

  private requireSame(what: string, [first, ...others]: Value[]): void {
    for (const other of others) {
      if (isSame(first.dimension, other.dimension)) continue;
      const [a, b] = [degreesText(first.unit), degreesText(other.unit)];
      const bare = [first, other].find(({ unit, values }) => unit === "" && typeof values === "number");
      const example = bare ? ` A number takes its unit in brackets: ${String(bare.values)}[${first === bare ? other.unit : first.unit}].` : "";
      throw new FormulaError(`${what} do not have the same unit: ${a} and ${b}.${example}`);
    }
  }

  private operation(operator: string, left: Value, right: Value): Value {
    if (operator === "+" || operator === "-") {
      this.requireSame(operator === "+" ? "The two sides of +" : "The two sides of −", [left, right]);
      const values = operator === "+" ? this.map((a, b) => a + b, left, right) : this.map((a, b) => a - b, left, right);
      return { values, dimension: left.dimension, unit: left.unit === "" ? right.unit : left.unit };
    }
    if (operator === "*" || operator === "/") {
      const dimension = (operator === "*" ? times : over)(left.dimension, right.dimension);
      const values = operator === "*" ? this.map((a, b) => a * b, left, right) : this.map((a, b) => a / b, left, right);
      // A multiple of an angle is an angle.
      const isMultiple = right.unit === "" && (operator === "/" || left.unit !== "");
      const unit = isMultiple ? left.unit : left.unit === "" && operator === "*" ? right.unit : unitText(dimension);
      return { values, dimension, unit };
    }
    return this.raised(left, right);
  }

  private raised(base: Value, exponent: Value): Value {
    if (!isSame(exponent.dimension, none)) throw new FormulaError("An exponent has no unit.");
    const values = this.map((a, b) => a ** b, base, exponent);
    if (isSame(base.dimension, none)) return { values, dimension: none, unit: "" };
    if (typeof exponent.values !== "number")
      throw new FormulaError(`A quantity in ${base.unit} can be raised to a number only.`);
    const dimension = power(base.dimension, exponent.values);
    return { values, dimension, unit: unitText(dimension) };
  }

  private arguments(name: string, of: Node[], least: number, most: number): Value[] {
    if (of.length < least || of.length > most) {
      const wanted = least === most ? String(least) : `${least} to ${most}`;
      throw new FormulaError(`${name}() takes ${wanted} argument${most > 1 ? "s" : ""}, not ${of.length}.`);
    }
    return of.map((each) => this.value(each));
  }

  private call(called: string, of: Node[]): Value {
    const name = hasOwn(synonyms, called) ? synonyms[called] : called;
    if (hasOwn(plain, name)) {
      const [x] = this.arguments(name, of, 1, 1);
      if (!isSame(x.dimension, none)) throw new FormulaError(`${name}() takes a number or an angle, not ${x.unit}.`);
      return { values: this.map(plain[name], x), dimension: none, unit: angles.includes(name) ? "rad" : "" };
    }
    if (name === "sqrt") {
      const [x] = this.arguments(name, of, 1, 1);
      const dimension = power(x.dimension, 0.5);
      return { values: this.map(Math.sqrt, x), dimension, unit: unitText(dimension) };
    }
    if (hasOwn(alike, name)) {
      const { count, of: compute, unit } = alike[name];
      const list = this.arguments(name, of, ...count);
      this.requireSame(`The arguments of ${name}()`, list);
      const isExtreme = list.length === 1 && (name === "min" || name === "max"); // of the whole run
      const values = isExtreme ? statistics({ time: this.time, values: this.curve(list[0]) }, -Infinity, Infinity)[name] : this.map(compute, ...list);
      if (unit === "same") return { values, dimension: list[0].dimension, unit: list[0].unit };
      return { values, dimension: none, unit: angles.includes(name) ? "rad" : "" };
    }
    if (overTime.includes(name)) return this.overTime(name, of);
    if (name === "butterworth") return this.filtered(of);
    throw new FormulaError(`There is no function "${name}". Functions: ${functions.join(", ")}.`);
  }

  /** butterworth(x, 2, low, 10 Hz), butterworth(x, 4, band, 1 Hz, 10 Hz): as the program has it, of even orders, forward. */
  private filtered(of: Node[]): Value {
    const example = "For example butterworth(x, 2, low, 10 Hz), butterworth(x, 4, band, 1 Hz, 10 Hz).";
    const word = of[2]?.kind === "name" ? of[2].name : "";
    if (!wordsOfFilters.includes(word)) throw new FormulaError(`The third argument of butterworth() is low, high or band. ${example}`);
    if (of.some(isZeroPhase)) throw new FormulaError("Filters run forward here; the program has zero_phase too (skyhook plot).");
    const numbers = of.slice(3).map((each) => this.value(each));
    if (of.length !== (word === "band" ? 5 : 4)) throw new FormulaError(`A filter ${word} takes ${word === "band" ? "two frequencies" : "one frequency"}. ${example}`);
    const [x, order] = [this.value(of[0]), this.value(of[1])];
    if (typeof order.values !== "number" || order.values < 2 || order.values > mostOrder || order.values % 2 !== 0)
      throw new FormulaError(`The order of a filter is an even number from 2 to ${mostOrder} here; the program has odd ones too (skyhook plot).`);
    const perSecond = over(none, parseUnit("s")?.dimension ?? none);
    const [first, second] = numbers.map(({ values, dimension }) => {
      if (typeof values !== "number" || !isSame(dimension, perSecond) || !(values > 0)) throw new FormulaError(`A frequency is a number in Hz above 0. ${example}`);
      return values;
    });
    if (word === "band" && !(second > first)) throw new FormulaError("The second frequency of a band is above the first.");
    const fine = refined(this.time, this.curve(x));
    const filter = butterworth(order.values, word as "low" | "high" | "band", first, second);
    return { ...x, values: atSamples(weighted(filter, fine.time, fine.values), fine.every) };
  }

  private overTime(name: string, of: Node[]): Value {
    const list = this.arguments(name, of, name === "percentile" ? 2 : 1, name === "running_rms" || name === "percentile" ? 2 : 1);
    const [x, window] = list;
    const values = this.curve(x);
    const perTime = parseUnit(this.unitOfTime)?.dimension ?? none;
    if (name === "diff" || name === "int") {
      const dimension = (name === "diff" ? over : times)(x.dimension, perTime);
      const result = (name === "diff" ? derivative : integral)(this.time, values);
      const rate = /^rad(\/s(?:\^(\d+))?)?$/.exec(x.unit); // an angle's rate is in rad/s, not in 1/s
      const seconds = rate ? (rate[1] ? Number(rate[2] ?? 1) : 0) + (name === "diff" ? 1 : -1) : -1;
      const angular = seconds === 0 ? "rad" : seconds === 1 ? "rad/s" : `rad/s^${seconds}`;
      return { values: result, dimension, unit: seconds >= 0 && this.unitOfTime === "s" ? angular : unitText(dimension) };
    }
    if (name === "mean") return { ...x, values: meanOf(this.time, values) };
    if (name === "percentile") {
      const percent = window.values;
      if (typeof percent !== "number" || !(percent >= 0 && percent <= 100)) throw new FormulaError("percentile() takes a number from 0 to 100.");
      return { ...x, values: percentile({ time: this.time, values }, percent) };
    }
    const fine = refined(this.time, values);
    if (name === "rms") return { ...x, values: statistics(fine, -Infinity, Infinity).rms };
    if (name === "running_rms") {
      if (window && typeof window.values !== "number") throw new FormulaError("The window of running_rms() is a number of seconds.");
      return { ...x, values: atSamples(runningRms(fine.time, fine.values, (window?.values as number) ?? 1), fine.every) };
    }
    return { ...x, values: atSamples(weighted(weightings[name], fine.time, fine.values), fine.every) };
  }
}

/** The curve of a formula, where `find` knows all of its channels. */
export function evaluate(node: Node, find: (name: string) => Channelled | null, unitOfTime: string): Channelled | null {
  const channels = new Map<string, Channelled>();
  for (const name of namesIn(node)) {
    const found = find(name);
    if (found) channels.set(name, found);
    else if (name !== "pi" && name !== "t") return null;
  }
  if (channels.size === 0) throw new FormulaError("The formula names no channel.");
  const time = commonTime([...channels.values()].map(({ samples }) => samples));
  const evaluation = new Evaluation(time, unitOfTime, channels);
  const value = evaluation.value(node);
  return { unit: value.unit, samples: { time, values: evaluation.curve(value) } };
}
