// Colours for quantities: displacements from dark to bright, strains from blue (pressed) over grey to red (pulled).
import { Color } from "three";
import type { Shade } from "../types";

// Viridis by Smith and van der Walt, and cool-warm by Moreland, at even steps.
const ramps: Record<Shade["quantity"], string[]> = {
  displacement: ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"],
  strain: ["#3b4cc0", "#6788ee", "#9abbff", "#c9d7f0", "#dddddd", "#edd1c2", "#f7a889", "#e26952", "#b40426"],
};

const linear = Object.fromEntries(Object.entries(ramps).map(([name, list]) => [name, list.map((text) => new Color(text))]));

/** Sets the colour of a value into three numbers from `at`; ends of the scale hold beyond it. */
export function paint(shade: Shade, value: number, out: Float32Array, at: number): void {
  const ramp = linear[shade.quantity];
  const part = shade.high > shade.low ? (value - shade.low) / (shade.high - shade.low) : shade.quantity === "strain" ? 0.5 : 0;
  const place = Math.min(1, Math.max(0, part || 0)) * (ramp.length - 1);
  const i = Math.min(ramp.length - 2, Math.floor(place));
  const [a, b, f] = [ramp[i], ramp[i + 1], place - i];
  out[at] = a.r + f * (b.r - a.r);
  out[at + 1] = a.g + f * (b.g - a.g);
  out[at + 2] = a.b + f * (b.b - a.b);
}

/** For the legend. */
export const gradientOf = (quantity: Shade["quantity"]): string => `linear-gradient(to right, ${ramps[quantity].join(", ")})`;

/** One scale for several: of strains it has the same reach to both sides. */
export function joined(list: Shade[]): Shade[] {
  return (["displacement", "strain"] as const).flatMap((quantity) => {
    const of = list.filter((shade) => shade.quantity === quantity);
    if (of.length === 0) return [];
    const reach = Math.max(...of.map(({ low, high }) => Math.max(Math.abs(low), Math.abs(high))));
    return [{ quantity, low: quantity === "strain" ? -reach : 0, high: reach }];
  });
}
