// The panels, with what they share: the time, the zoom, the list of channels.
import { el } from "../dom";
import type { Clock } from "../types";
import { ChannelBrowser } from "./browser";
import type { Choice } from "./figure";
import { Library } from "./library";
import { Panel } from "./panel";

export interface PlotsState {
  panels: Choice[];
  active: number;
  range: [number, number] | null;
}

export class Plots {
  readonly element: HTMLElement;
  readonly browser: ChannelBrowser;
  readonly library: Library;
  private readonly stack = el("div", { class: "panels" });
  private readonly zoomButton = el(
    "button",
    { class: "tool", title: "Show all (double click in a panel)", onclick: () => this.zoom(null) },
    "⤢ All",
  );
  private list: Panel[] = [];
  private active = 0;
  private range: [number, number] | null = null;
  private hovered: number | null = null;

  constructor(
    library: Library,
    private readonly clock: Clock,
    state: PlotsState | null,
  ) {
    this.library = library;
    const start = state ?? { panels: firstPanels(library), active: 0, range: null };
    this.list = start.panels.map((choice) => this.make(this.known(choice)));
    if (this.list.length === 0) this.list.push(this.make(emptyChoice()));
    this.active = Math.min(Math.max(0, start.active), this.list.length - 1);
    this.range = start.range;
    this.browser = new ChannelBrowser(library, {
      toggle: (name, another) => this.toggle(name, another),
      useAsX: (name) => this.list[this.active].setX(name),
      chosen: (name) => this.list[this.active]?.choice.curves.includes(name) ?? false,
    });
    this.element = el(
      "div",
      { class: "plots" },
      this.browser.element,
      el("div", { class: "plots-main" }, this.head(), this.stack),
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
      this.zoomButton,
      el("span", { class: "plots-hint" }, "click: set time · drag: zoom · double click: all"),
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
    for (const panel of this.list) panel.rebuild();
    this.zoom(this.range);
    this.mark();
  }

  private activate(index: number): void {
    this.active = index;
    this.list.forEach((panel, i) => panel.setActive(i === index && this.list.length > 1));
    this.browser.draw();
  }

  addPanel(choice: Choice = emptyChoice()): number {
    this.list.push(this.make(choice));
    this.active = this.list.length - 1;
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

  private toggle(name: string, inNewPanel: boolean): void {
    if (inNewPanel) this.addPanel({ ...emptyChoice(), curves: [name] });
    else this.list[this.active].toggle(name);
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

  panels(): { curves: string[]; x: string | null; degrees: boolean }[] {
    return this.list.map(({ choice }) => ({ curves: [...choice.curves], x: choice.x, degrees: choice.degrees }));
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
        this.library.runs.flatMap((_, run) =>
          this.library.channel(run, name) ? [{ name, run, value: panel.valueOf(name, run) }] : [],
        ),
      ),
    );
  }

  state(): PlotsState {
    return { panels: this.list.map((panel) => panel.choice), active: this.active, range: this.range };
  }
}

const emptyChoice = (): Choice => ({ curves: [], x: null, degrees: false, stats: false });

/** Of the first two units up to three channels each, those that change before those that do not. */
function firstPanels(library: Library): Choice[] {
  const moving = library.names.filter((name) => {
    const stats = (library.channel(0, name) ?? library.channel(1, name))?.stats;
    return stats && stats.max > stats.min;
  });
  const byUnit = new Map<string, string[]>();
  for (const name of moving.length > 0 ? moving : library.names) {
    const unit = library.unit(name);
    const group = byUnit.get(unit) ?? [];
    if (group.length < 3) byUnit.set(unit, [...group, name]);
  }
  return [...byUnit.values()].slice(0, 2).map((curves) => ({ ...emptyChoice(), curves }));
}
