// The bar that plays: start, step, speed, time with the events of the run.
import type { LoopingClock } from "./clock";
import { el } from "./dom";
import { short, shownUnit, time } from "./format";
import { isKinematic } from "./pages/kinematics_page";
import type { Run } from "./types";

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const sliderSteps = 10000;
const manyEvents = 500;

export function playbackBar(clock: LoopingClock, run: Run): HTMLElement {
  const span = clock.end - clock.begin;
  const { factor, unit } = shownUnit(run.info.abscissa_unit, isKinematic(run));
  const play = button("▶", "Play or pause (space)", () => (clock.playing ? clock.pause() : clock.play()));
  play.classList.add("play");
  const slider = el("input", {
    type: "range",
    class: "time-slider",
    min: 0,
    max: sliderSteps,
    step: 1,
    value: 0,
    "aria-label": "Time",
    disabled: span <= 0,
  });
  slider.addEventListener("input", () => {
    clock.pause();
    clock.set(clock.begin + (span * Number(slider.value)) / sliderSteps);
  });
  const readout = el("output", { class: "time-readout" });
  const loop = button("⟲", "Start over at the end", () => (clock.loop = !clock.loop));
  const update = () => {
    play.textContent = clock.playing ? "❚❚" : "▶";
    play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    if (span > 0) slider.value = String(Math.round(((clock.t - clock.begin) / span) * sliderSteps));
    slider.style.setProperty("--done", `${span > 0 ? (100 * (clock.t - clock.begin)) / span : 0}%`);
    readout.textContent = `${time(clock.t * factor, span * factor)} ${unit}`;
    loop.classList.toggle("on", clock.loop);
  };
  clock.onChange(update);
  update();
  return el(
    "footer",
    { class: "playback" },
    button("⇤", "To the beginning (Home)", () => clock.set(clock.begin)),
    button("‹", "One frame back (←)", () => clock.step(-1)),
    play,
    button("›", "One frame on (→)", () => clock.step(1)),
    button("⇥", "To the end (End)", () => clock.set(clock.end)),
    el("div", { class: "time-track" }, ticks(run, clock), slider),
    readout,
    el("span", { class: "time-end" }, `/ ${time(clock.end * factor, span * factor)} ${unit}`),
    speedSelect(clock),
    loop,
  );
}

function button(text: string, title: string, action: () => void): HTMLButtonElement {
  return el("button", { class: "tool", title, "aria-label": title, onclick: action }, text);
}

function speedSelect(clock: LoopingClock): HTMLSelectElement {
  const select = el(
    "select",
    { class: "speed", title: "Speed", "aria-label": "Speed" },
    ...speeds.map((speed) => el("option", { value: speed, selected: speed === clock.speed }, `${speed}×`)),
  );
  select.addEventListener("change", () => (clock.speed = Number(select.value)));
  clock.onChange(() => (select.value = String(clock.speed)));
  return select;
}

/** A mark at each event; a click goes there. */
function ticks(run: Run, clock: LoopingClock): HTMLElement {
  const span = clock.end - clock.begin;
  const inside = run.events
    .filter((event) => span > 0 && event.t >= clock.begin && event.t <= clock.end)
    .slice(0, manyEvents);
  return el(
    "div",
    { class: "event-ticks" },
    ...inside.map((event) => {
      const left = `left:${(100 * (event.t - clock.begin)) / span}%`;
      const title = `${short(event.t, 6)} s: ${event.name}${event.detail === "" ? "" : ` (${event.detail})`}`;
      return el("button", {
        class: "event-tick",
        style: left,
        title,
        "aria-label": title,
        tabindex: -1,
        onclick: () => clock.set(event.t),
      });
    }),
  );
}
