// What an analysis says with --json, as facts and tables: equilibrium, nominal forces, linear systems, evaluations. Of two results the second stands beside the first.
import { el, table } from "../dom";
import { short, unitOf } from "../format";
import type { Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { card, facts, longTable } from "./parts";

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields => value !== null && typeof value === "object" && !Array.isArray(value);
const isScalar = (value: unknown) => value === null || ["number", "string", "boolean"].includes(typeof value);
const isScalars = (value: unknown): value is Fields => isObject(value) && Object.values(value).every(isScalar);
const isRows = (value: unknown): value is Fields[] => Array.isArray(value) && value.length > 0 && value.every(isScalars);
const isMatrix = (value: unknown): value is number[][] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => Array.isArray(row) && row.length > 0 && row.every(isScalar));

const left = ["warnings", "title", "problem", "curves"]; // told elsewhere
const mostColumns = 30;

/** Rows and columns of matrices, by the lists that name them. */
const names: Record<string, [string, string]> = {
  A: ["states", "states"],
  B: ["states", "inputs"],
  C: ["outputs", "states"],
  D: ["outputs", "inputs"],
};

const text = (value: unknown): string =>
  typeof value === "number" ? short(value, 7) : value === null ? "not known" : value === true ? "yes" : value === false ? "no" : String(value);
const cell = (value: unknown): Node | string =>
  value === undefined ? "–" : typeof value === "number" ? el("span", { class: "n" }, text(value)) : unitOf(text(value));
const titled = (key: string): string => key.replace(/_/g, " ");
const capital = (key: string): string => key.charAt(0).toUpperCase() + titled(key).slice(1);

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map((item) => (isObject(item) ? String(item.name ?? "") : String(item))) : [];
}

function factsOf(all: Fields[]): [string, string][] {
  const [first] = all;
  return Object.keys(first).flatMap((key): [string, string][] => {
    const tell = (value: unknown) => (Array.isArray(value) ? value.map(text).join("; ") || "none" : text(value));
    const value = first[key];
    const isList = Array.isArray(value) && value.every(isScalar);
    if (left.includes(key) || !(isScalar(value) || isList)) return [];
    const texts = all.map((each) => tell(each[key]));
    return [[titled(key), new Set(texts).size > 1 ? texts.join("  |  ") : texts[0]]];
  });
}

/** Rows of the second result by their first column. */
function rowsCard(key: string, lists: (Fields[] | undefined)[]): HTMLElement {
  const [first, second] = lists;
  const columns = Object.keys(first?.[0] ?? {});
  const others = new Map(second?.map((row) => [row[columns[0]], row]));
  const numeric = columns.filter((name) => first?.some((row) => typeof row[name] === "number"));
  const head = columns.flatMap((name) => (second && numeric.includes(name) ? [name, `${name} (second)`] : [name]));
  const rows = (first ?? []).map((row) =>
    columns.flatMap((name) => {
      const own = cell(row[name]);
      return second && numeric.includes(name) ? [own, cell(others.get(row[columns[0]])?.[name])] : [own];
    }),
  );
  return card(capital(key), longTable(head.map(titled), rows));
}

/** Objects with the same names, side by side: nominal values, those before, units. */
function mapsCard(keys: string[], all: Fields[]): HTMLElement {
  const lists = keys.flatMap((key) => all.map((each, i) => ({ title: i > 0 ? `${titled(key)} (second)` : titled(key), values: each[key] as Fields, key, i })));
  const shown = lists.filter(({ key, i }) => i === 0 || key !== "units");
  const items = Object.keys(all[0][keys[0]] as Fields);
  const rows = items.map((name) => [name, ...shown.map(({ values }) => cell(values?.[name]))]);
  return card(capital(keys[0]), longTable(["", ...shown.map(({ title }) => title)], rows));
}

function matrixCard(title: string, key: string, matrix: number[][], of: Fields): HTMLElement {
  const [rows, columns] = (names[key] ?? ["coordinates", "coordinates"]).map((list) => namesIn(of[list]));
  if (matrix[0].length > mostColumns)
    return card(title, el("p", { class: "hint" }, `${matrix.length} by ${matrix[0].length}: too large for the page; -o x.mat has it.`));
  const head = ["", ...matrix[0].map((_, k) => columns[k] ?? String(k + 1))];
  return card(title, table(head, matrix.map((row, i) => [rows[i] ?? String(i + 1), ...row.map(cell)]), "matrix"));
}

function partsOf(all: Fields[], prefix = ""): HTMLElement[] {
  const [first] = all;
  const parts: HTMLElement[] = [];
  const listed = factsOf(all);
  if (listed.length > 0) parts.push(card(prefix === "" ? "Found" : prefix, facts(listed)));
  const maps = Object.keys(first).filter((key) => isScalars(first[key]) && Object.keys(first[key] as Fields).length > 0);
  const done = new Set<string>();
  for (const [key, value] of Object.entries(first)) {
    const title = prefix === "" ? titled(key) : `${prefix}: ${titled(key)}`;
    if (left.includes(key) || done.has(key) || isScalar(value)) continue;
    if (isRows(value)) parts.push(rowsCard(title, all.map((each) => (isRows(each[key]) ? (each[key] as Fields[]) : undefined))));
    else if (isMatrix(value)) parts.push(matrixCard(title, key, value, first));
    else if (maps.includes(key)) {
      const same = maps.filter((other) => Object.keys(first[other] as Fields).join("\n") === Object.keys(value as Fields).join("\n"));
      same.forEach((each) => done.add(each));
      parts.push(mapsCard(same, all));
    } else if (isObject(value) && !isScalars(value)) parts.push(...partsOf(all.map((each) => (isObject(each[key]) ? each[key] : {})), title));
  }
  return parts;
}

const tabs: Record<string, AnalysisPage["tab"]> = {
  equilibrium: "Equilibrium",
  nominal: "Nominal forces",
  linearize: "Linear system",
  evaluate: "Evaluation",
  simulate: "Evaluation", // what the experiment evaluates at the end of its run
};

export function foundPage(runs: Run[]): AnalysisPage | null {
  const tab = tabs[runs[0].info.analysis];
  const all = runs.filter((run) => run.info.analysis === runs[0].info.analysis).map((run) => run.found).filter(isObject);
  if (!tab || all.length === 0) return null;
  const versus = all.length > 1 ? [el("div", { class: "hint" }, `Second, or behind the bar: ${runs[1].label}.`)] : [];
  return { tab, element: el("div", { class: "page" }, ...versus, ...partsOf(all)), rebuild: () => undefined };
}
