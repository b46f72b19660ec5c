// The list of channels with its search. Only rows in sight are made, so thousands of channels stay fast.
import { el } from "../dom";
import { type Match, owner, search } from "../search";
import type { Library } from "./library";

const rowHeight = 24;
const manyChannels = 40; // from here on owners start folded

const formulas = "(formulas)"; // group of what the reader has made

type Row = { owner: string; count: number } | { match: Match; name: string };

export interface BrowserActions {
  toggle(name: string, inNewPanel: boolean): void;
  useAsX(name: string): void; // in the active panel
  chosen(name: string): boolean; // is it in the active panel?
}

export class ChannelBrowser {
  readonly element: HTMLElement;
  readonly input = el("input", {
    type: "search",
    placeholder: "Search channels: words, *",
    "aria-label": "Search channels",
    spellcheck: "false",
  });
  private readonly list = el("div", { class: "browser-rows", role: "presentation" });
  private readonly scroller = el("div", { class: "browser-list", tabindex: "0", role: "listbox", "aria-label": "Channels", "aria-multiselectable": "true" }, this.list);
  private readonly info = el("div", { class: "browser-info" });
  private readonly folded = new Set<string>();
  private rows: Row[] = [];
  private current = 0; // the row that the keyboard is at

  constructor(
    private readonly library: Library,
    private readonly actions: BrowserActions,
  ) {
    this.element = el("div", { class: "browser" }, this.input, this.info, this.scroller);
    this.input.addEventListener("input", () => {
      this.current = 0;
      this.update();
    });
    this.input.addEventListener("keydown", (event) => this.keyInSearch(event));
    this.scroller.addEventListener("keydown", (event) => this.keyInList(event));
    this.scroller.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    if (library.names.length > manyChannels) {
      for (const name of library.names) if (!actions.chosen(name)) this.folded.add(owner(name));
      for (const name of library.names) if (actions.chosen(name)) this.folded.delete(owner(name));
    }
    this.update();
  }

  /** Finds again and draws. */
  update(): void {
    const matches = search(this.library.names, this.input.value);
    const searching = this.input.value.trim() !== "";
    const groups = new Map<string, Match[]>();
    for (const match of matches) {
      const key = this.groupOf(this.library.names[match.index]);
      const group = groups.get(key);
      if (group) group.push(match);
      else groups.set(key, [match]);
    }
    this.rows = [];
    for (const [key, group] of groups) {
      this.rows.push({ owner: key, count: group.length });
      if (!searching && this.folded.has(key)) continue;
      for (const match of group) this.rows.push({ match, name: this.library.names[match.index] });
    }
    const total = this.library.names.length;
    const all = total === 1 ? "1 channel" : `${total} channels`;
    this.info.textContent = total === 0 ? "This run has no channels." : searching ? `${matches.length} of ${all}` : all;
    this.list.style.height = `${this.rows.length * rowHeight}px`;
    this.draw();
  }

  private groupOf(name: string): string {
    return this.library.isFormula(name) ? formulas : owner(name);
  }

  /** Enter adds the first match, the arrow goes on into the list. */
  private keyInSearch(event: KeyboardEvent): void {
    const first = this.rows.find((row) => "match" in row);
    if (event.key === "Enter" && first && "name" in first && !this.actions.chosen(first.name))
      this.actions.toggle(first.name, event.shiftKey);
    if (event.key !== "ArrowDown" || this.rows.length === 0) return;
    event.preventDefault();
    this.scroller.focus();
    this.goTo(Math.max(0, this.rows.findIndex((row) => "match" in row)));
  }

  private keyInList(event: KeyboardEvent): void {
    if (event.target !== this.scroller || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / rowHeight) - 1);
    const places: Record<string, number> = {
      ArrowDown: this.current + 1,
      ArrowUp: this.current - 1,
      PageDown: this.current + page,
      PageUp: this.current - page,
      Home: 0,
      End: this.rows.length - 1,
    };
    const presses = event.key === "Enter" || event.key === " ";
    if (!presses && places[event.key] === undefined) return;
    event.preventDefault();
    if (event.key === "ArrowUp" && this.current === 0) this.input.focus();
    else if (presses) this.press(event.shiftKey);
    else this.goTo(places[event.key]);
  }

  private press(inNewPanel: boolean): void {
    const row = this.rows[this.current];
    if (!row) return;
    if ("owner" in row) this.fold(row.owner);
    else this.actions.toggle(row.name, inNewPanel);
    this.draw();
  }

  private fold(key: string): void {
    if (!this.folded.delete(key)) this.folded.add(key);
    this.update();
  }

  private goTo(index: number): void {
    this.current = Math.min(this.rows.length - 1, Math.max(0, index));
    const top = this.current * rowHeight;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) this.scroller.scrollTop = top + rowHeight - clientHeight;
    this.draw();
  }

  draw(): void {
    this.current = Math.min(this.current, Math.max(0, this.rows.length - 1));
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowHeight) - 5);
    const last = Math.min(this.rows.length, first + Math.ceil((this.scroller.clientHeight || 400) / rowHeight) + 10);
    const visible: HTMLElement[] = [];
    for (let i = first; i < last; ++i) {
      const row = this.rows[i];
      const element = "owner" in row ? this.group(row) : this.channel(row);
      element.style.top = `${i * rowHeight}px`;
      element.id = `channel-row-${i}`;
      element.classList.toggle("current", i === this.current);
      visible.push(element);
    }
    this.list.replaceChildren(...visible);
    this.scroller.setAttribute("aria-activedescendant", `channel-row-${this.current}`);
  }

  private group(row: { owner: string; count: number }): HTMLElement {
    const folded = this.folded.has(row.owner) && this.input.value.trim() === "";
    const name = row.owner === "" ? "(run)" : row.owner;
    return el(
      "div",
      {
        class: "browser-group",
        role: "option",
        "aria-expanded": String(!folded),
        title: row.owner,
        onclick: () => this.fold(row.owner),
      },
      el("span", { class: "fold" }, folded ? "▸" : "▾"),
      el("span", { class: "name" }, el("bdi", {}, name)),
      el("span", { class: "unit" }, row.count),
    );
  }

  private channel({ match, name }: { match: Match; name: string }): HTMLElement {
    const chosen = this.actions.chosen(name);
    const unit = this.library.unit(name);
    const toggle = (event: MouseEvent) => this.actions.toggle(name, event.shiftKey);
    const extra = (text: string, title: string, action: () => void) => {
      const click = (event: MouseEvent) => {
        event.stopPropagation();
        action();
      };
      return el("button", { class: "row-extra", title, "aria-label": title, tabindex: -1, onclick: click }, text);
    };
    return el(
      "div",
      {
        class: chosen ? "browser-channel chosen" : "browser-channel",
        role: "option",
        "aria-selected": String(chosen),
        title: unit === "" ? name : `${name} [${unit}]`,
        onclick: toggle,
      },
      el("span", { class: "tick" }, chosen ? "✓" : ""),
      el("span", { class: "name" }, highlighted(name, match.marks, this.library.isFormula(name))),
      el("span", { class: "unit", title: unit }, unit),
      extra("x", "Use as x axis of the active panel", () => this.actions.useAsX(name)),
      extra("⊞", "Show in a new panel", () => this.actions.toggle(name, true)),
    );
  }
}

/** What follows the owner, with the marks on it. */
function highlighted(name: string, marks: [number, number][], whole: boolean): HTMLElement {
  const from = whole || owner(name) === "" ? 0 : name.lastIndexOf(".") + 1;
  const result = el("bdi");
  if (name.slice(from).trim() === "") return el("bdi", { class: "nameless" }, "(no name)");
  let at = from;
  for (const [begin, end] of marks) {
    if (end <= from) continue;
    const start = Math.max(begin, from);
    result.append(name.slice(at, start), el("mark", {}, name.slice(start, end)));
    at = end;
  }
  result.append(name.slice(at));
  return result;
}
