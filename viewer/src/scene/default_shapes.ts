// The look of bodies that a model gives none: rods between the points it names on them, or a box of their inertia.
import { Quaternion, Vector3 } from "three";
import { isDrawn } from "../bent/bent_body";
import { rigidShapes } from "../bent/sections";
import type { Quat, Scene, Shape, Vec } from "../types";
import { boxOfInertia, type Size } from "./extent";
import { pointsOfBodies } from "./outline";
import { vector } from "./poses";

type Body = Scene["bodies"][number];

const upright: Quat = [1, 0, 0, 0];

function shape(kind: Shape["kind"], given: Partial<Shape>): Shape {
  return { kind, at: [0, 0, 0], quaternion: upright, size: [1, 1, 1], radius: 0, length: 0, colour: "", ...given };
}

function rod(a: Vector3, b: Vector3, radius: number): Shape {
  const along = b.clone().sub(a);
  const length = along.length();
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), along.divideScalar(length));
  const middle = a.clone().lerp(b, 0.5);
  return shape("rod", { at: middle.toArray(), quaternion: [turn.w, turn.x, turn.y, turn.z], radius, length });
}

function distinct(points: Vec[], distance: number): Vector3[] {
  const found: Vector3[] = [];
  for (const point of points.map(vector)) {
    if (found.every((other) => other.distanceTo(point) > distance)) found.push(point);
  }
  return found;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function hasInertia(body: Body): boolean {
  return body.mass > 0 && body.inertia.slice(0, 3).some((moment) => moment > 0);
}

/** Box of the body's inertia at its centre of mass, never huge and never invisible; a ball where there is none. */
export function inertiaShape(body: Body, size: Size): Shape {
  if (!hasInertia(body)) return shape("sphere", { at: body.com, radius: 0.025 * size.detail });
  const edges = boxOfInertia(body.mass, body.inertia);
  const limited = edges.map((edge) => clamp(edge, 0.02 * size.detail, 0.25 * size.model)) as Vec;
  return shape("box", { at: body.com, size: limited });
}

/** A body called a wheel whose inertia is that of a disc about y: radius and width from Iyy = m r^2 / 2 and
 *  Ixx = m (3 r^2 + w^2) / 12. */
export function wheelShape(body: Body, size: Size): Shape | null {
  const [xx, yy, zz] = body.inertia;
  const disc = yy > 1.2 * xx && yy < 2.05 * xx && Math.abs(xx - zz) < 0.05 * yy;
  if (!/wheel|tyre|tire/i.test(body.name) || !(body.mass > 0) || !disc) return null;
  const radius = Math.min(Math.sqrt((2 * yy) / body.mass), size.model);
  const width = Math.sqrt(Math.max(0, (12 * xx) / body.mass - 3 * radius * radius));
  return shape("wheel", { at: body.com, radius, length: clamp(width, 0.2 * radius, 0.8 * radius) });
}

/** A curve that an element draws on a body says nothing of how the body looks. */
function hasLook(body: Body): boolean {
  return body.shapes.some((each) => !each.line);
}

/** Of a body without shapes of its own, from the points that joints, forces, rods and markers have on it. */
export function defaultShapes(body: Body, points: Vec[], size: Size): Shape[] {
  const wheel = wheelShape(body, size);
  if (wheel) return [wheel];
  const radius = 0.012 * size.detail;
  const ends = distinct(points, 0.01 * size.detail);
  if (ends.length === 2) return [rod(ends[0], ends[1], radius)];
  const centre = vector(body.com);
  const rods = ends.filter((end) => end.distanceTo(centre) > 2 * radius).map((end) => rod(centre, end, radius));
  return ends.length > 2 ? rods : [inertiaShape(body, size), ...rods];
}

/** Of every body: its own, else the default ones. The last list is the ground's. */
export function shapesOfBodies(scene: Scene, size: Size): Shape[][] {
  const points = pointsOfBodies(scene);
  const lines = new Set((scene.bent_lines ?? []).map(({ body }) => body)); // which are what these bodies look like
  const bodies = scene.bodies.map((body, i) =>
    isDrawn(body.modes) ? rigidShapes(body.modes, body.shapes) : hasLook(body) || lines.has(i) ? body.shapes : [...body.shapes, ...defaultShapes(body, points[i], size)],
  );
  return [...bodies, scene.ground.shapes];
}

/** Where nothing but places is known: balls. */
export function plainShapes(count: number, size: Size): Shape[][] {
  const ball = shape("sphere", { radius: 0.03 * size.detail });
  return [...Array.from({ length: count }, () => [ball]), []];
}
