// The page of a kinematic analysis: the characteristics of all wheels over the travel, a second run dashed.
import { el } from "../dom";
import { shownUnit } from "../format";
import { type Figure, figureOf, labelled } from "../plots/figure";
import { Library } from "../plots/library";
import type { Clock, Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { card, versusText } from "./parts";
import { Charts } from "./run_charts";

/** Quantities with their titles and signs, in the order of the page; names of channels end in them. */
const quantities: [string, string, string][] = [
  ["camber", "Camber", "Top outwards is positive."],
  ["toe", "Toe", "Front inwards is positive."],
  ["steer", "Steer angle", "To the left is positive."],
  ["caster", "Caster", "Top of the steering axis to the rear is positive."],
  ["kingpin", "Kingpin inclination", "Top of the steering axis inwards is positive."],
  ["trail", "Caster trail", "Steering axis in front of the contact point is positive."],
  ["scrub_radius", "Scrub radius", "Steering axis inside of the contact point is positive."],
  ["track_change", "Track change", "Of one wheel, outwards is positive."],
  ["wheelbase_change", "Wheelbase change", "Longer is positive."],
  ["roll_centre_height", "Roll centre height", "Above the ground."],
  ["roll_centre_y", "Roll centre across", "To the left is positive."],
  ["brake_support", "Support under brakes", "Positive where it works against diving and lifting."],
  ["drive_support", "Support under drive", "Positive where it works against squatting and rising."],
  ["anti_dive", "Anti-dive", "1 is full support."],
  ["anti_lift", "Anti-lift", "1 is full support."],
  ["anti_rise", "Anti-rise", "1 is full support."],
  ["anti_squat", "Anti-squat", "1 is full support."],
  ["load", "Wheel load", "On the pad, at rest."],
  ["rate", "Wheel rate", "Derivative of the load by the travel."],
  ["motion_ratio", "Motion ratios", "How much shorter springs and dampers become."],
];

export const isKinematic = (run: Run): boolean => run.info.analysis === "kinematics";

/** Lengths in mm and rates in N/mm, as drawings and the tables of the command have them. */
export function asOnDrawings(figure: Figure, { info }: Run): Figure {
  const x = shownUnit(info.abscissa_unit, true);
  Object.assign(figure.x, { factor: x.factor, label: labelled(info.abscissa, x.unit) });
  for (const axis of figure.ys) {
    const { unit, factor } = shownUnit(axis.label, true);
    Object.assign(axis, { factor, label: unit });
  }
  return figure;
}

export function kinematicsPage(runs: Run[], clock: Clock): AnalysisPage {
  const charts = new Charts(clock);
  const library = new Library(runs);
  const drawn = quantities.flatMap(([quantity, title, hint]) => {
    const curves = library.names.filter((name) => name.endsWith(`.${quantity}`));
    if (curves.length === 0) return [];
    const choice = { curves, x: null, units: ["deg"], stats: false };
    const make = () => asOnDrawings(figureOf(library, choice, [clock.begin, clock.end]), runs[0]);
    return [card(title, el("div", { class: "hint" }, hint), charts.add(make))];
  });
  const versus = runs.length > 1 ? [el("div", { class: "hint" }, versusText(runs))] : [];
  const element = el("div", { class: "page" }, ...versus, el("div", { class: "chart-cards" }, ...drawn));
  return { tab: "Kinematics", element, rebuild: () => charts.rebuild() };
}
