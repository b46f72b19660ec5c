// The page of bodies that bend: each of their modes by itself, and the modal coordinates over time.
import { alone, shakeAlone } from "../bent/alone";
import { type CoordinateBars, coordinateBars, shortName } from "../bent/coordinate_bars";
import { createClock } from "../clock";
import { el } from "../dom";
import { short } from "../format";
import { createScene, type PickableScene } from "../scene/scene";
import type { Clock, Run, Scene } from "../types";
import { card } from "./parts";

export interface FlexiblePage {
  element: HTMLElement;
  choose(mode: number): void;
  readonly scene: PickableScene | null; // of the body alone, once it was shown
  shown(on: boolean): void; // the page is looked at or not
  setDark(dark: boolean): void;
}

const sliderSteps = 30;
const largestShare = 0.3; // of the size of the body, that its largest displacement is shown as
const usualShare = 0.1;

type Bending = Scene["bodies"][number] & { modes: NonNullable<Scene["bodies"][number]["modes"]> };

/** A body with one of its modes that moves. */
class Alone {
  readonly stage = el("div", { class: "stage alone-stage" });
  readonly title = el("div", { class: "alone-title" });
  readonly clock;
  private readonly period: Run;
  scene: PickableScene | null = null;
  private mode = 0;
  share = usualShare;

  constructor(run: Run, private readonly body: Bending) {
    this.period = alone(run, body);
    this.clock = createClock(this.period);
    this.clock.loop = true;
    this.clock.speed = 2;
    this.choose(0);
    this.clock.set(0.25); // where it is bent most
  }

  /** WebGL is asked for when somebody looks. */
  draw(dark: boolean): void {
    if (!this.scene) {
      this.fill(); // the scale of colours is made from what moves
      this.scene = createScene(this.stage, [this.period], this.clock);
      this.scene.setDark(dark);
    }
    this.scene.resize();
    this.scene.refresh();
  }

  choose(mode: number): void {
    const { states, frequencies } = this.body.modes;
    if (!(mode >= 0 && mode < states.length)) return;
    this.mode = mode;
    const hz = frequencies[mode];
    this.title.textContent = `${this.body.name}, ${shortName(states[mode])}: ${Number.isFinite(hz) ? `${short(hz, 5)} Hz` : "frequency not known"}`;
    this.fill();
  }

  fill(): void {
    shakeAlone(this.period, this.body.modes, this.mode, this.share);
    this.scene?.refresh();
  }
}

/** Null of a run without such bodies. */
export function flexiblePage(run: Run, clock: Clock): FlexiblePage | null {
  const bodies = (run.scene?.bodies ?? []).filter((body): body is Bending => (body.modes?.states.length ?? 0) > 0);
  if (bodies.length === 0) return null;
  const list = el("div", { class: "alone-modes", role: "listbox", "aria-label": "Modes" });
  const motion = el("div", { class: "alone" });
  const bars = el("div", {});
  let shown = false;
  let dark = false;
  let now: { alone: Alone; bars: CoordinateBars };

  const choose = el("select", { class: "flexible-body", "aria-label": "Body" }, ...bodies.map(({ name }, i) => el("option", { value: i }, name)));
  const amplitude = el("input", { type: "range", min: 0, max: sliderSteps, step: 1, value: (sliderSteps * usualShare) / largestShare, "aria-label": "Amplitude", title: "Amplitude", class: "alone-amplitude" });
  const play = el("button", { class: "tool", "aria-label": "Play or pause the mode", onclick: () => (now.alone.clock.playing ? now.alone.clock.pause() : now.alone.clock.play()) }, "▶");

  function pick(mode: number, moving: boolean): void {
    now.alone.choose(mode);
    [...list.children].forEach((button, i) => {
      button.classList.toggle("on", i === mode);
      button.setAttribute("aria-selected", String(i === mode));
    });
    if (moving) now.alone.clock.play();
  }

  function show(body: Bending): void {
    now?.alone.clock.pause();
    now = { alone: new Alone(run, body), bars: coordinateBars(run, body.modes, clock) };
    now.alone.share = (largestShare * Number(amplitude.value)) / sliderSteps;
    now.alone.clock.onChange(() => (play.textContent = now.alone.clock.playing ? "❚❚" : "▶"));
    list.replaceChildren(
      ...body.modes.states.map((state, k) => {
        const hz = body.modes.frequencies[k];
        return el("button", { class: "tool", role: "option", onclick: () => pick(k, true) }, `${shortName(state)}${Number.isFinite(hz) ? `  ${short(hz, 4)} Hz` : ""}`);
      }),
    );
    motion.replaceChildren(now.alone.title, now.alone.stage);
    bars.replaceChildren(now.bars.element);
    pick(0, false);
    if (shown) now.alone.draw(dark);
  }

  choose.addEventListener("change", () => show(bodies[Number(choose.value)]));
  amplitude.addEventListener("input", () => {
    now.alone.share = (largestShare * Number(amplitude.value)) / sliderSteps;
    now.alone.fill();
  });
  clock.onChange(() => shown && now.bars.update());
  show(bodies[0]);
  const tools = el("div", { class: "wheels-tools" }, el("label", {}, "body ", choose), el("label", {}, "amplitude ", amplitude), play);
  return {
    element: el("div", { class: "page" }, tools, el("div", { class: "flexible-cards" }, card("Modes of the body alone", el("div", { class: "alone-card" }, list, motion)), card("Modal coordinates", bars))),
    choose: (mode) => pick(mode, false),
    get scene() {
      return now.alone.scene;
    },
    shown(on) {
      shown = on;
      if (!on) return now.alone.clock.pause();
      now.bars.update();
      now.alone.draw(dark);
    },
    setDark(value) {
      dark = value;
      now.alone.scene?.setDark(value);
    },
  };
}
