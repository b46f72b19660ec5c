// Pages of plots as they stand in a model file.
import { type Choice, emptyChoice, type View } from "./choice";

/** A panel of the section `plots:` of a model. */
export interface ModelPanel {
  title?: string;
  curves: string[]; // channels, "=formula" or "name = formula"
  x?: string; // the same; missing: time
  units?: string[];
  view?: string;
}

export interface ModelPage {
  name: string;
  panels: ModelPanel[];
}

export interface Definer {
  has(name: string): boolean;
  define(typed: string): string;
}

/** Panels of the page, and what of it cannot be shown. */
export function panelsOf(page: ModelPage, library: Definer): { panels: Choice[]; problems: string[] } {
  const problems: string[] = [];
  const curve = (text: string): string[] => {
    if (library.has(text)) return [text];
    try {
      return [library.define(text.replace(/^\s*=/, ""))];
    } catch (error) {
      problems.push(`${text}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  };
  const panels = page.panels.map((panel): Choice => ({
    ...emptyChoice(),
    curves: panel.curves.flatMap(curve),
    x: panel.x === undefined ? null : (curve(panel.x)[0] ?? null),
    ...(panel.title ? { title: panel.title } : {}),
    ...(panel.units && panel.units.length > 0 ? { units: [...panel.units] } : {}),
    ...(panel.view ? { view: panel.view as View } : {}),
  }));
  return { panels, problems };
}

const isPlain = (text: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_./-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text);
const scalar = (text: string): string => (isPlain(text) ? text : JSON.stringify(text));
const list = (texts: string[]): string => `[${texts.map(scalar).join(", ")}]`;

/** A page for the section `plots:`; `typed` tells the formula of a curve that is no channel. */
export function pageText(name: string, panels: Choice[], typed: (curve: string) => string | null): string {
  const told = (curve: string): string => {
    const text = typed(curve);
    return text === null ? curve : text === curve ? `=${text}` : `${curve} = ${text}`;
  };
  const lines = panels
    .filter((panel) => panel.curves.length > 0 || panel.view === "ellipse")
    .flatMap((panel) => {
      const fields = [
        ...(panel.title ? [`title: ${scalar(panel.title)}`] : []),
        ...(panel.curves.length > 0 ? [`curves: ${list(panel.curves.map(told))}`] : []),
        ...(panel.x === null ? [] : [`x: ${scalar(told(panel.x))}`]),
        ...(panel.units && panel.units.length > 0 ? [`units: ${list(panel.units)}`] : []),
        ...(panel.view && panel.view !== "curves" ? [`view: ${panel.view}`] : []),
      ];
      return fields.map((field, i) => `${i === 0 ? "    - " : "      "}${field}`);
    });
  return ["plots:", `  ${scalar(name)}:`, ...lines, ""].join("\n");
}
