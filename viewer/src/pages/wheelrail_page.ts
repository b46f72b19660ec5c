// The page of `wheelrail`: both wheels on their rails in cross-section, which move with the shift; curves over the shift; equivalent conicity.
import { el } from "../dom";
import { short } from "../format";
import { type Figure, figureOf, fit, type Line } from "../plots/figure";
import { Library } from "../plots/library";
import { type Pair, type Point, SectionPicture, type Stance, type Touch } from "../rail/section_picture";
import type { Clock, Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { asOnDrawings } from "./kinematics_page";
import { card, facts, versusText } from "./parts";
import { type Patch, PatchPicture, patchText } from "./patch_picture";
import { Charts } from "./run_charts";

export interface SideContact {
  y: number; // on the track, m, to the left
  z: number;
  angle: number;
  radius: number;
  wheel_y: number;
  rail_y: number;
  rival_gap: number | null;
}
export interface ContactRow {
  shift: number;
  roll: number;
  height: number;
  delta_r: number;
  left: SideContact;
  right: SideContact;
}
interface Drawing {
  left_wheel: Point[];
  left_rail: Point[];
  right_wheel: Point[];
  right_rail: Point[];
  half: number;
  radius: number;
  left_rail_y: number;
  right_rail_y: number;
}
interface Conicity {
  amplitude: number;
  harmonic: number | null;
  integral: number | null;
}
export interface WheelrailFound {
  drawing: Drawing;
  rows: ContactRow[];
  patches?: { left: Patch; right: Patch }[]; // one a row
  conicity?: Conicity[];
}

export function wheelrailOf(run: Run): WheelrailFound | null {
  const found = (run.found ?? {}) as Partial<WheelrailFound>;
  return found.drawing && Array.isArray(found.rows) && found.rows.length > 0 ? (found as WheelrailFound) : null;
}

/** Shift, roll and height between the rows, and the contacts of the nearest one: they may jump. */
export function stanceAt(rows: ContactRow[], shift: number): { shift: number; roll: number; height: number; nearest: ContactRow } {
  const last = rows.length - 1;
  const behind = rows.findIndex((row) => row.shift > shift);
  const k = behind < 0 ? last : Math.max(1, behind);
  const [a, b] = [rows[Math.max(0, k - 1)], rows[k]];
  const part = b.shift > a.shift ? Math.min(1, Math.max(0, (shift - a.shift) / (b.shift - a.shift))) : 1;
  const mix = (of: "shift" | "roll" | "height") => a[of] + part * (b[of] - a[of]);
  return { shift: mix("shift"), roll: mix("roll"), height: mix("height"), nearest: part < 0.5 ? a : b };
}

/** The wheel of one side from the origin of its rail, as of a left wheel; `side` 1: left, -1: right. */
export function stanceOfWheel(side: 1 | -1, drawing: Drawing, stance: { shift: number; roll: number; height: number }): Stance {
  const rail = side > 0 ? drawing.left_rail_y : drawing.right_rail_y;
  const [y, z] = [stance.shift + side * Math.cos(stance.roll) * drawing.half, stance.height + side * Math.sin(stance.roll) * drawing.half];
  return { y: side * y - rail, z, roll: side * stance.roll };
}

const mm = 1000;

function pairOf(side: 1 | -1, { drawing }: WheelrailFound): Pair {
  const [wheel, rail] = side > 0 ? [drawing.left_wheel, drawing.left_rail] : [drawing.right_wheel, drawing.right_rail];
  return { side, wheel, rail, radius: drawing.radius };
}

function touchOf(side: 1 | -1, { drawing }: WheelrailFound, { y, z, angle }: SideContact): Touch {
  return { y: side * y - (side > 0 ? drawing.left_rail_y : drawing.right_rail_y), z, angle };
}

const degrees = (x: number) => `${short((x * 180) / Math.PI, 4)}°`;
const millimetres = (x: number) => `${short(x * mm, 4)} mm`;

function numbersOf({ shift, roll, nearest }: ReturnType<typeof stanceAt>): HTMLElement {
  const side = ({ angle, radius, wheel_y }: SideContact) => `y ${millimetres(wheel_y)}, ${degrees(angle)}, r ${short(radius * mm, 6)} mm`;
  return facts([
    ["shift", millimetres(shift)],
    ["roll", `${short(roll * 1000, 4)} mrad`],
    ["rolling radius difference", millimetres(nearest.delta_r)],
    ["left contact", side(nearest.left)],
    ["right contact", side(nearest.right)],
  ]);
}

export function conicityFigure(rows: Conicity[][]): Figure {
  const line = (name: string, of: "harmonic" | "integral", colour: number, list: Conicity[], run: number): Line => {
    const xs = Float64Array.from(list, (row) => row.amplitude * mm);
    const ys = Float64Array.from(list, (row) => row[of] ?? NaN);
    return { name, unit: "", run, colour, dash: run, axis: 0, time: xs, xs, ys, first: 0, last: xs.length, dots: true, still: true };
  };
  const lines = rows.flatMap((list, run) => [line("harmonic", "harmonic", 0, list, run), line("integral", "integral", 1, list, run)]);
  return fit({
    x: { key: "x", label: "amplitude [mm]", min: 0, max: 1, log: false },
    ys: [{ key: "y0", label: "", min: 0, max: 1, log: false }],
    lines,
    overTime: false,
    still: true,
    equal: false,
  });
}

const curves: [string, string, string[]][] = [
  ["Rolling radius difference", "Left less right: grows where the wheelset shifts to the left.", ["delta_r"]],
  ["Roll", "Left side up is positive.", ["roll"]],
  ["Contact angle", "Of the plane of contact to the track.", ["left.angle", "right.angle"]],
  ["Contact on the wheel", "y from the tape circle, to the field side; the flange is negative.", ["left.wheel_y", "right.wheel_y"]],
  ["Patch", "Semi-axes along and across.", ["left.a", "left.b", "right.a", "right.b"]],
];

export function wheelrailPage(runs: Run[], clock: Clock): AnalysisPage | null {
  const found = wheelrailOf(runs[0]);
  if (!found) return null;
  const sides = [1, -1] as const;
  const pictures = sides.map((side) => new SectionPicture(pairOf(side, found)));
  const patches = found.patches ? [new PatchPicture(1), new PatchPicture(-1)] : [];
  const told = patches.map(() => el("div", { class: "hint" }));
  const numbers = el("div", { class: "wr-numbers" });
  const move = () => {
    const stance = stanceAt(found.rows, clock.t);
    const { left, right } = stance.nearest;
    sides.forEach((side, i) => pictures[i].show(stanceOfWheel(side, found.drawing, stance), [touchOf(side, found, side > 0 ? left : right)]));
    numbers.replaceChildren(numbersOf(stance));
    const pair = found.patches?.[found.rows.indexOf(stance.nearest)];
    patches.forEach((picture, k) => {
      const patch = k === 0 ? pair?.left : pair?.right;
      picture.show(patch);
      told[k].textContent = patchText(patch);
    });
  };
  move();
  clock.onChange(move);
  const charts = new Charts(clock);
  const library = new Library(runs);
  const drawn = curves.map(([title, hint, names]) => {
    const choice = { curves: names.filter((name) => library.names.includes(name)), x: null, units: ["deg"], stats: false };
    const make = () => asOnDrawings(figureOf(library, choice, [clock.begin, clock.end]), runs[0]);
    return card(title, el("div", { class: "hint" }, hint), charts.add(make));
  });
  const waves = runs.flatMap((run) => wheelrailOf(run)?.conicity ?? []).length > 0 ? runs.map((run) => wheelrailOf(run)?.conicity ?? []) : [];
  const conicity = waves.length > 0 ? [card("Equivalent conicity", el("div", { class: "hint" }, "EN 15302, over the amplitude."), new Charts(clock).add(() => conicityFigure(waves)))] : [];
  const element = el(
    "div",
    { class: "page" },
    ...(runs.length > 1 ? [el("div", { class: "hint" }, versusText(runs))] : []),
    el("div", { class: "wr-pictures" }, card("Left wheel, from behind", pictures[0].element), card("Right wheel, from behind", pictures[1].element)),
    numbers,
    patches.length > 0 &&
      el(
        "div",
        { class: "wr-pictures" },
        ...patches.map((picture, k) =>
          card(
            `${k === 0 ? "Left" : "Right"} contact patch, from above`,
            el("div", { class: "hint" }, "Ahead is up. Blue sticks, orange slides; lines are the tractions on the wheel (FASTSIM)."),
            picture.element,
            told[k],
          ),
        ),
      ),
    el("div", { class: "chart-cards" }, ...drawn, ...conicity),
  );
  return { tab: "Wheel and rail", element, rebuild: () => charts.rebuild() };
}
