// Colours of the scene.
import { Color } from "three";

/** Okabe and Ito's palette, told apart with any colour vision; black and yellow left out, they vanish in a theme. */
const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7fc4", "#9a9a3d"];

export function bodyColour(body: number): string {
  return body < 0 ? "#9aa3ad" : palette[body % palette.length];
}

/** A colour of a model file, else the other. */
export function colourOr(given: string, otherwise: string): Color {
  return new Color(/^#[0-9a-f]{6}$/i.test(given) ? given : otherwise);
}

export const colours = {
  tyre: "#2c2f34",
  mark: "#d9dad6",
  rim: "#b9c0c8",
  joint: "#59626d",
  rail: "#9aa3ad",
  cut: "#e0457b",
  rod: "#8a949f",
  coil: "#3d7ea6",
  tube: "#4a525c",
  piston: "#c3c9cf",
  rubber: "#3a3d42",
  actuator: "#c98a1b",
  force: "#e03131",
  tyreForce: "#e8890c",
  reaction: "#8f3fd1",
  moment: "#0b9aa5",
  highlight: "#ffb000",
  ghost: "#6c7a89",
};

export interface Theme {
  top: string; // of the background
  bottom: string;
  line: string; // of the grid
  lineStrength: number;
  text: string;
  plate: string; // behind text
  shadow: number; // opacity
  sky: string; // of the ambient light
  earth: string;
  ghost: string;
  road: string;
  paint: string; // of its lines
  ballast: string; // of railway tracks
  sleeper: string;
  steel: string; // of rails
}

export const light: Theme = {
  top: "#fdfdfe",
  bottom: "#e7ebf0",
  line: "#5d6a78",
  lineStrength: 0.42,
  text: "#1d2530",
  plate: "rgba(255, 255, 255, 0.82)",
  shadow: 0.2,
  sky: "#ffffff",
  earth: "#b9bec6",
  ghost: "#5b6b7c",
  road: "#aab0b8",
  paint: "#f4f6f8",
  ballast: "#b9b2a8",
  sleeper: "#c9c6c0",
  steel: "#8d8f94",
};

export const dark: Theme = {
  top: "#20252d",
  bottom: "#13161b",
  line: "#8d9aab",
  lineStrength: 0.3,
  text: "#e6eaf0",
  plate: "rgba(24, 28, 34, 0.82)",
  shadow: 0.42,
  sky: "#eef2ff",
  earth: "#6f7682",
  ghost: "#b4c2d2",
  road: "#2c323b",
  paint: "#7c8794",
  ballast: "#57534e",
  sleeper: "#7d7a75",
  steel: "#9a9ea6",
};
