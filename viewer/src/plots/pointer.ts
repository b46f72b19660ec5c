// The pointer above a chart: a click sets the time, a drag zooms, a drag of the time line (or with Shift) scrubs,
// a double click shows all, the wheel with Ctrl zooms about the pointer.
import type uPlot from "uplot";
import { el } from "../dom";

export interface PointerActions {
  setTime(t: number): void;
  hover(t: number | null): void;
  zoom(range: [number, number] | null): void; // null: all
}

const grip = 6; // pixels beside the time line that still take hold of it
const doubleClick = 600; // ms, longer than that of usual systems
const least = 5; // a drag shorter than this is a click

export class Pointer {
  private mode: "none" | "zoom" | "scrub" = "none";
  private start = 0;
  private before: number | null = null; // the time before the first click of a double click
  private pressed = -Infinity; // when, in ms
  private readonly selection = el("div", { class: "chart-selection" });

  /** `now` tells the time of the time line, null where x is no time. */
  constructor(
    private readonly plot: uPlot,
    private readonly actions: PointerActions,
    private readonly now: () => number | null,
  ) {
    const over = plot.over;
    this.selection.style.display = "none";
    over.append(this.selection);
    over.addEventListener("pointerdown", (event) => this.down(event));
    over.addEventListener("pointermove", (event) => this.move(event));
    over.addEventListener("pointerup", (event) => this.up(event));
    over.addEventListener("pointercancel", () => this.stop());
    over.addEventListener("pointerleave", () => this.actions.hover(null));
    over.addEventListener("dblclick", () => this.showAll());
    over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Its clicks have set the time: it goes back to where it was. */
  private showAll(): void {
    if (this.before !== null) this.actions.setTime(this.before);
    this.actions.zoom(null);
  }

  private left(event: MouseEvent): number {
    const { left, width } = this.plot.over.getBoundingClientRect();
    return Math.min(width, Math.max(0, event.clientX - left));
  }

  private time(left: number): number {
    return this.plot.posToVal(left, "x");
  }

  private nearLine(left: number): boolean {
    const now = this.now();
    return now !== null && Math.abs(this.plot.valToPos(now, "x") - left) <= grip;
  }

  private down(event: PointerEvent): void {
    const now = this.now();
    if (event.button !== 0 || now === null) return;
    if (performance.now() - this.pressed > doubleClick) this.before = now;
    this.pressed = performance.now();
    this.start = this.left(event);
    this.mode = event.shiftKey || this.nearLine(this.start) ? "scrub" : "zoom";
    this.plot.over.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  private move(event: PointerEvent): void {
    if (this.now() === null) return;
    const left = this.left(event);
    this.plot.over.style.cursor =
      this.mode === "scrub" || (this.mode === "none" && this.nearLine(left)) ? "ew-resize" : "crosshair";
    if (this.mode === "scrub") {
      this.actions.setTime(this.time(left));
      return;
    }
    if (this.mode === "zoom") this.select(this.start, left);
    this.actions.hover(this.time(left));
  }

  private select(a: number, b: number): void {
    const visible = Math.abs(a - b) >= least;
    this.selection.style.display = visible ? "" : "none";
    this.selection.style.left = `${Math.min(a, b)}px`;
    this.selection.style.width = `${Math.abs(a - b)}px`;
  }

  private up(event: PointerEvent): void {
    const left = this.left(event);
    const mode = this.mode;
    this.stop();
    if (mode === "none") return;
    if (mode === "scrub" || Math.abs(left - this.start) < least) this.actions.setTime(this.time(left));
    else this.actions.zoom([this.time(Math.min(left, this.start)), this.time(Math.max(left, this.start))]);
  }

  private stop(): void {
    this.mode = "none";
    this.selection.style.display = "none";
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey || this.now() === null) return; // the plain wheel scrolls the panels
    event.preventDefault();
    const centre = this.time(this.left(event));
    const factor = Math.exp(Math.sign(event.deltaY) * 0.2);
    const { min, max } = this.plot.scales.x;
    this.actions.zoom([centre + ((min ?? 0) - centre) * factor, centre + ((max ?? 1) - centre) * factor]);
  }
}
