// The handling diagram: steering, or what of it is understeer, over lateral acceleration. Channels are guessed by usual names.
import { el } from "../dom";
import { type Choice, emptyChoice } from "./choice";
import type { Library } from "./library";

export interface Handling {
  steering: string;
  acceleration: string; // channel, or "" for speed times yaw rate
  speed: string;
  yawRate: string;
  wheelbase: number; // m; 0: the steering itself
  ratio: number; // steering over angle of the wheels
}

const patterns: Record<"steering" | "acceleration" | "speed" | "yawRate", RegExp[]> = {
  steering: [/steering_wheel\.angle$/, /steer.*angle$/, /(^|[._])delta$/, /steer/, /(^|\.)rack\b/],
  acceleration: [/(^|\.)lateral_acceleration$/, /(^|\.)a_?lat$/, /(^|\.)acceleration_across$/, /(^|\.)ay_?body$/, /(^|\.)ay$/],
  speed: [/(^|\.)speed$/, /speed_along$/, /(chassis|body|car|vehicle)\.speed$/, /(^|\.)vx$/],
  yawRate: [/(chassis|body|car|vehicle)\.yaw_rate$/, /(^|\.)yaw_rate$/, /(^|\.)psi_?(dot|p)$/, /(chassis|body|car|vehicle)\.wz$/],
};

/** Of each role the first channel that fits its usual names, "" where there is none. */
export function guess(names: readonly string[]): Handling {
  const first = (list: RegExp[]): string => {
    for (const pattern of list) {
      const found = names.find((name) => pattern.test(name.toLowerCase()));
      if (found !== undefined) return found;
    }
    return "";
  };
  return {
    steering: first(patterns.steering),
    acceleration: first(patterns.acceleration),
    speed: first(patterns.speed),
    yawRate: first(patterns.yawRate),
    wheelbase: 0,
    ratio: 1,
  };
}

const quoted = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_.[\]]*$/u.test(name) ? name : `\`${name}\``);

/** The formulas of both axes, as they would be typed. */
export function formulasOf(wanted: Handling): { x: string; y: string } {
  const { steering, acceleration, speed, yawRate, wheelbase, ratio } = wanted;
  const x = acceleration !== "" ? acceleration : `lateral_acceleration = ${quoted(speed)}*${quoted(yawRate)}`;
  const angle = ratio === 1 ? quoted(steering) : `${quoted(steering)}/${ratio}`;
  if (wheelbase > 0) return { x, y: `understeer = ${angle} - ${wheelbase}[m]*${quoted(yawRate)}/${quoted(speed)}` };
  return { x, y: ratio === 1 ? steering : `steering = ${angle}` };
}

export function handlingChoice(library: Library, wanted: Handling): Choice {
  const { x, y } = formulasOf(wanted);
  return { ...emptyChoice(), curves: [library.define(y)], x: library.define(x), title: "Handling diagram" };
}

/** Asks for the channels; `add` gets the panel, `fail` what is wrong. */
export function handlingForm(library: Library, add: (choice: Choice) => void, fail: (text: string) => void): HTMLElement {
  const wanted = guess(library.names);
  const list = (key: "steering" | "acceleration" | "speed" | "yawRate", text: string, none: string) => {
    const select = el(
      "select",
      { "data-role": key, "aria-label": text },
      el("option", { value: "", selected: wanted[key] === "" }, none),
      ...library.names.map((name) => el("option", { value: name, selected: name === wanted[key] }, name)),
    );
    select.addEventListener("change", () => (wanted[key] = select.value));
    return el("label", { class: "unit-choice" }, el("span", {}, text), select);
  };
  const number = (key: "wheelbase" | "ratio", text: string, title: string) => {
    const input = el("input", { type: "number", step: "any", min: 0, value: wanted[key], "data-role": key, title, "aria-label": text });
    input.addEventListener("change", () => (wanted[key] = Number(input.value)));
    return el("label", { class: "unit-choice" }, el("span", {}, text), input);
  };
  const make = () => {
    try {
      if (wanted.steering === "") throw new Error("Choose the channel of the steering.");
      if ((wanted.acceleration === "" || wanted.wheelbase > 0) && (wanted.speed === "" || wanted.yawRate === ""))
        throw new Error("Choose speed and yaw rate: their product is the lateral acceleration of a steady curve.");
      add(handlingChoice(library, wanted));
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  };
  return el(
    "div",
    { class: "handling-form" },
    el("div", { class: "panel-title" }, "Handling diagram"),
    list("steering", "steering", "choose"),
    list("acceleration", "lateral acceleration", "speed × yaw rate"),
    list("speed", "speed", "choose"),
    list("yawRate", "yaw rate", "choose"),
    number("ratio", "steering ratio", "Steering over angle of the wheels"),
    number("wheelbase", "wheelbase [m]", "Above zero: understeer, that is steering less wheelbase times yaw rate over speed"),
    el("button", { class: "tool", onclick: make }, "Show"),
  );
}
