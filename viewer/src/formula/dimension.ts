// Physical dimensions of formulas, as src/skyhook/base/units has them: angles have none, the usual names where there are any.

/** Powers of m, kg, s, A, K. */
export type Dimension = readonly [number, number, number, number, number];

export interface Unit {
  factor: number; // one of it in SI
  dimension: Dimension;
}

export const hasOwn = (of: object, name: string): boolean => Object.prototype.hasOwnProperty.call(of, name);

export const none: Dimension = [0, 0, 0, 0, 0];
const metre: Dimension = [1, 0, 0, 0, 0];
const kilogram: Dimension = [0, 1, 0, 0, 0];
const second: Dimension = [0, 0, 1, 0, 0];
const newton: Dimension = [1, 1, -2, 0, 0];
const degree = Math.PI / 180;

export const power = (a: Dimension, exponent: number): Dimension => a.map((x) => x * exponent) as unknown as Dimension;
export const times = (a: Dimension, b: Dimension): Dimension => a.map((x, i) => x + b[i]) as unknown as Dimension;
export const over = (a: Dimension, b: Dimension): Dimension => times(a, power(b, -1));
export const isSame = (a: Dimension, b: Dimension): boolean => a.every((x, i) => Math.abs(x - b[i]) < 1e-9);

const named: Record<string, [number, Dimension]> = {
  m: [1, metre],
  kg: [1, kilogram],
  s: [1, second],
  N: [1, newton],
  rad: [1, none],
  deg: [degree, none],
  Hz: [1, power(second, -1)],
  h: [3600, second],
  min: [60, second],
  rpm: [Math.PI / 30, power(second, -1)],
  Pa: [1, over(newton, power(metre, 2))],
  bar: [1e5, over(newton, power(metre, 2))],
  J: [1, times(newton, metre)],
  W: [1, over(times(newton, metre), second)],
  g: [1e-3, kilogram],
  t: [1e3, kilogram],
  L: [1e-3, power(metre, 3)],
  "%": [0.01, none],
  A: [1, [0, 0, 0, 1, 0]],
  V: [1, [2, 1, -3, -1, 0]],
  ohm: [1, [2, 1, -3, -2, 0]],
  K: [1, [0, 0, 0, 0, 1]],
  "1": [1, none],
};
const prefixes: Record<string, number> = { n: 1e-9, u: 1e-6, µ: 1e-6, m: 1e-3, c: 1e-2, d: 0.1, k: 1e3, M: 1e6, G: 1e9 };
const takePrefix = ["m", "s", "N", "rad", "Hz", "Pa", "bar", "J", "W", "g", "L", "A", "V", "ohm", "K"];

function single(name: string): Unit | null {
  const own = hasOwn(named, name) ? named[name] : undefined;
  if (own) return { factor: own[0], dimension: own[1] };
  const [letter, rest] = [name.slice(0, 1), name.slice(1)];
  if (!hasOwn(prefixes, letter) || !takePrefix.includes(rest)) return null;
  return { factor: prefixes[letter] * named[rest][0], dimension: named[rest][1] };
}

/** "kN.s/m", "m/s^2", "1/(m.s)", "" or "-"; null where it is none. */
export function parseUnit(text: string): Unit | null {
  const trimmed = text.trim().replace(/²/g, "^2").replace(/³/g, "^3");
  if (trimmed === "" || trimmed === "-") return { factor: 1, dimension: none };
  const [above, ...below] = trimmed.split("/");
  let unit: Unit = { factor: 1, dimension: none };
  for (const [part, sign] of [[above, 1], ...below.map((each) => [each, -1])] as [string, number][]) {
    for (const factor of part.replace(/^\s*\(|\)\s*$/g, "").split(/[.*·]/)) {
      const match = /^\s*([^\s^\d]+|1)\s*(?:\^(-?\d+(?:[_.]\d+)?))?\s*$/.exec(factor);
      const found = match && single(match[1]);
      if (!found) return null;
      const exponent = sign * Number(match[2] ?? 1);
      unit = { factor: unit.factor * found.factor ** exponent, dimension: times(unit.dimension, power(found.dimension, exponent)) };
    }
  }
  return unit;
}

const usual = ["N", "N/m", "N.s/m", "N.m", "N.m.s", "N.s", "Pa", "W", "Pa.s", "V", "ohm"];
const bases = ["m", "kg", "s", "A", "K"];
const order = [1, 0, 2, 3, 4]; // as base/units writes them

/** The usual name, else base units: "m/s^2", "kg.m^2/s"; "" of a number. */
export function unitText(dimension: Dimension): string {
  const name = usual.find((each) => isSame((parseUnit(each) as Unit).dimension, dimension));
  if (name) return name;
  const factors = (sign: number) =>
    order.flatMap((i) => {
      const exponent = sign * dimension[i];
      if (!(exponent > 1e-9)) return [];
      return [Math.abs(exponent - 1) < 1e-9 ? bases[i] : `${bases[i]}^${Number(exponent.toPrecision(6))}`];
    });
  const [above, below] = [factors(1), factors(-1)];
  if (above.length + below.length === 0) return "";
  const head = above.length > 0 ? above.join(".") : "1";
  return below.length === 0 ? head : `${head}/${below.length > 1 ? `(${below.join(".")})` : below[0]}`;
}
