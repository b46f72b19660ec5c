// One panel: its head with tools, legend with values, chart, statistics.
import { valueAt } from "../curve";
import { el, save, table } from "../dom";
import { fileName, short, steady } from "../format";
import { Chart, type Marks } from "./chart";
import { csv } from "./csv";
import { canBeEqual, type Choice, figureOf } from "./figure";
import type { Library } from "./library";
import { colour, dashes, isDark } from "./palette";
import type { PointerActions } from "./pointer";
import { png, svgDrawing } from "./svg_drawing";

export interface PanelActions extends PointerActions {
  activate(panel: Panel): void;
  remove(panel: Panel): void;
  changed(): void; // the choice of curves
}

const manyForSelect = 400;

export class Panel {
  readonly element: HTMLElement;
  private readonly chart: Chart;
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
      el("div", { class: "panel-head" }, this.legend, this.tools),
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
    this.drawTools();
    this.drawLegend();
    this.show(this.range, this.zoomed);
    this.actions.changed();
  }

  show(range: [number, number], zoomed: boolean): void {
    this.range = range;
    this.zoomed = zoomed;
    this.chart.show(figureOf(this.library, this.choice, range));
    this.drawStatistics();
    this.drawNote();
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
    const samples = this.library.samples(run, name, this.choice.degrees);
    return samples ? valueAt(samples, this.marks.hover ?? this.marks.t) : NaN;
  }

  xLimits(): [number, number] {
    return this.chart.xLimits();
  }

  private drawTools(): void {
    const { choice } = this;
    const angles = [...choice.curves, choice.x ?? ""].some((name) => this.library.isAngle(name));
    const button = (text: string, title: string, action: () => void, on?: boolean) =>
      el(
        "button",
        { class: on ? "tool on" : "tool", title, "aria-label": title, "aria-pressed": on, onclick: action },
        text,
      );
    const flip = (key: "degrees" | "stats" | "equal") => () => {
      choice[key] = !choice[key];
      this.rebuild();
    };
    this.tools.replaceChildren(
      this.xSelect(),
      ...(angles ? [button("deg", "Angles in degrees", flip("degrees"), choice.degrees)] : []),
      ...(canBeEqual(this.library, choice)
        ? [button("1:1", "x and y to the same scale", flip("equal"), choice.equal)]
        : []),
      button("Σ", "Statistics", flip("stats"), choice.stats),
      button("CSV", "Download the curves as CSV", () => this.download("csv")),
      button("SVG", "Download the panel as SVG", () => this.download("svg")),
      button("PNG", "Download the panel as PNG", () => this.download("png")),
      button("✕", "Remove the panel", () => this.actions.remove(this)),
    );
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
      option("", "x: time", current === null),
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
    const chips = this.choice.curves.map((name, index) => {
      const unit = this.library.unit(name, this.choice.degrees);
      const cells = this.library.runs.flatMap((_, run) =>
        this.library.channel(run, name) ? [this.valueCell(name, run)] : [],
      );
      const remove = () => this.toggle(name);
      return el(
        "div",
        { class: "chip", title: name },
        el("span", { class: "swatch", style: `background:${colour(index, isDark())}` }),
        el("span", { class: "chip-name" }, el("bdi", {}, name === "" ? "(no name)" : name)),
        ...cells,
        el("span", { class: "unit", title: unit }, unit),
        el(
          "button",
          { class: "chip-remove", title: "Remove the curve", "aria-label": "Remove the curve", onclick: remove },
          "×",
        ),
      );
    });
    if (chips.length === 0) chips.push(el("div", { class: "hint" }, "Choose channels in the list to draw them here."));
    this.legend.replaceChildren(...chips);
    this.mark(this.marks);
  }

  private valueCell(name: string, run: number): HTMLElement {
    const cell = el("span", {
      class: dashes(run).length > 0 ? "value second" : "value",
      title: this.library.runs[run].label,
    });
    this.values.push({ name, run, cell });
    return cell;
  }

  private drawStatistics(): void {
    this.statistics.replaceChildren();
    if (!this.choice.stats || this.choice.curves.length === 0) return;
    const several = this.library.runs.length > 1;
    const rows = this.choice.curves.flatMap((name, index) =>
      this.library.runs.flatMap((run, i) => {
        const s = this.library.statistics(i, name, this.choice.degrees, this.zoomed ? this.range : null);
        if (!s) return [];
        const label = el(
          "span",
          {},
          el("span", { class: "swatch", style: `background:${colour(index, isDark())}` }),
          el("bdi", {}, name),
        );
        const numbers = [s.min, s.t_min, s.max, s.t_max, s.mean, s.rms, s.first, s.last].map((value) =>
          el("span", { class: "n" }, short(value)),
        );
        return [[label, ...(several ? [run.label] : []), this.library.unit(name, this.choice.degrees), ...numbers]];
      }),
    );
    const unit = this.library.runs[0].info.abscissa_unit;
    const head = [
      "",
      ...(several ? ["run"] : []),
      "unit",
      "min",
      `at [${unit}]`,
      "max",
      `at [${unit}]`,
      "mean",
      "rms",
      "first",
      "last",
    ];
    const thinned = this.library.runs.some((run) => run.thinned > 1);
    const source = this.zoomed
      ? `Of the samples between ${short(this.range[0])} ${unit} and ${short(this.range[1])} ${unit}${thinned ? " that this page holds" : ""}.`
      : "Of all samples of the run.";
    this.statistics.append(table(head, rows, "stats"), el("div", { class: "panel-note" }, source));
  }

  private drawNote(): void {
    const thinned = Math.max(...this.library.runs.map((run) => run.thinned));
    this.note.textContent =
      thinned > 1 ? `Thinned: about one of ${Math.round(thinned)} samples is drawn, smallest and largest kept.` : "";
  }

  private get runLabels(): string[] {
    return this.library.runs.map((run, i) => run.label || `run ${i + 1}`);
  }

  /** All curves at all their times, whatever the zoom. */
  csv(): string {
    return csv(figureOf(this.library, this.choice, [-Infinity, Infinity]), this.runLabels);
  }

  svg(): string {
    return svgDrawing(figureOf(this.library, this.choice, this.range), this.runLabels);
  }

  private async download(kind: "csv" | "svg" | "png"): Promise<void> {
    const name = fileName(this.choice.curves[0] ?? "panel") + "." + kind;
    if (kind === "csv") save(name, new Blob([this.csv()], { type: "text/csv" }));
    else if (kind === "svg") save(name, new Blob([this.svg()], { type: "image/svg+xml" }));
    else save(name, await png(this.svg()));
  }
}
