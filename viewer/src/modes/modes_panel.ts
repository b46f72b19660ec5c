// The modes of a result: a table to pick one from, what moves, holds and damps it, how far and how fast it is shown.
import type { LoopingClock } from "../clock";
import { el } from "../dom";
import { short } from "../format";
import { facts } from "../pages/parts";
import { speeds } from "../playback";
import type { Run } from "../types";
import { type Mode, modesOf, paired } from "./mode";
import { modelSize, shake } from "./period";

const sliderSteps = 100;
const largest = 0.3; // of the model, at the end of the slider
const usual = 0.04;

export class ModesPanel {
  readonly element: HTMLElement;
  private readonly modes: Mode[];
  private readonly others: (Mode | null)[]; // of the second result, alike
  private readonly size: number;
  private readonly details = el("div", { class: "mode-details" });
  private readonly rows: HTMLElement[] = [];
  private readonly amplitudeSlider = slider("Amplitude", sliderSteps);
  private readonly amplitudeText = el("output", { class: "n" });
  private readonly speedSlider = slider("Speed", speeds.length - 1);
  private readonly speedText = el("output", { class: "n" });
  private readonly dampingBox = el("input", { type: "checkbox" });
  private chosen = -1;

  /** `periods`: of asPeriod(), which the scene draws; `changed` is called when their frames have. */
  constructor(
    private readonly runs: Run[],
    private readonly periods: Run[],
    private readonly clock: LoopingClock,
    private readonly changed: () => void,
  ) {
    this.modes = modesOf(runs[0]);
    this.others = paired(this.modes, runs.length > 1 ? modesOf(runs[1]) : []);
    this.size = modelSize(runs[0]);
    this.amplitudeSlider.value = String(Math.round((sliderSteps * usual) / largest));
    this.amplitudeSlider.addEventListener("input", () => this.fill());
    this.dampingBox.addEventListener("change", () => this.fill());
    this.speedSlider.addEventListener("input", () => (clock.speed = speeds[Number(this.speedSlider.value)]));
    clock.loop = true;
    clock.onChange(() => this.tellSpeed());
    this.element = el(
      "div",
      { class: "modes" },
      el(
        "div",
        { class: "mode-tools" },
        el("label", {}, "amplitude", this.amplitudeSlider, this.amplitudeText),
        el("label", {}, "speed", this.speedSlider, this.speedText),
        el("label", { title: "the motion decays or grows within each period as the mode does" }, this.dampingBox, "with damping"),
      ),
      el("div", { class: "mode-list" }, this.heading(), this.table()),
      this.details,
    );
    this.choose(Math.max(0, this.modes.findIndex((mode) => !mode.rigid)));
  }

  choose(index: number): void {
    this.chosen = this.modes[index] ? index : -1;
    this.rows.forEach((row, i) => {
      row.classList.toggle("on", i === this.chosen);
      row.setAttribute("aria-selected", String(i === this.chosen));
    });
    this.showDetails();
    this.fill();
    this.tellSpeed();
  }

  /** Of the point that moves most, m. */
  get amplitude(): number {
    return (largest * this.size * Number(this.amplitudeSlider.value)) / sliderSteps;
  }

  setAmplitude(metres: number): void {
    this.amplitudeSlider.value = String((sliderSteps * metres) / (largest * this.size));
    this.fill();
  }

  private fill(): void {
    const mode = this.modes[this.chosen] ?? null;
    const shown = [mode, this.others[this.chosen] ?? null];
    this.periods.forEach((period, i) => shake(period, this.runs[i], shown[i] ?? null, this.amplitude, this.dampingBox.checked));
    this.amplitudeText.textContent = this.amplitude < 1 ? `${short(1000 * this.amplitude, 3)} mm` : `${short(this.amplitude, 3)} m`;
    this.changed();
  }

  private tellSpeed(): void {
    const nearest = speeds.reduce((a, b) => (Math.abs(b - this.clock.speed) < Math.abs(a - this.clock.speed) ? b : a));
    this.speedSlider.value = String(speeds.indexOf(nearest));
    const perSecond = this.clock.pace * this.clock.speed; // periods
    const mode = this.modes[this.chosen];
    const real = mode?.oscillates ? `, ${short(perSecond / mode.frequency, 2)} of real time` : "";
    this.speedText.textContent = `${short(perSecond, 2)} periods/s${real}`;
  }

  private heading(): HTMLElement {
    const { found } = this.runs[0];
    const where = (found as { at?: unknown })?.at;
    const stable = (found as { stable?: unknown })?.stable;
    return el(
      "div",
      { class: "hint" },
      `At ${typeof where === "string" ? where : "its point"}. `,
      stable === false ? "It is unstable. " : "",
      "Pick a mode; space plays it.",
      this.runs.length > 1 ? ` Ghost, and numbers in brackets: ${this.runs[1].label}, the mode that is most alike.` : "",
    );
  }

  private table(): HTMLElement {
    const two = this.runs.length > 1;
    const cells = (mode: Mode, other: Mode | null) => {
      const pair = (value: number, second: number | undefined) =>
        two ? `${short(value, 4)} (${second === undefined ? "–" : short(second, 4)})` : short(value, 4);
      return [
        mode.rigid ? "free" : mode.oscillates ? pair(mode.frequency, other?.frequency) : "creeps",
        mode.rigid ? "" : pair(100 * mode.damping, other ? 100 * other.damping : undefined),
        texts(mode.bodies),
        texts(mode.elements),
        texts(mode.dissipation),
      ];
    };
    this.modes.forEach((mode, i) => {
      const row = el(
        "tr",
        { class: mode.real > 1e-9 && !mode.rigid ? "mode grows" : "mode", tabindex: 0, role: "option" },
        el("td", { class: "num" }, i + 1),
        ...cells(mode, this.others[i]).map((text, k) => el("td", { class: k < 2 ? "num" : undefined, title: text }, text)),
      );
      const pick = () => {
        this.choose(i);
        this.clock.play();
      };
      row.addEventListener("click", pick);
      row.addEventListener("keydown", (event) => event.key === "Enter" && pick());
      this.rows.push(row);
    });
    const head = ["", "Hz", "damping %", "moves", "held by", "damped by"];
    if (this.rows.length === 0) return el("p", { class: "empty" }, "There are no modes: nothing can move.");
    return el(
      "table",
      { role: "listbox" },
      el("thead", {}, el("tr", {}, ...head.map((title) => el("th", {}, title)))),
      el("tbody", {}, ...this.rows),
    );
  }

  private showDetails(): void {
    const mode = this.modes[this.chosen];
    if (!mode) return this.details.replaceChildren();
    const sign = mode.imag < 0 ? "−" : "+";
    const kind = mode.rigid ? "free: nothing resists" : mode.oscillates ? (mode.real > 1e-9 ? "grows" : "oscillates") : "creeps";
    this.details.replaceChildren(
      facts([
        ["mode", `${this.chosen + 1}${mode.name === "" ? "" : `: ${mode.name}`}, ${kind}`],
        ["eigenvalue", `${short(mode.real)} ${sign} ${short(Math.abs(mode.imag))} i  1/s`],
      ]),
      el(
        "div",
        { class: "mode-shares" },
        bars("moves (kinetic energy)", mode.bodies),
        bars("held by (strain energy)", mode.elements),
        bars("damped by (energy taken out)", mode.dissipation),
      ),
    );
  }
}

function slider(label: string, max: number): HTMLInputElement {
  return el("input", { type: "range", min: 0, max, step: "any", "aria-label": label, title: label });
}

const percent = (share: number): string => `${Math.round(100 * share)} %`.replace("-", "−");

/** The largest, as "chassis 62 %, wheel 14 %". */
function texts(shares: [string, number][]): string {
  return shares
    .slice(0, 3)
    .filter(([, share], k) => k === 0 || Math.abs(share) >= 0.03)
    .map(([name, share]) => `${name} ${percent(share)}`)
    .join(", ");
}

const most = 12;

function bars(title: string, shares: [string, number][]): HTMLElement {
  const rows = shares.slice(0, most).filter(([, share], k) => k === 0 || Math.abs(share) >= 0.005);
  return el(
    "div",
    { class: "mode-share" },
    el("h3", {}, title),
    ...rows.map(([name, share]) =>
      el(
        "div",
        { class: "mode-bar", title: name },
        el("bdi", {}, name),
        el("span", { class: share < 0 ? "bar negative" : "bar", style: `width:${Math.round(Math.min(1, Math.abs(share)) * 80)}px` }),
        el("span", { class: "n" }, percent(share)),
      ),
    ),
    rows.length === 0 && el("div", { class: "hint" }, "nothing"),
  );
}
