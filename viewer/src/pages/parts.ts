// What both pages are made of.
import { el, table } from "../dom";
import type { Run } from "../types";

const rowsAtOnce = 200;

/** Which results the curves other than the first ones are. */
export function versusText(runs: Run[]): string {
  const others = runs.slice(1).map((run) => run.label);
  return `${others.length > 1 ? "In other colours" : "Dashed"}: ${others.join("; ")}.`;
}

export function card(title: string, ...content: Node[]): HTMLElement {
  return el("section", { class: "card" }, el("h2", {}, title), ...content);
}

export function facts(rows: [string, string][]): HTMLElement {
  return el(
    "dl",
    { class: "facts" },
    ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value === "" ? "–" : value)]),
  );
}

/** A table whose rows beyond the first come on demand. */
export function longTable(head: string[], rows: (Node | string)[][]): HTMLElement {
  if (rows.length <= rowsAtOnce) return table(head, rows);
  const frame = el("div");
  const more = el("button", { class: "tool" }, `${rows.length - rowsAtOnce} more`);
  more.addEventListener("click", () => frame.replaceChildren(table(head, rows)));
  frame.append(table(head, rows.slice(0, rowsAtOnce)), more);
  return frame;
}
