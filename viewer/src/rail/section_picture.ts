// A wheel on its rail in cross-section, seen from behind. All is told as of a left wheel, from the origin of the rail's profile: y to the field side, z up, m. A right one is drawn as
// its mirror image.
import { svg } from "../dom";

export type Point = [number, number];

export interface Pair {
  side: 1 | -1; // left, right
  wheel: Point[]; // outlines
  rail: Point[];
  radius: number; // of the tape circle
}

/** Of the wheel: centre of the tape circle, and how far the axle rises to the field side. */
export interface Stance {
  y: number;
  z: number;
  roll: number;
}

export interface Touch {
  y: number;
  z: number;
  angle: number; // of the plane of contact: the normal leans to the middle of the track by it
  normal?: number; // forces on the wheel, N
  across?: number; // in that plane, to the field side
}

/** A point of the profile on the rail; r0 - z from the axle. */
export function onTrack([y, z]: Point, { radius }: Pick<Pair, "radius">, at: Stance): Point {
  const [c, s] = [Math.cos(at.roll), Math.sin(at.roll)];
  const down = radius - z;
  return [at.y + c * y + s * down, at.z + s * y - c * down];
}

const mm = 1000;
const width = 170; // mm of the picture
const height = 96;
const inwards = 8; // mm: the flange is there
const head = 3; // mm, of an arrow

const arrowKinds = ["normal", "across"] as const;

export class SectionPicture {
  readonly element: SVGSVGElement;
  private readonly wheel = svg("path", { class: "wr-wheel" });
  private readonly tyre = svg("path", { class: "wr-wheel-fill" });
  private readonly rail = svg("path", { class: "wr-rail" });
  private readonly head = svg("path", { class: "wr-rail-fill" });
  private drawnRail: Point[] | null = null;
  private readonly touches = svg("g");
  private zoom = 1;
  private centre: Point = [0, 0]; // of the first contact, mm of the picture

  /** `scale`: mm of the picture a newton. */
  constructor(
    private readonly pair: Pair,
    private readonly scale = 0,
  ) {
    this.setRail(pair.rail);
    const label = pair.side > 0 ? "left wheel on its rail" : "right wheel on its rail";
    this.element = svg("svg", { class: "wr-picture", role: "img", "aria-label": label }, this.head, this.tyre, this.rail, this.wheel, this.touches);
    this.frame();
  }

  private shown([y, z]: Point): Point {
    return [-this.pair.side * y * mm, -z * mm];
  }

  private path(points: Point[]): string {
    return points.map((point, i) => `${i === 0 ? "M" : "L"}${this.shown(point).map((x) => x.toFixed(3)).join(" ")}`).join("");
  }

  /** With the body behind the outline, down or up to these heights below its first and last point. */
  private filled(points: Point[], [first, last]: Point): string {
    const [a, b] = [points[0], points[points.length - 1]];
    return this.path([[a[0], a[1] + first], ...points, [b[0], b[1] + last]]) + "Z";
  }

  /** Another profile, where the wheel has come to it. */
  setRail(rail: Point[]): void {
    if (rail === this.drawnRail) return;
    this.drawnRail = rail;
    this.rail.setAttribute("d", this.path(rail));
    this.head.setAttribute("d", this.filled(rail, [-0.06, -0.06]));
  }

  setZoom(zoom: number): void {
    this.zoom = Math.max(1, zoom);
    this.frame();
  }

  /** All of it, or the more of the first contact the larger it is. */
  private frame(): void {
    const part = 1 - 1 / this.zoom ** 2;
    const [x, y] = this.centre.map((at) => part * at);
    const [w, h] = [width / this.zoom, height / this.zoom];
    this.element.setAttribute("viewBox", [x + (1 - part) * this.pair.side * inwards - w / 2, y + (1 - part) * height * 0.05 - h / 2, w, h].map((v) => v.toFixed(3)).join(" "));
    this.element.style.setProperty("--wr-scale", String(1 / this.zoom));
  }

  show(at: Stance, touches: Touch[]): void {
    const outline = this.pair.wheel.map((point) => onTrack(point, this.pair, at));
    const top = Math.max(...outline.map(([, z]) => z)) + 0.045;
    this.wheel.setAttribute("d", this.path(outline));
    this.tyre.setAttribute("d", this.filled(outline, [top - outline[0][1], top - outline[outline.length - 1][1]]));
    this.touches.replaceChildren(...touches.flatMap((touch) => this.drawn(touch)));
    if (touches.length > 0) this.centre = this.shown([touches[0].y, touches[0].z]);
    this.frame();
  }

  private drawn(touch: Touch): SVGElement[] {
    const [x, y] = this.shown([touch.y, touch.z]);
    const [sine, cosine] = [Math.sin(touch.angle), Math.cos(touch.angle)];
    const directions = { normal: this.direction(-sine, cosine), across: this.direction(cosine, sine) };
    const [nx, ny] = directions.normal;
    const normal = svg("line", { class: "wr-normal", x1: x - 8 * nx, y1: y - 8 * ny, x2: x + 22 * nx, y2: y + 22 * ny });
    const arrows = arrowKinds.flatMap((kind) => this.arrow(x, y, directions[kind], this.scale * (touch[kind] ?? 0), `wr-arrow wr-${kind}-force`));
    const dot = svg("circle", { class: "wr-contact", cx: x, cy: y, r: 1.1 / this.zoom });
    return touch.normal === undefined ? [normal, dot] : [...arrows, dot];
  }

  private direction(y: number, z: number): Point {
    return [-this.pair.side * y, -z];
  }

  /** Lengths are those of the picture, whatever the zoom. */
  private arrow(x: number, y: number, [dx, dy]: Point, signed: number, name: string): SVGElement[] {
    const length = Math.abs(signed) / this.zoom;
    if (!(length > 0.3 / this.zoom)) return [];
    const [ux, uy] = signed > 0 ? [dx, dy] : [-dx, -dy];
    const tip = Math.min(head / this.zoom, length / 2);
    const at = (along: number, aside: number): string => `${(x + along * ux - aside * uy).toFixed(3)},${(y + along * uy + aside * ux).toFixed(3)}`;
    const [ex, ey] = [x + (length - tip) * ux, y + (length - tip) * uy];
    return [
      svg("line", { class: name, x1: x, y1: y, x2: ex, y2: ey }),
      svg("polygon", { class: `${name} wr-head`, points: [at(length, 0), at(length - tip, 0.38 * tip), at(length - tip, -0.38 * tip)].join(" ") }),
    ];
  }
}
