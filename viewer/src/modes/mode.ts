// Modes as `skyhook modes --json` tells them.
import type { Run } from "../types";

export type Complex = [number, number];

/** Of the centre of mass, global axes; the largest displacement of all bodies is 1 m. */
export interface BodyShape {
  displacement: Complex[];
  rotation: Complex[];
}

export interface Mode {
  name: string;
  frequency: number; // Hz
  damping: number;
  real: number; // 1/s
  imag: number;
  rigid: boolean;
  oscillates: boolean;
  bodies: [string, number][]; // shares of the kinetic energy, the largest first
  elements: [string, number][]; // of the strain energy
  dissipation: [string, number][];
  shape: Map<string, BodyShape>;
  bend: Map<string, Complex>; // of the states by which bodies bend
}

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields => value !== null && typeof value === "object" && !Array.isArray(value);
const number = (value: unknown): number => (typeof value === "number" ? value : NaN);

function shares(value: unknown): [string, number][] {
  const list = Object.entries(isObject(value) ? value : {}).map(([name, share]): [string, number] => [name, number(share)]);
  return list.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
}

function complexes(value: unknown): Complex[] {
  const list = Array.isArray(value) ? value : [];
  return [0, 1, 2].map((k) => [number(list[k]?.[0]) || 0, number(list[k]?.[1]) || 0]);
}

function shapeOf(value: unknown): Map<string, BodyShape> {
  const bodies = Object.entries(isObject(value) ? value : {});
  return new Map(
    bodies.map(([name, body]) => {
      const fields = isObject(body) ? body : {};
      return [name, { displacement: complexes(fields.displacement), rotation: complexes(fields.rotation) }];
    }),
  );
}

function bendOf(value: unknown): Map<string, Complex> {
  const states = Object.entries(isObject(value) ? value : {});
  return new Map(states.map(([name, x]): [string, Complex] => [name, Array.isArray(x) ? [number(x[0]) || 0, number(x[1]) || 0] : [0, 0]]));
}

export const isModes = (run: Run): boolean => run.info.analysis === "modes" && run.info.abscissa === "mode";

export function modesOf(run: Run): Mode[] {
  const found = isObject(run.found) ? run.found : {};
  const list = isModes(run) && Array.isArray(found.modes) ? found.modes : [];
  return list.filter(isObject).map((mode) => ({
    name: String(mode.name ?? ""),
    frequency: number(mode.frequency_hz),
    damping: number(mode.damping),
    real: number(mode.real),
    imag: number(mode.imag),
    rigid: mode.rigid === true,
    oscillates: mode.oscillates === true,
    bodies: shares(mode.bodies),
    elements: shares(mode.elements),
    dissipation: shares(mode.dissipation),
    shape: shapeOf(mode.shape),
    bend: bendOf(mode.bend),
  }));
}

/** How alike two shapes are, 0 to 1: |a* b|^2 / (|a|^2 |b|^2) over the displacements of bodies, and of the states by which they bend, of the same name. */
export function likeness(a: Mode, b: Mode): number {
  let [re, im, sizeA, sizeB] = [0, 0, 0, 0];
  const add = ([x, y]: Complex, [u, v]: Complex = [0, 0]) => {
    re += x * u + y * v;
    im += x * v - y * u;
    sizeA += x * x + y * y;
    sizeB += u * u + v * v;
  };
  for (const [name, one] of a.shape) {
    const other = b.shape.get(name);
    for (const kind of ["displacement", "rotation"] as const) one[kind].forEach((x, k) => add(x, other?.[kind][k]));
  }
  for (const [name, x] of a.bend) add(x, b.bend.get(name));
  return sizeA > 0 && sizeB > 0 ? (re * re + im * im) / (sizeA * sizeB) : 0;
}

/** For each mode of the first list the one of the second that is most alike, each once; null where none is left. */
export function paired(first: Mode[], second: Mode[]): (Mode | null)[] {
  const pairs = first.flatMap((a, i) => second.map((b, k) => ({ i, k, value: likeness(a, b) })));
  pairs.sort((a, b) => b.value - a.value);
  const out: (Mode | null)[] = first.map(() => null);
  const taken = new Set<number>();
  for (const { i, k, value } of pairs) {
    if (out[i] !== null || taken.has(k) || value < 0.05) continue;
    out[i] = second[k];
    taken.add(k);
  }
  return out;
}
