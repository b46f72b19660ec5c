// The menu of units: one list for each kind of quantity that the report has.
import { el } from "./dom";
import type { Run } from "./types";
import { engineering, units } from "./units";

export function unitsMenu(runs: Run[]): HTMLElement {
  const kinds = units.kindsAmong(["m/s", ...runs.flatMap((run) => run.channels.map((channel) => channel.unit))]);
  const box = el("div", { class: "units-box" });
  const draw = () => {
    const lists = kinds.map(({ name, choices }) => {
      const now = units.chosen(name)?.unit ?? (name === "rotation" ? units.shown("rad/s").unit : choices[0].unit);
      const select = el(
        "select",
        { "data-kind": name, "aria-label": `Unit of ${name}` },
        ...choices.map(({ unit }) => el("option", { value: unit, selected: unit === now }, unit)),
      );
      select.addEventListener("change", () => units.choose(select.value));
      return el("label", { class: "unit-choice" }, el("span", {}, name), select);
    });
    const all = (text: string, title: string, action: () => void) => el("button", { class: "tool", title, onclick: action }, text);
    const offered = engineering.filter((unit) => kinds.some(({ choices }) => choices.some((choice) => choice.unit === unit)));
    box.replaceChildren(
      ...lists,
      el(
        "div",
        { class: "unit-sets" },
        all("SI", "All in SI units", () => units.reset()),
        all("mm kN km/h g deg", "Units of vehicle engineering", () => units.choose(...offered)),
      ),
    );
  };
  units.onChange(draw);
  draw();
  return box;
}
