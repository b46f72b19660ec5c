// The panels, with what they share: the time, the zoom, the list of channels, formulas, runs, pages.
import { el } from "../dom";
import { popover } from "../popover";
import type { Clock } from "../types";
import { ChannelBrowser } from "./browser";
import { type Choice, emptyChoice } from "./choice";
import { hasTyres } from "./ellipse";
import { FormulaField } from "./formula_field";
import { handlingForm } from "./handling";
import type { Library } from "./library";
import { type PageState, Pages } from "./pages";
import { Panel } from "./panel";
import { runLegend } from "./run_legend";

export interface PlotsState extends PageState {
  active: number;
  range: [number, number] | null;
  formulas?: string[];
  hidden?: number[]; // runs
}

export class Plots {
  readonly element: HTMLElement;
  readonly browser: ChannelBrowser;
  private readonly stack = el("div", { class: "panels" });
  private readonly runBar = el("div", { class: "run-legend" });
  private readonly pages: Pages;
  private readonly formulas: FormulaField;
  private readonly zoomButton = el(
    "button",
    { class: "tool", title: "Show all (double click in a panel)", onclick: () => this.zoom(null) },
    "⤢ All",
  );
  private readonly runListeners: ((run: number, on: boolean) => void)[] = [];
  private list: Panel[] = [];
  private active = 0;
  private range: [number, number] | null = null;
  private hovered: number | null = null;

  constructor(
    readonly library: Library,
    private readonly clock: Clock,
    state: PlotsState | null,
  ) {
    for (const text of state?.formulas ?? []) defineIfPossible(library, text);
    for (const run of state?.hidden ?? []) if (run < library.runs.length) library.shown[run] = false;
    this.formulas = new FormulaField(library, (name) => this.addCurve(name));
    this.pages = new Pages(library, firstPanels(library), state, {
      now: () => this.choices(),
      open: (panels) => this.setPanels(panels),
      tell: (text) => this.formulas.tell(text),
    });
    this.list = this.pages.first().map((choice) => this.make(this.known(choice)));
    if (this.list.length === 0) this.list.push(this.make(emptyChoice()));
    this.active = Math.min(Math.max(0, state?.active ?? 0), this.list.length - 1);
    this.range = state?.range ?? null;
    this.browser = new ChannelBrowser(library, {
      toggle: (name, another) => this.toggle(name, another),
      useAsX: (name) => this.list[this.active].setX(name),
      chosen: (name) => this.list[this.active]?.choice.curves.includes(name) ?? false,
    });
    this.element = el(
      "div",
      { class: "plots" },
      this.browser.element,
      el("div", { class: "plots-main" }, this.head(), this.formulas.element, this.runBar, this.stack),
    );
    this.arrange();
    clock.onChange(() => this.mark());
  }

  private head(): HTMLElement {
    const fold = () => this.showBrowser(this.element.classList.contains("no-browser"));
    return el(
      "div",
      { class: "plots-head" },
      el("button", { class: "tool", title: "Show or hide the list of channels", onclick: fold }, "☰ Channels"),
      el("button", { class: "tool", title: "Add an empty panel", onclick: () => this.addPanel() }, "+ Panel"),
      popover("More ▾", "Panels that are ready-made, and this page for the model file", this.more()),
      this.zoomButton,
      this.pages.element,
      el("span", { class: "plots-hint" }, "click: set time · drag: zoom · double click: all"),
    );
  }

  private more(): HTMLElement {
    const tell = (text: string) => this.formulas.tell(text);
    const ellipse = () => this.addPanel({ ...emptyChoice(), view: "ellipse", title: "Tyre forces" });
    return el(
      "div",
      { class: "more-box" },
      hasTyres(this.library) &&
        el("button", { class: "tool", title: "Forces of all tyres over their loads", onclick: ellipse }, "Friction ellipses"),
      handlingForm(this.library, (choice) => this.addPanel(choice), tell),
      this.pages.yamlBox(),
    );
  }

  showBrowser(visible: boolean): void {
    this.element.classList.toggle("no-browser", !visible);
    this.browser.draw();
  }

  private known(choice: Choice): Choice {
    const x = choice.x !== null && this.library.has(choice.x) ? choice.x : null;
    return { ...emptyChoice(), ...choice, x, curves: choice.curves.filter((name) => this.library.has(name)) };
  }

  private make(choice: Choice): Panel {
    return new Panel(this.library, choice, {
      setTime: (t) => this.clock.set(t),
      hover: (t) => this.hover(t),
      zoom: (range) => this.zoom(range),
      activate: (panel) => this.activate(this.list.indexOf(panel)),
      remove: (panel) => this.removePanel(this.list.indexOf(panel)),
      changed: () => this.browser?.draw(),
    });
  }

  private arrange(): void {
    this.stack.replaceChildren(...this.list.map((panel) => panel.element));
    this.rebuild();
    this.activate(this.active);
  }

  /** Everything anew, for instance in other colours. */
  rebuild(): void {
    this.drawRuns();
    for (const panel of this.list) panel.rebuild();
    this.zoom(this.range);
    this.mark();
    this.browser.draw();
  }

  private drawRuns(): void {
    this.runBar.hidden = this.library.runs.length < 2;
    if (this.runBar.hidden) return;
    const colour = (byRun: boolean) => {
      this.library.colourByRun = byRun;
      this.rebuild();
    };
    this.runBar.replaceChildren(...runLegend(this.library, { show: (run, on) => this.showRun(run, on), colour }));
  }

  /** Switches a run on or off, here and wherever else it is shown. */
  showRun(run: number, on: boolean): void {
    this.library.shown[run] = on;
    this.rebuild();
    this.runListeners.forEach((listener) => listener(run, on));
  }

  onRun(listener: (run: number, on: boolean) => void): void {
    this.runListeners.push(listener);
    this.library.shown.forEach((on, run) => !on && listener(run, on));
  }

  private activate(index: number): void {
    this.active = index;
    this.list.forEach((panel, i) => panel.setActive(i === index && this.list.length > 1));
    this.browser.draw();
  }

  addPanel(choice: Choice = emptyChoice()): number {
    this.list.push(this.make(this.known(choice)));
    this.active = this.list.length - 1;
    this.browser.update();
    this.arrange();
    this.list[this.active].element.scrollIntoView({ block: "nearest" });
    return this.active;
  }

  removePanel(index: number): void {
    this.list.splice(index, 1).forEach((panel) => panel.dispose());
    if (this.list.length === 0) this.list.push(this.make(emptyChoice()));
    this.active = Math.min(this.active, this.list.length - 1);
    this.arrange();
  }

  private setPanels(panels: Choice[]): void {
    this.list.forEach((panel) => panel.dispose());
    this.list = panels.map((choice) => this.make(this.known(choice)));
    if (this.list.length === 0) this.list.push(this.make(emptyChoice()));
    this.active = 0;
    this.browser.update();
    this.arrange();
  }

  private toggle(name: string, inNewPanel: boolean): void {
    const { choice } = this.list[this.active];
    if (inNewPanel || choice.view === "ellipse") this.addPanel({ ...emptyChoice(), curves: [name] });
    else this.list[this.active].toggle(name);
  }

  /** Of a formula: to the active panel, and to the list of channels. */
  private addCurve(name: string): void {
    this.browser.update();
    const { choice } = this.list[this.active];
    if (choice.curves.includes(name)) this.rebuild(); // it may have been defined anew
    else this.toggle(name, false);
  }

  private hover(t: number | null): void {
    if (t === this.hovered) return;
    this.hovered = t;
    this.mark();
  }

  private mark(): void {
    for (const panel of this.list) panel.mark({ t: this.clock.t, hover: this.hovered });
  }

  /** Of all panels; null: all of the time. */
  zoom(range: [number, number] | null): void {
    const [begin, end] = this.wholeRange();
    const clipped: [number, number] | null = range && [Math.max(begin, range[0]), Math.min(end, range[1])];
    const whole = !clipped || !(clipped[1] > clipped[0]) || (clipped[0] <= begin && clipped[1] >= end);
    this.range = whole ? null : clipped;
    this.zoomButton.disabled = this.range === null;
    for (const panel of this.list) panel.show(this.xRange(), this.range !== null);
    this.mark();
  }

  private wholeRange(): [number, number] {
    let begin = Infinity;
    let end = -Infinity;
    for (const time of this.library.runs.flatMap((run) => run.times)) {
      if (time.length === 0) continue;
      begin = Math.min(begin, time[0]);
      end = Math.max(end, time[time.length - 1]);
    }
    if (!(begin < end)) [begin, end] = [this.clock.begin, this.clock.end];
    if (!(begin < end)) [begin, end] = [begin - 0.5, begin + 0.5];
    return [begin, end];
  }

  xRange(): [number, number] {
    return this.range ?? this.wholeRange();
  }

  private choices(): Choice[] {
    return this.list.map(({ choice }) => choice);
  }

  panels(): Choice[] {
    return this.choices().map((choice) => ({ ...choice, curves: [...choice.curves] }));
  }

  panel(index: number): Panel {
    return this.list[index];
  }

  addChannel(index: number, name: string): void {
    if (!this.list[index].choice.curves.includes(name)) this.list[index].toggle(name);
  }

  /** Panel by panel what the legends say, as numbers. */
  cursorValues(): { name: string; run: number; value: number }[][] {
    return this.list.map((panel) =>
      panel.choice.curves.flatMap((name) =>
        this.library.visible.flatMap((run) =>
          this.library.exists(run, name) ? [{ name, run, value: panel.valueOf(name, run) }] : [],
        ),
      ),
    );
  }

  state(): PlotsState {
    const hidden = this.library.shown.flatMap((on, run) => (on ? [] : [run]));
    return { ...this.pages.state(), active: this.active, range: this.range, formulas: this.library.typed(), hidden };
  }
}

/** Another run may not have its channels. */
function defineIfPossible(library: Library, text: string): void {
  try {
    library.define(text);
  } catch {
    // A panel leaves out what is not known.
  }
}

/** Of the first two units up to three channels each, those that change before those that do not. */
function firstPanels(library: Library): Choice[] {
  const moving = library.names.filter((name) => {
    const stats = (library.curve(0, name) ?? library.curve(1, name))?.stats;
    return stats && stats.max > stats.min;
  });
  const byUnit = new Map<string, string[]>();
  for (const name of moving.length > 0 ? moving : library.names) {
    const unit = library.siUnit(name);
    const group = byUnit.get(unit) ?? [];
    if (group.length < 3) byUnit.set(unit, [...group, name]);
  }
  return [...byUnit.values()].slice(0, 2).map((curves) => ({ ...emptyChoice(), curves }));
}
