// A wheel in cross-section with its numbers, in step with the clock: on the page of the wheels and in the corner of the scene.
import { el } from "../dom";
import { short } from "../format";
import type { Clock, Run } from "../types";
import { SectionPicture } from "./section_picture";
import { type Wheel, WheelChannels } from "./wheels";

const longest = 40; // mm of the picture, of the largest force of the run

export interface SectionCard {
  element: HTMLElement;
  zoom(factor: number): void;
  update(): void;
}

const kN = (x: number) => `${short(x / 1000, 3)} kN`;
const mm = (x: number) => `${short(1000 * x, 3)} mm`;
const mrad = (x: number) => `${short(1000 * x, 3)} mrad`;

/** What to do where there is nothing to draw. */
function advice(channels: WheelChannels): HTMLElement {
  const names = channels.missing.map((name) => `${channels.wheel.name}.${name}`).join(", ");
  return el("p", { class: "hint" }, `Not recorded: ${names}. Run with --report, or add "${channels.wheel.name}.*" to the outputs.`);
}

function rowsOf(channels: WheelChannels, t: number): [string, string][] {
  const at = (name: string) => channels.at(name, t);
  const known = (name: string, text: string, write: (x: number) => string): [string, string][] => (Number.isFinite(at(name)) ? [[text, write(at(name))]] : []);
  return [
    ...known("normal", "N", kN),
    ...known("tangential_x", "T along", kN),
    ...known("tangential_y", "T across", kN),
    ...known("Y", "Y", kN),
    ...known("Q", "Q", kN),
    ...known("YQ", "Y/Q", (x) => short(x, 3)),
    ...known("lateral", "wheel to field side", mm),
    ...known("roll", "roll", mrad),
    ...known("yaw", "yaw", mrad),
    ...known("angle", "contact angle", (x) => `${short((180 / Math.PI) * x, 3)}°`),
    ...known("second_normal", "second N", kN),
    ...known("along", "way", (x) => `${x.toFixed(1)} m`),
  ];
}

export function sectionCard(run: Run, wheel: Wheel, clock: Clock, some = 99): SectionCard {
  const channels = new WheelChannels(run, wheel);
  if (channels.missing.length > 0) return { element: advice(channels), zoom: () => {}, update: () => {} };
  const most = Math.max(channels.largest("normal"), 1e-9);
  const picture = new SectionPicture(wheel, longest / most);
  const numbers = el("dl", { class: "wr-values" });
  const update = () => {
    const stance = channels.stance(clock.t);
    if (!stance) return;
    picture.setRail(channels.rail(clock.t));
    picture.show(stance, channels.touches(clock.t));
    numbers.replaceChildren(...rowsOf(channels, clock.t).slice(0, some).flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
  };
  update();
  return { element: el("div", { class: "wr-card" }, picture.element, numbers), zoom: (factor) => picture.setZoom(factor), update };
}
