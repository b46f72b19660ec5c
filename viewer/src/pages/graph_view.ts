// The topology graph as a drawing one can move and enlarge.
import { el, svg } from "../dom";
import type { Scene } from "../types";
import { box, type Edge, type Graph, layout, type Node } from "./graph";

const margin = 24;
const legible = { w: 1500, h: 640 }; // on a card of a usual width
const labelRoom = 140; // of the straight end of an edge, which carries its name
const legend: [string, string][] = [
  ["tree", "joint of the tree"],
  ["cut", "cut joint: closes a loop"],
  ["rod", "rod"],
  ["free", "free body"],
  ["force", "force element"],
];
const cut = (text: string, length: number) => (text.length > length ? text.slice(0, length - 1) + "…" : text);

export function graphView(scene: Scene, choose: (body: number) => void): HTMLElement {
  const graph = layout(scene);
  const drawing = svg("svg", {
    class: "graph",
    preserveAspectRatio: "xMinYMid meet",
    role: "img",
    "aria-label": "Topology of the model",
  });
  drawing.append(
    ...graph.edges.flatMap((edge) => edgeElements(graph, edge)),
    ...graph.nodes.map((node) => nodeElement(node, choose)),
  );
  const forces = el("input", { type: "checkbox" });
  forces.addEventListener("change", () => drawing.classList.toggle("with-forces", forces.checked));
  const view = zoomable(drawing, graph);
  const present = new Set<string>(graph.edges.map((edge) => edge.kind));
  const key = legend
    .filter(([kind]) => present.has(kind))
    .map(([kind, text]) => el("span", { class: `key ${kind}` }, text));
  return el(
    "div",
    { class: "graph-frame" },
    el(
      "div",
      { class: "graph-tools" },
      ...key,
      el("span", { class: "spacer" }),
      present.has("force") && el("label", {}, forces, " force elements"),
      el("button", { class: "tool", title: "Smaller", onclick: () => view.zoom(1.25) }, "−"),
      el("button", { class: "tool", title: "Larger", onclick: () => view.zoom(0.8) }, "+"),
      el("button", { class: "tool", title: "Show all", onclick: () => view.fit() }, "⤢"),
    ),
    drawing,
  );
}

function nodeElement(node: Node, choose: (body: number) => void): SVGElement {
  const group = svg(
    "g",
    { class: node.body < 0 ? "node ground" : "node", transform: `translate(${node.x} ${node.y})` },
    svg("title", {}, node.name),
    svg("rect", { width: box.width, height: box.height, rx: 6 }),
    svg(
      "text",
      { x: box.width / 2, y: box.height / 2 + 4, "text-anchor": "middle" },
      cut(node.name === "" ? "(no name)" : node.name, 20),
    ),
  );
  if (node.body >= 0) group.addEventListener("dblclick", () => choose(node.body));
  return group;
}

function edgeElements(graph: Graph, edge: Edge): SVGElement[] {
  const from = graph.nodes[edge.from + 1];
  const to = graph.nodes[edge.to + 1];
  const middle = box.height / 2;
  const label = edge.name === "" ? edge.type : `${cut(edge.name, 16)} · ${cut(edge.type, 12)}`;
  const title = () => svg("title", {}, `${edge.name} (${edge.type})`);
  const a = { x: from.x + box.width, y: from.y + middle };
  if (edge.kind === "tree" || edge.kind === "free") {
    const b = { x: to.x, y: to.y + middle };
    const straight = b.x - labelRoom;
    const middleX = (a.x + straight) / 2;
    const path = `M${a.x} ${a.y}C${middleX} ${a.y} ${middleX} ${b.y} ${straight} ${b.y}H${b.x}`;
    const text = svg("text", { x: b.x - 8, y: b.y - 4, "text-anchor": "end" }, label);
    return [svg("g", { class: `edge ${edge.kind}` }, title(), svg("path", { d: path }), text)];
  }
  // Others bow out to the right of both, further the farther they reach.
  const b = { x: to.x + box.width, y: to.y + middle };
  const out = Math.max(a.x, b.x) + 30 + Math.abs(a.y - b.y) * 0.18;
  const path = `M${a.x} ${a.y}C${out} ${a.y} ${out} ${b.y} ${b.x} ${b.y}`;
  const at = { x: (a.x + b.x) / 8 + (out * 3) / 4, y: (a.y + b.y) / 2 };
  const text = svg("text", { x: at.x + 4, y: at.y + 4 }, label);
  return [svg("g", { class: `edge ${edge.kind}` }, title(), svg("path", { d: path }), text)];
}

interface Part {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** All of it, as long as names stay legible; of larger graphs what surrounds the ground. */
function start(graph: Graph, all: Part): Part {
  if (all.w <= legible.w && all.h <= legible.h) return all;
  const w = Math.min(all.w, legible.w);
  const h = Math.min(all.h, legible.h);
  const middle = graph.nodes[0].y + box.height / 2;
  return { x: all.x, y: Math.min(Math.max(all.y, middle - h / 2), all.y + all.h - h), w, h };
}

function zoomable(drawing: SVGSVGElement, graph: Graph): { zoom(factor: number): void; fit(): void } {
  const all = { x: -margin, y: -margin, w: graph.width + 2 * margin + 160, h: graph.height + 2 * margin };
  const part = start(graph, all);
  let view = { ...part };
  const apply = () => drawing.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  const zoomAt = (factor: number, px: number, py: number) => {
    view = { x: px - (px - view.x) * factor, y: py - (py - view.y) * factor, w: view.w * factor, h: view.h * factor };
    apply();
  };
  const point = (event: MouseEvent) => {
    const matrix = drawing.getScreenCTM()?.inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  };
  drawing.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, y } = point(event);
      zoomAt(Math.exp(Math.sign(event.deltaY) * 0.15), x, y);
    },
    { passive: false },
  );
  let grabbed: DOMPoint | null = null;
  drawing.addEventListener("pointerdown", (event) => {
    grabbed = point(event);
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (!grabbed) return;
    const { x, y } = point(event);
    view = { ...view, x: view.x + grabbed.x - x, y: view.y + grabbed.y - y };
    apply();
  });
  drawing.addEventListener("pointerup", () => (grabbed = null));
  drawing.style.height = `${Math.min(560, Math.max(180, all.h))}px`;
  apply();
  return {
    zoom: (factor) => zoomAt(factor, view.x + view.w / 2, view.y + view.h / 2),
    fit: () => {
      view = { ...all };
      apply();
    },
  };
}
