// The page of the model: topology, degrees of freedom, masses, joints, parameters, what `check` says, source.
import { el, table } from "../dom";
import { integer, short } from "../format";
import type { Run, Scene, Vec } from "../types";
import { graphView } from "./graph_view";
import { card, facts, longTable } from "./parts";

export function modelPage(run: Run, choose: (body: number) => void): HTMLElement {
  const { scene } = run;
  const page = el("div", { class: "page" });
  if (scene) {
    page.append(
      el(
        "div",
        { class: "cards" },
        card("Model", modelFacts(run, scene)),
        card("Freedom", freedom(scene)),
        card("Mass", masses(scene)),
      ),
      card("Topology", graphView(scene, choose)),
      card(`Bodies (${scene.bodies.length})`, bodies(scene)),
      card(`Joints (${scene.joints.length})`, joints(scene)),
    );
    if (scene.rods.length > 0) page.append(card(`Rods (${scene.rods.length})`, rods(scene)));
    if (scene.forces.length > 0) page.append(card(`Force elements (${scene.forces.length})`, forces(scene)));
  } else {
    page.append(
      el("p", { class: "empty" }, "This result holds no description of the model: it was written by an older version."),
    );
  }
  if (run.parameters.length > 0) {
    const rows = run.parameters.map(({ name, value }) => [name, el("code", {}, value)]);
    page.append(card(`Parameters (${rows.length})`, longTable(["name", "value"], rows)));
  }
  if (run.report.length > 0)
    page.append(card("What skyhook check says", el("pre", { class: "text" }, run.report.join("\n"))));
  if (run.source !== "") {
    page.append(
      card(
        "Source",
        el("div", { class: "hint" }, run.info.model_file),
        el("pre", { class: "text source" }, run.source),
      ),
    );
  }
  return page;
}

function modelFacts(run: Run, scene: Scene): HTMLElement {
  return facts([
    ["name", run.info.model],
    ["file", run.info.model_file],
    ["formulation", run.info.formulation],
    ["bodies", integer(scene.bodies.length)],
    ["joints", integer(scene.joints.length)],
    ["force elements", integer(scene.forces.length)],
    ["gravity", `${vector(scene.gravity)} m/s²`],
  ]);
}

function freedom(scene: Scene): HTMLElement {
  return facts([
    ["degrees of freedom", integer(scene.degrees_of_freedom)],
    ["coordinates", integer(scene.coordinates)],
    ["constraints", integer(scene.constraints)],
    ["redundant constraints", integer(scene.redundant)],
    ["loops (cut joints)", integer(scene.joints.filter((joint) => joint.cut).length)],
    ["rods", integer(scene.rods.length)],
  ]);
}

function masses(scene: Scene): HTMLElement {
  const total = scene.bodies.reduce((sum, body) => sum + body.mass, 0);
  const heaviest = [...scene.bodies].sort((a, b) => b.mass - a.mass).slice(0, 5);
  return facts([
    ["total", `${short(total, 7)} kg`],
    ...heaviest.map((body): [string, string] => [body.name, `${short(body.mass, 6)} kg`]),
  ]);
}

const vector = (v: Vec): string => v.map((value) => short(value, 5)).join(", ");
const numeric = (text: string) => el("span", { class: "n" }, text);

function bodies(scene: Scene): HTMLElement {
  const rows = scene.bodies.map((body) => [
    body.name,
    numeric(short(body.mass, 6)),
    numeric(vector(body.com)),
    ...body.inertia.map((value) => numeric(short(value, 5))),
  ]);
  const head = ["body", "mass [kg]", "centre of mass [m]", "Ixx [kg m²]", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"];
  const total = scene.bodies.reduce((sum, body) => sum + body.mass, 0);
  return el(
    "div",
    {},
    longTable(head, rows),
    el("div", { class: "hint" }, `Total mass ${short(total, 7)} kg. Inertia about the centre of mass, in body axes.`),
  );
}

const nameOf = (scene: Scene, body: number): string => (body < 0 ? "ground" : (scene.bodies[body]?.name ?? "?"));

function joints(scene: Scene): HTMLElement {
  if (scene.joints.length === 0) return el("p", { class: "empty" }, "There are no joints.");
  const rows = scene.joints.map((joint) => [
    joint.name,
    joint.type,
    nameOf(scene, joint.from),
    nameOf(scene, joint.to),
    numeric(vector(joint.axis)),
    joint.cut ? el("span", { class: "badge cut" }, "cut") : "tree",
    joint.coordinates.join(", "),
  ]);
  return longTable(["joint", "type", "from", "to", "axis", "in the tree", "coordinates"], rows);
}

function rods(scene: Scene): HTMLElement {
  const rows = scene.rods.map((rod) => [rod.name, nameOf(scene, rod.from), nameOf(scene, rod.to)]);
  return table(["rod", "from", "to"], rows);
}

function forces(scene: Scene): HTMLElement {
  const rows = scene.forces.map((force) => {
    const joint = "joint" in force ? scene.joints[force.joint] : undefined;
    const ends = "joint" in force ? joint : force;
    return [
      force.name,
      force.type,
      joint ? `joint ${joint.name}` : "",
      ends ? nameOf(scene, ends.from) : "",
      ends ? nameOf(scene, ends.to) : "",
    ];
  });
  return longTable(["force element", "type", "along", "from", "to"], rows);
}
