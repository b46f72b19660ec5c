// Pages of panels: those of the model file and one of the reader's own, each kept as it was left.
import { el } from "../dom";
import { type Choice } from "./choice";
import type { Library } from "./library";
import { type ModelPage, pageText, panelsOf } from "./page_text";

export interface PageState {
  panels: Choice[]; // of the page that is open
  page?: number;
  left?: (Choice[] | null)[]; // panels of pages that were open before
}

interface PageActions {
  now(): Choice[];
  open(panels: Choice[]): void;
  tell(text: string): void; // what of a page cannot be shown
}

const ownName = "overview";

export class Pages {
  readonly element: HTMLElement;
  private readonly names: string[];
  private readonly left: (Choice[] | null)[];
  private readonly given: ModelPage[];
  private open: number;

  constructor(
    private readonly library: Library,
    private readonly own: Choice[],
    private readonly kept: PageState | null,
    private readonly actions: PageActions,
  ) {
    this.given = library.runs[0]?.plots ?? [];
    this.names = [...this.given.map(({ name }) => name), ownName];
    this.left = this.names.map((_, i) => kept?.left?.[i] ?? null);
    this.open = Math.min(kept?.page ?? this.firstWithCurves(), this.names.length - 1);
    this.element = this.select();
    this.element.hidden = this.given.length === 0;
  }

  /** Of another experiment than the pages were made for, the run may have nothing that they show. */
  private firstWithCurves(): number {
    const found = this.given.findIndex((page) => this.shows(page));
    return found >= 0 ? found : this.given.length;
  }

  private shows(page: ModelPage): boolean {
    return panelsOf(page, this.library).panels.some((panel) => panel.curves.length > 0 || panel.view === "ellipse");
  }

  /** The panels to begin with. */
  first(): Choice[] {
    return this.kept ? this.kept.panels : this.panels(this.open);
  }

  private panels(page: number): Choice[] {
    const kept = this.left[page];
    if (kept) return kept;
    if (page >= this.given.length) return this.own;
    const { panels, problems } = panelsOf(this.given[page], this.library);
    this.actions.tell(problems.join(" "));
    return panels;
  }

  private select(): HTMLElement {
    const select = el(
      "select",
      { class: "page-select", title: "Page of plots", "aria-label": "Page of plots" },
      ...this.names.map((name, i) => {
        const isEmpty = i < this.given.length && !this.shows(this.given[i]);
        return el("option", { value: i, selected: i === this.open, disabled: isEmpty }, isEmpty ? `${name} (not recorded)` : name);
      }),
    );
    select.addEventListener("change", () => this.turnTo(Number(select.value)));
    return select;
  }

  turnTo(page: number): void {
    this.left[this.open] = this.actions.now();
    this.open = page;
    this.actions.tell("");
    this.actions.open(this.panels(page));
  }

  /** The page that is open, for the section `plots:` of the model file. */
  yaml(): string {
    const name = this.open < this.given.length ? this.names[this.open] : "my_page";
    return pageText(name, this.actions.now(), (curve) => this.library.formula(curve));
  }

  yamlBox(): HTMLElement {
    const text = el("textarea", { class: "page-yaml", readonly: true, rows: 6, spellcheck: "false", hidden: true, "aria-label": "This page as YAML" });
    const copy = () => {
      text.hidden = false;
      text.value = this.yaml();
      text.select();
      navigator.clipboard?.writeText(text.value).catch(() => document.execCommand("copy"));
    };
    const title = "Copies the section plots: with the panels shown, to be put into the model file";
    return el("div", { class: "yaml-box" }, el("button", { class: "tool", title, onclick: copy }, "Copy this page as YAML"), text);
  }

  state(): PageState {
    return { panels: this.actions.now(), page: this.open, left: this.left };
  }
}
