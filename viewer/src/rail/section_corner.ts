// The cross-section of one wheel in the corner of the scene, in step with the time.
import { el } from "../dom";
import type { Clock, Run } from "../types";
import { type SectionCard, sectionCard } from "./section_card";
import { axlesOf } from "./wheels";

const none = "-1";
const zooms: [string, number][] = [["whole", 1], ["× 3", 3], ["× 10", 10]];
const lines = 6; // of numbers

/** Null of a run without wheels on rails. */
export function sectionCorner(run: Run, clock: Clock): HTMLElement | null {
  const wheels = axlesOf(run).flatMap((axle) => axle.wheels);
  if (wheels.length === 0 || run.info.analysis !== "simulate") return null;
  let card: SectionCard | null = null;
  const choose = el("select", { class: "section-wheel", "aria-label": "Wheel in cross-section", title: "A wheel on its rail in cross-section" },
    el("option", { value: none }, "section: none"), ...wheels.map(({ name }, i) => el("option", { value: i }, `section: ${name.slice(0, 60)}`)));
  const zoom = el("select", { class: "section-zoom", "aria-label": "Zoom of the cross-section" }, ...zooms.map(([text, factor]) => el("option", { value: factor }, text)));
  const body = el("div", { class: "section-body" });
  const show = () => {
    const wheel = wheels[Number(choose.value)];
    card = wheel ? sectionCard(run, wheel, clock, lines) : null;
    card?.zoom(Number(zoom.value));
    zoom.hidden = card === null;
    body.replaceChildren(...(card ? [card.element] : []));
  };
  choose.addEventListener("change", show);
  zoom.addEventListener("change", () => card?.zoom(Number(zoom.value)));
  clock.onChange(() => card?.update());
  show();
  return el("div", { class: "stage-section" }, el("div", { class: "section-tools" }, choose, zoom), body);
}
