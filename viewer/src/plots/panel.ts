// One panel: its head with tools, legend with values, chart, numbers below it.
import { valueAt } from "../curve";
import { el, save } from "../dom";
import { fileName, steady } from "../format";
import { Chart, type Marks } from "./chart";
import { type Choice, type View, viewHints, viewTexts } from "./choice";
import { csv } from "./csv";
import { ellipseFigure } from "./ellipse";
import { canBeEqual, type Figure, figureOf, type Line, lookOf } from "./figure";
import type { Library } from "./library";
import { colour, inkOf, isDark, swatchClass } from "./palette";
import { statisticsTable, weightedTable } from "./panel_table";
import type { PointerActions } from "./pointer";
import { png, svgDrawing } from "./svg_drawing";
import { spectrumNote, transformed } from "./views";

export interface PanelActions extends PointerActions {
  activate(panel: Panel): void;
  remove(panel: Panel): void;
  changed(): void; // the choice of curves
}

const manyForSelect = 400;

export class Panel {
  readonly element: HTMLElement;
  private readonly chart: Chart;
  private readonly title = el("div", { class: "panel-title" });
  private readonly legend = el("div", { class: "legend" });
  private readonly tools = el("div", { class: "panel-tools" });
  private readonly statistics = el("div", { class: "panel-stats" });
  private readonly note = el("div", { class: "panel-note" });
  private readonly values: { name: string; run: number; cell: HTMLElement }[] = [];
  private range: [number, number] = [0, 1];
  private zoomed = false;
  private marks: Marks = { t: NaN, hover: null };

  constructor(
    private readonly library: Library,
    readonly choice: Choice,
    private readonly actions: PanelActions,
  ) {
    const host = el("div", { class: "chart" });
    this.element = el(
      "section",
      { class: "panel", onpointerdown: () => actions.activate(this) },
      el("div", { class: "panel-head" }, this.legend, el("div", { class: "panel-bar" }, this.title, this.tools)),
      host,
      this.statistics,
      this.note,
    );
    this.chart = new Chart(host, actions);
  }

  toggle(name: string): void {
    const at = this.choice.curves.indexOf(name);
    if (at >= 0) this.choice.curves.splice(at, 1);
    else this.choice.curves.push(name);
    this.rebuild();
  }

  /** Anew, after another choice or theme. */
  rebuild(): void {
    this.title.textContent = this.choice.title ?? "";
    this.title.hidden = !this.choice.title;
    this.element.classList.toggle("titled", !this.title.hidden);
    this.element.classList.toggle("tall-panel", this.choice.view === "ellipse");
    this.drawTools();
    this.drawLegend();
    this.show(this.range, this.zoomed);
    this.actions.changed();
  }

  show(range: [number, number], zoomed: boolean): void {
    this.range = range;
    this.zoomed = zoomed;
    this.chart.show(this.figure(range));
    this.drawNumbers();
    this.drawNote();
  }

  private figure(range: [number, number]): Figure {
    return this.choice.view === "ellipse" ? ellipseFigure(this.library, range) : figureOf(this.library, this.choice, range);
  }

  mark(marks: Marks): void {
    this.marks = marks;
    this.chart.mark(marks);
    for (const { name, run, cell } of this.values) {
      const value = this.valueOf(name, run);
      const about = this.library.runs[run].thinned > 1 && Number.isFinite(value); // samples in between were left out
      cell.textContent = (about ? "≈\u202f" : "") + steady(value);
    }
  }

  dispose(): void {
    this.chart.dispose();
  }

  setActive(active: boolean): void {
    this.element.classList.toggle("active", active);
  }

  /** Under the pointer, else at the present time. */
  valueOf(name: string, run: number): number {
    const samples = this.library.samples(run, name, this.choice.units);
    if (!samples) return NaN;
    const values = transformed(this.choice.view, samples);
    return valueAt({ time: samples.time, values }, this.marks.hover ?? this.marks.t);
  }

  xLimits(): [number, number] {
    return this.chart.xLimits();
  }

  private drawTools(): void {
    const { choice, library } = this;
    const angle = [...choice.curves, choice.x ?? ""].find((name) => /^rad\b/.test(library.siUnit(name)));
    const inDegrees = angle !== undefined && library.unit(angle, choice.units).startsWith("deg");
    const button = (text: string, title: string, action: () => void, on?: boolean) =>
      el(
        "button",
        { class: on ? "tool on" : "tool", title, "aria-label": title, "aria-pressed": on, onclick: action },
        text,
      );
    const flip = (key: "stats" | "equal") => () => {
      choice[key] = !choice[key];
      this.rebuild();
    };
    const turn = () => this.setUnits([...(choice.units ?? []).filter((unit) => !/^(rad|deg)/.test(unit)), inDegrees ? "rad" : "deg"]);
    const ofCurves = choice.view !== "ellipse";
    this.tools.replaceChildren(
      ...(ofCurves ? [this.viewSelect()] : []),
      ...(ofCurves && choice.view !== "psd" && choice.view !== "amplitude" ? [this.xSelect()] : []),
      ...(angle !== undefined ? [button("deg", "Angles in degrees", turn, inDegrees)] : []),
      ...(canBeEqual(library, choice) ? [button("1:1", "x and y to the same scale", flip("equal"), choice.equal)] : []),
      ...(ofCurves ? [button("Σ", "Statistics", flip("stats"), choice.stats)] : []),
      button("CSV", "Download the curves as CSV", () => this.download("csv")),
      button("SVG", "Download the panel as SVG", () => this.download("svg")),
      button("PNG", "Download the panel as PNG", () => this.download("png")),
      button("✕", "Remove the panel", () => this.actions.remove(this)),
    );
  }

  setUnits(own: string[]): void {
    this.choice.units = own;
    this.rebuild();
  }

  /** What is made of the curves. */
  private viewSelect(): HTMLElement {
    const now = this.choice.view ?? "curves";
    const offered = (Object.keys(viewTexts) as View[]).filter((view) => view !== "ellipse");
    const select = el(
      "select",
      { class: "view-select", title: viewHints[now], "aria-label": "What is shown of the curves" },
      ...offered.map((view) => el("option", { value: view, selected: view === now, title: viewHints[view] }, viewTexts[view])),
    );
    select.addEventListener("change", () => this.setView(select.value as View));
    return select;
  }

  setView(view: View): void {
    this.choice.view = view;
    this.rebuild();
  }

  /** Chooses the channel of the x axis. */
  private xSelect(): HTMLElement {
    const offered = this.library.names.slice(0, manyForSelect);
    if (this.choice.x !== null && !offered.includes(this.choice.x)) offered.push(this.choice.x);
    const option = (value: string, text: string, selected: boolean) => el("option", { value, selected }, text);
    const current = this.choice.x;
    const select = el(
      "select",
      { class: "x-select", title: "Channel of the x axis", "aria-label": "Channel of the x axis" },
      option("", `x: ${this.library.runs[0]?.info?.abscissa || "time"}`, current === null),
      ...offered.map((name, i) => option(String(i), `x: ${name.slice(0, 80)}`, name === current)),
    );
    select.addEventListener("change", () => this.setX(select.value === "" ? null : offered[Number(select.value)]));
    return select;
  }

  setX(name: string | null): void {
    this.choice.x = name;
    this.rebuild();
  }

  private drawLegend(): void {
    this.values.length = 0;
    const { library, choice } = this;
    const chips: HTMLElement[] = choice.curves.map((name, index) => {
      const unit = library.unit(name, choice.units);
      const isSpectrum = choice.view === "psd" || choice.view === "amplitude";
      const cells = isSpectrum ? [] : library.visible.flatMap((run) => (library.exists(run, name) ? [this.valueCell(name, run)] : []));
      return el(
        "div",
        { class: "chip", title: library.formula(name) ?? name },
        this.swatch(index),
        el("span", { class: "chip-name" }, el("bdi", {}, name === "" ? "(no name)" : name)),
        ...cells,
        el("span", { class: "unit", title: unit }, unit),
        el(
          "button",
          { class: "chip-remove", title: "Remove the curve", "aria-label": "Remove the curve", onclick: () => this.toggle(name) },
          "×",
        ),
      );
    });
    if (choice.view === "ellipse") chips.push(...this.tyreChips());
    else if (chips.length === 0) chips.push(el("div", { class: "hint" }, "Choose channels in the list to draw them here."));
    this.legend.replaceChildren(...chips);
    this.mark(this.marks);
  }

  /** Of a curve: its colour, or its dashes where colours tell runs. */
  private swatch(index: number): HTMLElement {
    const byRun = this.library.colourByRun;
    const { colour: hue, dash } = lookOf(this.library, index, 0);
    const ink = byRun ? "currentColor" : colour(hue, isDark());
    return el("span", { class: swatchClass(dash), style: inkOf(ink, dash) });
  }

  private tyreChips(): HTMLElement[] {
    const { lines } = ellipseFigure(this.library, this.range);
    const named = lines.filter((line, i) => !line.still && lines.findIndex((each) => each.name === line.name) === i);
    const byRun = this.library.colourByRun;
    const style = (line: Line) => inkOf(byRun ? "currentColor" : colour(line.colour, isDark()), byRun ? (line.dash ?? 0) : 0);
    return named.map((line) => el("div", { class: "chip", title: line.name }, el("span", { class: "swatch", style: style(line) }), el("bdi", {}, line.name)));
  }

  private valueCell(name: string, run: number): HTMLElement {
    const byRun = this.library.colourByRun;
    const cell = el("span", {
      class: !byRun && run > 0 ? "value second" : "value",
      style: byRun ? `color:${colour(lookOf(this.library, 0, run).colour, isDark())}` : undefined,
      title: this.library.runs[run].label,
    });
    this.values.push({ name, run, cell });
    return cell;
  }

  private drawNumbers(): void {
    const { library, choice, range } = this;
    const parts = choice.curves.length > 0 ? weightedTable(library, choice, range) : [];
    if (choice.stats && choice.curves.length > 0) parts.push(...statisticsTable(library, choice, range, this.zoomed));
    this.statistics.replaceChildren(...parts);
  }

  private drawNote(): void {
    const thinned = Math.max(...this.library.runs.map((run) => run.thinned));
    const notes = thinned > 1 ? [`Thinned: about one of ${Math.round(thinned)} samples is drawn, smallest and largest kept.`] : [];
    const isSpectrum = this.choice.view === "psd" || this.choice.view === "amplitude";
    const first = this.choice.curves.map((name) => this.library.samples(this.library.visible[0] ?? 0, name)).find((each) => each);
    if (isSpectrum && first) {
      notes.unshift(spectrumNote(first, this.range));
      if (thinned > 1) notes.push("Its spectrum is not that of the run: skyhook report --max-size keeps more samples.");
    }
    if (this.choice.view === "ellipse") notes.unshift("Forces on the wheels over their loads; dots: now; dashed: largest at the tyre's usual load, where it is known.");
    this.note.textContent = notes.join(" ");
  }

  private get runLabels(): string[] {
    return this.library.runs.map((run, i) => run.label || `run ${i + 1}`);
  }

  /** All curves at all their times, whatever the zoom; spectra are those of the range shown. */
  csv(): string {
    const isSpectrum = this.choice.view === "psd" || this.choice.view === "amplitude";
    return csv(this.figure(isSpectrum ? this.range : [-Infinity, Infinity]), this.runLabels);
  }

  svg(): string {
    return svgDrawing(this.figure(this.range), this.runLabels);
  }

  private async download(kind: "csv" | "svg" | "png"): Promise<void> {
    const name = fileName(this.choice.curves[0] ?? this.choice.title ?? "panel") + "." + kind;
    if (kind === "csv") save(name, new Blob([this.csv()], { type: "text/csv" }));
    else if (kind === "svg") save(name, new Blob([this.svg()], { type: "image/svg+xml" }));
    else save(name, await png(this.svg()));
  }
}
