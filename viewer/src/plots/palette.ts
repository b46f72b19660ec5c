// Colours of curves: eight that are told apart also by readers who confuse red and green.

const light = ["#1f6fd1", "#d1491f", "#1a8f6a", "#8a4fd0", "#b8860b", "#c2307f", "#3f7f8f", "#5d6470"];
const dark = ["#5aa2ff", "#ff8a5c", "#43c99a", "#b98cff", "#e2b23c", "#ff79b8", "#6fc3d6", "#a9b2c0"];

export const colours = light.length;
/** In place of an index: the colour of text, for limits. */
export const textColour = -1;

export const isDark = (): boolean => document.documentElement.dataset.theme === "dark";

export function colour(index: number, onDark: boolean): string {
  if (index === textColour) return onDark ? "#e6e9ee" : "#20242b";
  const list = onDark ? dark : light;
  return list[index % list.length];
}

const patterns = [[], [6, 4], [2, 3], [9, 3, 2, 3], [12, 5], [2, 6], [9, 3, 2, 3, 2, 3]];

export const patternCount = patterns.length;

/** Lengths of dashes and gaps, none of a solid line. */
export const dashes = (index: number): number[] => patterns[index % patterns.length];

/** Wide enough to show the dashes. */
export const swatchClass = (dash: number): string => (dash > 0 ? "swatch wide" : "swatch");

/** The background of a key that shows a curve's colour and its dashes. */
export function inkOf(ink: string, dash: number): string {
  let end = 0;
  const parts = dashes(dash).map((length, i) => `${i % 2 === 0 ? ink : "transparent"} ${end}px ${(end += length)}px`);
  return parts.length > 0 ? `background:repeating-linear-gradient(90deg,${parts.join(",")})` : `background:${ink}`;
}

/** From dark blue over green to yellow, of even lightness: 0 to 1, and told apart without colours too. */
export function shaded(part: number, onDark: boolean): string {
  const x = Math.min(1, Math.max(0, part));
  const lightness = onDark ? 55 + 30 * x : 30 + 28 * x;
  return `hsl(${260 - 215 * x} 78% ${lightness}%)`;
}
