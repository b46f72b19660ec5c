// The field in which a reader types formulas of channels.
import { el } from "../dom";
import { FormulaError } from "../formula/parse";
import type { Library } from "./library";

const example = "Formula of channels: a - b, load = 0.5*(a + b), abs(x), diff(x), int(x), running_rms(Wk(x))";

export class FormulaField {
  readonly input = el("input", {
    type: "text",
    class: "formula",
    placeholder: example,
    title: `${example}. Enter shows it; names that hold signs stand between backquotes; numbers may have units: 2[kN].`,
    "aria-label": "Formula",
    spellcheck: "false",
    autocomplete: "off",
  });
  private readonly message = el("div", { class: "formula-message", role: "status" });
  readonly element = el("div", { class: "formula-row" }, this.input, this.message);

  /** `made` gets the name of a curve that is there now. */
  constructor(
    private readonly library: Library,
    private readonly made: (name: string) => void,
  ) {
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.take();
      if (event.key === "Escape") this.input.blur();
    });
    this.input.addEventListener("input", () => this.tell(""));
    this.tell("");
  }

  private take(): void {
    if (this.input.value.trim() === "") return;
    try {
      const name = this.library.define(this.input.value);
      this.tell("");
      this.input.value = "";
      this.made(name);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      this.tell(error.message);
    }
  }

  tell(text: string): void {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }
}
