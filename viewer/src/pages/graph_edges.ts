// How the edges of the topology graph run, and what they are called.
import { box, type Edge, gap, type Node } from "./graph";

export interface EdgePath {
  path: string;
  x: number; // of the label
  y: number;
  anchor: "start" | "end";
}

const labelRoom = 130; // of the straight end of an edge of the tree, which carries its name
const middle = box.height / 2;

export const isTree = (edge: Edge): boolean => edge.kind === "tree" || edge.kind === "free";

/** At most `length` characters; the end of a name tells it from its neighbours, so the middle goes. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.floor((length - 1) * 0.4);
  return text.slice(0, head) + "…" + text.slice(text.length - (length - 1 - head));
}

/** The name without the owners, up to the last common dot, that it shares with that of the body it leads to. */
export function withoutOwner(name: string, body: string): string {
  const [own, other] = [name.split("."), body.split(".")];
  let shared = 0;
  while (shared < Math.min(own.length, other.length) - 1 && own[shared] === other[shared]) ++shared;
  return own.slice(shared).join(".");
}

const bend = (x0: number, y0: number, x1: number, y1: number) =>
  `C${(x0 + x1) / 2} ${y0} ${(x0 + x1) / 2} ${y1} ${x1} ${y1}`;

export function edgePath(from: Node, to: Node, edge: Edge): EdgePath {
  if (isTree(edge)) return treePath(from, to);
  const [left, right] = from.x <= to.x ? [from, to] : [to, from];
  if (right.x - left.x < box.width) return bowPath(left, right);
  return right.x - left.x <= box.width + gap.column ? besidePath(left, right) : lanePath(left, right);
}

function treePath(from: Node, to: Node): EdgePath {
  const [ax, ay, bx, by] = [from.x + box.width, from.y + middle, to.x, to.y + middle];
  const straight = bx - labelRoom;
  return { path: `M${ax} ${ay}${bend(ax, ay, straight, by)}H${bx}`, x: bx - 8, y: by - 4, anchor: "end" };
}

/** Within a column: out to the right, further the farther it reaches. */
function bowPath(a: Node, b: Node): EdgePath {
  const [ax, ay, bx, by] = [a.x + box.width, a.y + middle, b.x + box.width, b.y + middle];
  const out = Math.max(ax, bx) + 30 + Math.abs(ay - by) * 0.12;
  const path = `M${ax} ${ay}C${out} ${ay} ${out} ${by} ${bx} ${by}`;
  return { path, x: (ax + bx) / 8 + (out * 3) / 4 + 4, y: (ay + by) / 2 + 4, anchor: "start" };
}

/** Into the next column, a little below the edge of the tree. */
function besidePath(a: Node, b: Node): EdgePath {
  const [ax, ay, bx, by] = [a.x + box.width, a.y + middle + 6, b.x, b.y + middle + 8];
  return { path: `M${ax} ${ay}${bend(ax, ay, bx - 12, by)}H${bx}`, x: bx - 14, y: by + 11, anchor: "end" };
}

/** Past other columns: between the rows, below that of the farther box. */
function lanePath(a: Node, b: Node): EdgePath {
  const [ax, ay, bx, by] = [a.x + box.width, a.y + middle, b.x, b.y + middle + 8];
  const lane = b.y + box.height + gap.row / 2;
  const first = ax + gap.column - 20;
  const path = `M${ax} ${ay}${bend(ax, ay, first, lane)}H${bx - 30}${bend(bx - 30, lane, bx, by)}`;
  return { path, x: bx - 34, y: lane - 3, anchor: "end" };
}
