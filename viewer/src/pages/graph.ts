// Where the boxes of the topology graph stand: the ground at the left, bodies in columns by their depth in the tree.
import type { Scene } from "../types";

export interface Node {
  body: number; // -1: the ground
  name: string;
  x: number; // of the box's left upper corner
  y: number;
}

export type EdgeKind = "tree" | "free" | "cut" | "rod" | "force";

export interface Edge {
  kind: EdgeKind;
  from: number; // bodies
  to: number;
  name: string;
  type: string;
}

export interface Graph {
  nodes: Node[]; // ground first, then in the order of the bodies
  edges: Edge[];
  width: number;
  height: number;
}

export const box = { width: 164, height: 30 };
export const gap = { column: 176, row: 14 };
const many = 12; // leaves of one body; more of them stand in a block instead of one long column

/** Children of each body, those of the ground last. Parents that make no sense are taken for the ground. */
function childrenOf(scene: Scene): number[][] {
  const count = scene.bodies.length;
  const children: number[][] = Array.from({ length: count + 1 }, () => []);
  scene.bodies.forEach((body, i) => {
    const parent = body.tree?.parent ?? -1;
    const sound = Number.isInteger(parent) && parent >= 0 && parent < count && reachesGround(scene, i);
    children[sound ? parent : count].push(i);
  });
  return children;
}

function reachesGround(scene: Scene, body: number): boolean {
  let at = body;
  for (let steps = 0; steps <= scene.bodies.length; ++steps) {
    at = scene.bodies[at]?.tree?.parent ?? -1;
    if (at < 0 || at >= scene.bodies.length) return true;
  }
  return false;
}

export function layout(scene: Scene): Graph {
  const count = scene.bodies.length;
  const children = childrenOf(scene);
  const nodes: Node[] = [{ body: -1, name: "ground", x: 0, y: 0 }];
  scene.bodies.forEach((body, i) => nodes.push({ body: i, name: body.name, x: 0, y: 0 }));
  const rowHeight = box.height + gap.row;
  const columnWidth = box.width + gap.column;
  let nextRow = 0;

  // Without recursion: a chain of thousands of bodies must not exhaust the stack.
  const order: { id: number; depth: number }[] = [];
  const open = [{ id: count, depth: 0 }];
  while (open.length > 0) {
    const item = open.pop()!;
    order.push(item);
    for (const child of [...children[item.id]].reverse()) open.push({ id: child, depth: item.depth + 1 });
  }
  const node = (id: number) => nodes[id === count ? 0 : id + 1];
  const placed = new Set<number>();
  for (const { id, depth } of order) {
    if (placed.has(id)) continue;
    node(id).x = depth * columnWidth;
    const leaves = children[id].filter((child) => children[child].length === 0);
    if (leaves.length > many) {
      const columns = Math.max(2, Math.round(Math.sqrt(leaves.length / 8)));
      leaves.forEach((leaf, k) => {
        node(leaf).x = (depth + 1) * columnWidth + (k % columns) * (box.width + 20);
        node(leaf).y = (nextRow + Math.floor(k / columns)) * rowHeight;
        placed.add(leaf);
      });
      nextRow += Math.ceil(leaves.length / columns);
    }
    if (children[id].length === 0) node(id).y = nextRow++ * rowHeight;
  }
  for (const { id } of [...order].reverse()) {
    if (children[id].length === 0) continue;
    const ys = children[id].map((child) => node(child).y);
    node(id).y = ys.reduce((sum, y) => sum + y, 0) / ys.length;
  }
  return {
    nodes,
    edges: edgesOf(scene),
    width: Math.max(...nodes.map((each) => each.x)) + box.width,
    height: Math.max(...nodes.map((each) => each.y)) + box.height,
  };
}

function edgesOf(scene: Scene): Edge[] {
  const edges: Edge[] = [];
  scene.bodies.forEach((body, i) => {
    const joint = scene.joints[body.tree?.joint ?? -1];
    const parent = body.tree?.parent ?? -1;
    if (joint) edges.push({ kind: "tree", from: parent, to: i, name: joint.name, type: joint.type });
    else edges.push({ kind: "free", from: parent, to: i, name: "", type: "free" });
  });
  for (const joint of scene.joints) {
    if (joint.cut) edges.push({ kind: "cut", from: joint.from, to: joint.to, name: joint.name, type: joint.type });
  }
  for (const rod of scene.rods) edges.push({ kind: "rod", from: rod.from, to: rod.to, name: rod.name, type: "rod" });
  for (const force of scene.forces) {
    const ends = "joint" in force ? scene.joints[force.joint] : force;
    if (ends) edges.push({ kind: "force", from: ends.from, to: ends.to, name: force.name, type: force.type });
  }
  const known = (body: number) => Number.isInteger(body) && body >= -1 && body < scene.bodies.length;
  return edges.filter((edge) => known(edge.from) && known(edge.to));
}
