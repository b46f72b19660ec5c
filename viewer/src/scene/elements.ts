// The look of force elements and rods between two points.
import { Color, Matrix4, Quaternion, Vector3 } from "three";
import type { Ends, Scene } from "../types";
import type { Item } from "./batch";
import { coilName } from "./geometries";
import type { Poses } from "./poses";
import { lengthOf, type Span, spanItem, spanOfEnds } from "./spans";
import { colours } from "./theme";

type Force = Scene["forces"][number];

/** A scene does not tell whether a spring_damper has stiffness and damping; its name often does. */
export function partsByName(name: string): { coil: boolean; damper: boolean } {
  const damper = /damp|shock|absorb/i.test(name);
  const coil = /spring|coil/i.test(name);
  return damper === coil ? { coil: true, damper: true } : { coil, damper };
}

function coilItems(span: Span, radius: number, full: number): Item[] {
  const seat = 0.35 * radius;
  return [
    spanItem(span, coilName((0.9 * full) / radius), colours.coil, (l) => ({ radius, begin: 0.04 * l + seat, end: 0.96 * l - seat })),
    spanItem(span, "bar", colours.tube, (l) => ({ radius: 1.2 * radius, begin: 0.04 * l, end: 0.04 * l + seat })),
    spanItem(span, "bar", colours.tube, (l) => ({ radius: 1.2 * radius, begin: 0.96 * l - seat, end: 0.96 * l })),
    spanItem(span, "bar", colours.tube, (l) => ({ radius: 0.3 * radius, begin: 0, end: 0.04 * l })),
    spanItem(span, "bar", colours.tube, (l) => ({ radius: 0.3 * radius, begin: 0.96 * l, end: l })),
  ];
}

/** Tube from one end, rod from the other; `full` is the length at the start, of which the tube is the better half. */
function telescopeItems(span: Span, radius: number, full: number, tube: string): Item[] {
  return [
    spanItem(span, "bar", tube, (l) => ({ radius, begin: 0, end: Math.min(0.58 * full, 0.95 * l) })),
    spanItem(span, "bar", colours.piston, (l) => ({ radius: 0.4 * radius, begin: 0, end: l })),
  ];
}

function springItems(force: Force, span: Span, radius: number, full: number): Item[] {
  const { coil, damper } = partsByName(force.name);
  const thin = coil ? 0.45 * radius : 0.65 * radius; // inside the coil, or alone
  return [
    ...(coil ? coilItems(span, radius, full) : []),
    ...(damper ? telescopeItems(span, thin, full, colours.tube) : []),
  ];
}

function bumpStopItems(span: Span, radius: number, full: number): Item[] {
  const height = Math.min(0.35 * full, 3 * radius);
  return [spanItem(span, "bar", colours.rubber, (l) => ({ radius: 0.8 * radius, begin: Math.max(0, l - height), end: l }))];
}

/** The two points of a bushing are nearly one, so it stands in the axes of the first body. */
function bushingItems(ends: Ends, radius: number, poses: Poses): Item[] {
  const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
  const item = (geometry: string, colour: string, scale: Vector3): Item => {
    const local = new Matrix4().compose(new Vector3(...ends.at_from), turn, scale.multiplyScalar(radius));
    const place = (out: Matrix4) => {
      const pose = poses.matrix(ends.from);
      if (pose) out.multiplyMatrices(pose, local);
      return pose !== null;
    };
    return { geometry, colour: new Color(colour), body: -1, place };
  };
  return [
    item("cylinder", colours.rubber, new Vector3(0.95, 0.95, 1.5)),
    item("ring", colours.piston, new Vector3(1.05, 1.05, 1.8)),
  ];
}

/** A tyre between a wheel and the road has the wheel for its picture. */
function isTyre(force: Force & Ends, wheels: Set<number>): boolean {
  return /tyre|tire/i.test(force.name) && (wheels.has(force.from) || wheels.has(force.to));
}

function itemsOf(force: Force, detail: number, poses: Poses, wheels: Set<number>): Item[] {
  if (!("from" in force) || isTyre(force, wheels)) return [];
  const span = spanOfEnds(force, poses);
  const full = lengthOf(span);
  const radius = Math.min(0.028 * detail, full > 0 ? 0.14 * full : Infinity);
  switch (force.type) {
    case "spring_damper":
    case "maxwell": return springItems(force, span, radius, full);
    case "hydraulic_damper": return telescopeItems(span, 0.65 * radius, full, colours.tube);
    case "bump_stop": return bumpStopItems(span, radius, full);
    case "actuator":
    case "hydraulic_actuator":
    case "lag_actuator": return telescopeItems(span, 0.6 * radius, full, colours.actuator);
    case "bushing": return bushingItems(force, 0.022 * detail, poses);
    default: return []; // its arrow is all there is to see
  }
}

/** The poses must be those of the start: they tell how long an element usually is. `wheels` are bodies. */
export function forceItems(forces: Force[], detail: number, poses: Poses, wheels: Set<number>): Item[] {
  return forces.flatMap((force) => itemsOf(force, detail, poses, wheels));
}

export function rodItems(rods: Scene["rods"], detail: number, poses: Poses): Item[] {
  const radius = 0.009 * detail;
  return rods.flatMap((rod) => {
    const span = spanOfEnds(rod, poses);
    const ball = (end: "from" | "to"): Item => ({
      geometry: "sphere",
      colour: new Color(colours.joint),
      body: -1,
      place(out) {
        const at = new Vector3();
        if (!poses.point(rod[end], end === "from" ? rod.at_from : rod.at_to, at)) return false;
        out.makeScale(1.7 * radius, 1.7 * radius, 1.7 * radius).setPosition(at);
        return true;
      },
    });
    return [spanItem(span, "bar", colours.rod, (l) => ({ radius, begin: 0, end: l })), ball("from"), ball("to")];
  });
}
