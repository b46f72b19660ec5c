// Units in which quantities are shown. The data are SI; for each kind of quantity the reader may choose another unit,
// and the browser remembers it.
import { unitOf } from "./format";
import { recall, remember } from "./storage";

export interface Shown {
  unit: string;
  factor: number; // shown value = SI value * factor
}

export interface Kind {
  name: string;
  choices: Shown[]; // the first is SI
}

const degree = 180 / Math.PI;
const gravity = 9.80665; // m/s^2, standard

const choices = (...list: [string, number][]): Shown[] => list.map(([unit, factor]) => ({ unit, factor }));

/** In the order of the menu. */
export const kinds: Kind[] = [
  { name: "length", choices: choices(["m", 1], ["mm", 1e3]) },
  { name: "angle", choices: choices(["rad", 1], ["deg", degree]) },
  { name: "speed", choices: choices(["m/s", 1], ["km/h", 3.6]) },
  { name: "acceleration", choices: choices(["m/s^2", 1], ["g", 1 / gravity]) },
  { name: "rotation", choices: choices(["rad/s", 1], ["deg/s", degree], ["rpm", 30 / Math.PI]) },
  { name: "force", choices: choices(["N", 1], ["kN", 1e-3]) },
  { name: "moment", choices: choices(["N.m", 1], ["kN.m", 1e-3]) },
  { name: "stiffness", choices: choices(["N/m", 1], ["N/mm", 1e-3], ["kN/m", 1e-3]) },
  { name: "damping", choices: choices(["N.s/m", 1], ["N.s/mm", 1e-3], ["kN.s/m", 1e-3]) },
  { name: "pressure", choices: choices(["Pa", 1], ["kPa", 1e-3], ["bar", 1e-5], ["MPa", 1e-6]) },
  { name: "energy", choices: choices(["J", 1], ["kJ", 1e-3]) },
  { name: "power", choices: choices(["W", 1], ["kW", 1e-3]) },
];

/** What engineers of vehicles write. */
export const engineering = ["mm", "deg", "km/h", "g", "deg/s", "kN", "N/mm"];

const key = "skyhook-units";
const written = (si: string): string => unitOf(si).replace(/²/g, "^2").replace(/³/g, "^3").replace(/[·* ]/g, ".");
const kindOf = (si: string): Kind | undefined => kinds.find((kind) => kind.choices[0].unit === si);
const isAngular = (si: string): boolean => /^rad\b/.test(si);

/** Of a unit by its name: any of the menu. */
const findUnit = (kind: Kind | undefined, names: readonly string[]): Shown | undefined =>
  kind?.choices.find(({ unit }) => names.includes(unit));

export class Units {
  private readonly listeners: (() => void)[] = [];
  private names: string[]; // chosen, one of a kind at most

  constructor() {
    this.names = (recall("localStorage", key) ?? "").split(" ").filter((name) => name !== "");
  }

  /** How a quantity in an SI unit is shown. `own` are units that count before the chosen ones. */
  shown(unit: string, own: readonly string[] = []): Shown {
    const si = written(unit);
    const kind = kindOf(si);
    for (const names of [own, this.names]) {
      const found = findUnit(kind, names);
      if (found) return found;
      if (isAngular(si) && names.includes("deg")) return { unit: si.replace(/^rad/, "deg"), factor: degree };
      if (isAngular(si) && names.includes("rad")) break;
    }
    return { unit: unitOf(unit), factor: 1 };
  }

  /** Null where the reader has left it. */
  chosen(kindName: string): Shown | null {
    return findUnit(kinds.find(({ name }) => name === kindName), this.names) ?? null;
  }

  choose(...units: string[]): void {
    for (const unit of units) {
      const kind = kinds.find((each) => findUnit(each, [unit]));
      const others = kind?.choices.map((choice) => choice.unit) ?? [];
      this.names = [...this.names.filter((name) => !others.includes(name)), unit];
    }
    this.changed();
  }

  reset(): void {
    this.names = [];
    this.changed();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Kinds of quantities among units, in the order of the menu. */
  kindsAmong(siUnits: Iterable<string>): Kind[] {
    const found = new Set([...siUnits].map((unit) => kindOf(written(unit))));
    return kinds.filter((kind) => found.has(kind));
  }

  private changed(): void {
    remember("localStorage", key, this.names.length > 0 ? this.names.join(" ") : null);
    this.listeners.forEach((listener) => listener());
  }
}

/** Those of the page: there is one reader. */
export const units = new Units();
