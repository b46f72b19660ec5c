// The topology graph as a drawing one can move and enlarge.
import { el, svg } from "../dom";
import type { Scene } from "../types";
import { edgePath, isTree, shortened, withoutOwner } from "./graph_edges";
import { box, type Edge, type Graph, layout, type Node } from "./graph";

const margin = 24;
const legible = { w: 2400, h: 1300 }; // on a card of a usual width
const manyLabels = 6; // of edges beside the tree: more of them are seen only under the pointer
const legend: [string, string][] = [
  ["tree", "joint of the tree"],
  ["cut", "cut joint: closes a loop"],
  ["rod", "rod"],
  ["free", "free body"],
  ["force", "force element"],
];

export function graphView(scene: Scene, choose: (body: number) => void): HTMLElement {
  const graph = layout(scene);
  const drawing = svg("svg", {
    class: "graph",
    preserveAspectRatio: "xMinYMid meet",
    role: "img",
    "aria-label": "Topology of the model",
  });
  const besides = graph.edges.filter((edge) => !isTree(edge) && edge.kind !== "force");
  drawing.classList.toggle("crowded", besides.length > manyLabels);
  drawing.append(
    // The tree last, so that its labels stand over other lines.
    ...[...graph.edges].sort((a, b) => Number(isTree(a)) - Number(isTree(b))).map((edge) => edgeElement(graph, edge)),
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
      shortened(node.name === "" ? "(no name)" : node.name, 25),
    ),
  );
  if (node.body >= 0) group.addEventListener("dblclick", () => choose(node.body));
  return group;
}

function edgeElement(graph: Graph, edge: Edge): SVGElement {
  const to = graph.nodes[edge.to + 1];
  const name = withoutOwner(edge.name, to.name);
  const label = edge.name === "" ? edge.type : `${shortened(name, 17)} · ${shortened(edge.type, 10)}`;
  const { path, x, y, anchor } = edgePath(graph.nodes[edge.from + 1], to, edge);
  return svg(
    "g",
    { class: `edge ${edge.kind}` },
    svg("title", {}, `${edge.name} (${edge.type})`),
    svg("path", { d: path, class: "hit" }), // broad and unseen: a line is hard to point at
    svg("path", { d: path }),
    svg("text", { x, y, "text-anchor": anchor }, label),
  );
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
  const all = { x: -margin, y: -margin, w: graph.width + 2 * margin + 60, h: graph.height + 2 * margin };
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
  drawing.style.height = `${Math.min(620, Math.max(180, all.h))}px`;
  apply();
  return {
    zoom: (factor) => zoomAt(factor, view.x + view.w / 2, view.y + view.h / 2),
    fit: () => {
      view = { ...all };
      apply();
    },
  };
}
