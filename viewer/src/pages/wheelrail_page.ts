// The page of `wheelrail`: both wheels on their rails in cross-section, which move with the shift; curves over the shift; equivalent conicity.
import { el, svg } from "../dom";
import { short } from "../format";
import { type Figure, figureOf, fit, type Line } from "../plots/figure";
import { Library } from "../plots/library";
import type { Clock, Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { asOnDrawings } from "./kinematics_page";
import { card, facts, versusText } from "./parts";
import { type Patch, PatchPicture, patchText } from "./patch_picture";
import { Charts } from "./run_charts";

type Point = [number, number];

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

/** A point of a wheel's profile on the track; `side` 1: left, -1: right. */
export function wheelPoint([y, z]: Point, side: number, drawing: Drawing, stance: { shift: number; roll: number; height: number }): Point {
  const [across, up] = [side * (drawing.half + y), z - drawing.radius];
  const [c, s] = [Math.cos(stance.roll), Math.sin(stance.roll)];
  return [stance.shift + c * across - s * up, stance.height + s * across + c * up];
}

const mm = 1000;
const width = 150; // mm of the picture
const height = 85;

/** Seen from behind: y to the left, z up; in mm about the top of the rail. */
function pathOf(points: Point[], centre: number): string {
  return points.map(([y, z], i) => `${i === 0 ? "M" : "L"}${(-(y - centre) * mm).toFixed(3)} ${(-z * mm).toFixed(3)}`).join("");
}

class SidePicture {
  readonly element: SVGSVGElement;
  private readonly wheel = svg("path", { class: "wr-wheel" });
  private readonly dot = svg("circle", { class: "wr-contact", r: 1.4 });
  private readonly normal = svg("line", { class: "wr-normal" });
  private readonly centre: number;

  constructor(private readonly side: 1 | -1, private readonly found: WheelrailFound) {
    const { drawing } = found;
    this.centre = side * (side > 0 ? drawing.left_rail_y : drawing.right_rail_y);
    const outline = (side > 0 ? drawing.left_rail : drawing.right_rail).map(([y, z]): Point => [this.centre + side * y, z]);
    const rail = svg("path", { class: "wr-rail", d: pathOf(outline, this.centre) });
    this.element = svg(
      "svg",
      { class: "wr-picture", viewBox: `${-width / 2} ${-height * 0.45} ${width} ${height}`, role: "img", "aria-label": side > 0 ? "left wheel on its rail" : "right wheel on its rail" },
      rail,
      this.wheel,
      this.normal,
      this.dot,
    );
  }

  show(stance: ReturnType<typeof stanceAt>): void {
    const { drawing } = this.found;
    const profile = this.side > 0 ? drawing.left_wheel : drawing.right_wheel;
    this.wheel.setAttribute("d", pathOf(profile.map((point) => wheelPoint(point, this.side, drawing, stance)), this.centre));
    const contact = this.side > 0 ? stance.nearest.left : stance.nearest.right;
    const [x, y] = [-(contact.y - this.centre) * mm, -contact.z * mm];
    this.dot.setAttribute("cx", x.toFixed(3));
    this.dot.setAttribute("cy", y.toFixed(3));
    // The normal leans to the middle of the track by the angle of contact.
    const [dx, dy] = [this.side * Math.sin(contact.angle), -Math.cos(contact.angle)];
    Object.entries({ x1: x - 8 * dx, y1: y - 8 * dy, x2: x + 22 * dx, y2: y + 22 * dy }).forEach(([name, value]) => this.normal.setAttribute(name, value.toFixed(3)));
  }
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
  const pictures = [new SidePicture(1, found), new SidePicture(-1, found)];
  const patches = found.patches ? [new PatchPicture(1), new PatchPicture(-1)] : [];
  const told = patches.map(() => el("div", { class: "hint" }));
  const numbers = el("div", { class: "wr-numbers" });
  const move = () => {
    const stance = stanceAt(found.rows, clock.t);
    pictures.forEach((picture) => picture.show(stance));
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
