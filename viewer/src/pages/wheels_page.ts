// The page of the wheels on rails: those of one axle in cross-section, and their forces over time or over the way.
import { el } from "../dom";
import { figureOf } from "../plots/figure";
import { Library } from "../plots/library";
import { type SectionCard, sectionCard } from "../rail/section_card";
import { type Axle, axlesOf } from "../rail/wheels";
import type { Clock, Run } from "../types";
import { card } from "./parts";
import { Charts } from "./run_charts";

export interface WheelsPage {
  element: HTMLElement;
  rebuild(): void;
}

const zoomSteps = 20;
const largestZoom = 20;
const curves: [string, string, string[]][] = [
  ["Guiding and wheel forces", "Y to the field side, Q down: of the wheel on the rail.", ["Y", "Q"]],
  ["Y/Q", "Unfiltered; the evaluation has the sliding mean over 2 m.", ["YQ"]],
  ["Creepages", "Velocity of the wheel against the rail over the speed.", ["creep_x", "creep_y"]],
  ["Place of the contact", "On wheel and rail, to the field side.", ["on_wheel", "on_rail"]],
];

/** Null of a run without such wheels. */
export function wheelsPage(runs: Run[], clock: Clock): WheelsPage | null {
  const run = runs[0];
  const axles = axlesOf(run).filter(({ wheels }) => wheels.length > 0);
  if (axles.length === 0 || run.info.analysis !== "simulate") return null;
  const library = new Library(runs);
  const sections = el("div", { class: "wr-pictures" });
  const plots = el("div", { class: "chart-cards" });
  let cards: SectionCard[] = [];
  let charts: Charts | null = null;

  const choose = el("select", { class: "axle-select", "aria-label": "Axle" }, ...axles.map(({ name }, i) => el("option", { value: i }, name)));
  const zoom = el("input", { type: "range", min: 0, max: zoomSteps, step: 1, value: 0, "aria-label": "Zoom to the contact", title: "Zoom to the contact" });
  const along = el("select", { "aria-label": "x axis", class: "wheels-x" }, el("option", { value: "t" }, "over time"), el("option", { value: "s" }, "over the way"));

  const zoomNow = () => cards.forEach((each) => each.zoom(largestZoom ** (Number(zoom.value) / zoomSteps)));

  function plot({ wheels }: Axle): void {
    charts?.dispose();
    charts = new Charts(clock);
    const made = charts;
    const way = wheels.map(({ name }) => `${name}.along`).find((name) => library.has(name)) ?? null;
    along.disabled = way === null;
    const x = along.value === "s" ? way : null;
    const shown = curves.flatMap(([title, hint, quantities]) => {
      const names = quantities.flatMap((quantity) => wheels.map(({ name }) => `${name}.${quantity}`)).filter((name) => library.has(name));
      if (names.length === 0) return [];
      const make = () => figureOf(library, { curves: names, x, stats: false }, [clock.begin, clock.end]);
      return [card(title, el("div", { class: "hint" }, hint), made.add(make))];
    });
    plots.replaceChildren(...shown);
  }

  function show(axle: Axle): void {
    cards = axle.wheels.map((wheel) => sectionCard(run, wheel, clock));
    sections.replaceChildren(...axle.wheels.map((wheel, i) => card(`${wheel.name}: ${wheel.side > 0 ? "left" : "right"} wheel, from behind`, cards[i].element)));
    zoomNow();
    plot(axle);
  }

  const chosen = () => axles[Number(choose.value)];
  choose.addEventListener("change", () => show(chosen()));
  along.addEventListener("change", () => plot(chosen()));
  zoom.addEventListener("input", zoomNow);
  clock.onChange(() => cards.forEach((each) => each.update()));
  show(axles[0]);
  const tools = el("div", { class: "wheels-tools" }, el("label", {}, "axle ", choose), el("label", {}, "zoom ", zoom), el("label", {}, "plots ", along));
  return { element: el("div", { class: "page" }, tools, sections, plots), rebuild: () => charts?.rebuild() };
}
