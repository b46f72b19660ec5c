// A road where the wheels run, for vehicles that leave what the model has of one, or have no more than a plane.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshPhongMaterial, Vector3 } from "three";
import type { Run, Vec } from "../types";
import type { Level } from "./level";
import type { Poses } from "./poses";
import type { Theme } from "./theme";

export interface Ribbon {
  readonly group: Group;
  setTheme(theme: Theme): void;
}

export interface Way {
  points: Vector3[]; // in level axes, on the road
  half: number; // from its middle to its edge, m
}

const shoulder = 1.3; // m, beside the wheels
const ends = 12; // m, before the start and behind the end
const shortest = 0.5; // m, between points
const marking = 0.12; // m, width of a line
const below = 0.015; // m: tracks and grid lie over it

/** The middle of all points where wheels touch, over the run. */
export function wayOfWheels(run: Run, poses: Poses, level: Level): Way {
  const wheels = (run.scene?.forces ?? []).flatMap((force) =>
    "to" in force && force.track !== undefined ? [{ body: force.to, at: force.at_to as Vec, drop: force.track }] : [],
  );
  const points: Vector3[] = [];
  const at = new Vector3();
  for (let frame = 0; frame < run.frames.time.length && wheels.length > 0; ++frame) {
    poses.setFrame(frame);
    const middle = new Vector3();
    const found = wheels.every(({ body, at: point, drop }) => {
      if (!poses.point(body, point, at)) return false;
      at.applyMatrix4(level.toLevel);
      at.z -= drop;
      middle.add(at);
      return true;
    });
    if (!found) continue;
    middle.divideScalar(wheels.length);
    const last = points[points.length - 1];
    if (!last || middle.distanceTo(last) >= shortest) points.push(middle);
  }
  const half = points.length > 1 ? halfWidth(wheels, poses, level, points) : 0;
  return { points: extended(points), half: half + shoulder };
}

/** How far wheels stand aside of the middle, across the way, at the start. */
function halfWidth(wheels: { body: number; at: Vec }[], poses: Poses, level: Level, points: Vector3[]): number {
  poses.setFrame(0);
  const across = new Vector3(0, 0, 1).cross(points[1].clone().sub(points[0])).normalize();
  const at = new Vector3();
  const distances = wheels.map(({ body, at: point }) =>
    poses.point(body, point, at) ? Math.abs(at.applyMatrix4(level.toLevel).sub(points[0]).dot(across)) : 0,
  );
  return Math.max(...distances);
}

function extended(points: Vector3[]): Vector3[] {
  if (points.length < 2) return points;
  const beyond = (from: Vector3, to: Vector3) => to.clone().addScaledVector(to.clone().sub(from).setZ(0).normalize(), ends);
  const n = points.length;
  return [beyond(points[1], points[0]), ...points, beyond(points[n - 2], points[n - 1])];
}

/** Whether all of the way lies on what the ground has drawn as roads. */
export function isOn(run: Run, way: Way, level: Level): boolean {
  const roads = run.scene?.ground.shapes.filter((shape) => shape.kind === "mesh" && shape.line) ?? [];
  if (roads.length === 0) return false;
  const spans = [Infinity, -Infinity, Infinity, -Infinity];
  const at = new Vector3();
  for (const { vertices = [], at: origin } of roads) {
    for (let i = 0; i + 2 < vertices.length; i += 3) {
      at.set(vertices[i] + origin[0], vertices[i + 1] + origin[1], vertices[i + 2] + origin[2]).applyMatrix4(level.toLevel);
      spans[0] = Math.min(spans[0], at.x);
      spans[1] = Math.max(spans[1], at.x);
      spans[2] = Math.min(spans[2], at.y);
      spans[3] = Math.max(spans[3], at.y);
    }
  }
  return way.points.slice(1, -1).every(({ x, y }) => x >= spans[0] && x <= spans[1] && y >= spans[2] && y <= spans[3]);
}

/** Between two distances from the middle, left positive. */
function strip(way: Way, left: number, right: number, drop: number): BufferGeometry {
  const { points } = way;
  const places = new Float32Array(6 * points.length);
  const corners: number[] = [];
  const across = new Vector3();
  points.forEach((point, i) => {
    across.copy(points[Math.min(points.length - 1, i + 1)]).sub(points[Math.max(0, i - 1)]).setZ(0);
    across.set(-across.y, across.x, 0).normalize();
    [left, right].forEach((aside, k) => {
      const place = [point.x + aside * across.x, point.y + aside * across.y, point.z - drop];
      places.set(place, 6 * i + 3 * k);
    });
    const n = 2 * i;
    if (i > 0) corners.push(n - 2, n - 1, n, n, n - 1, n + 1);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  return geometry;
}

/** Null where there is nothing to be added. */
export function createRibbon(run: Run, scratch: Poses, level: Level): Ribbon | null {
  const way = wayOfWheels(run, scratch, level);
  if (way.points.length < 3 || isOn(run, way, level)) return null;
  const offset = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 };
  const asphalt = new MeshPhongMaterial({ shininess: 4, side: DoubleSide, ...offset });
  const paint = new MeshPhongMaterial({ shininess: 4, side: DoubleSide });
  const group = new Group();
  const edge = way.half - 2 * marking;
  group.add(new Mesh(strip(way, way.half, -way.half, below), asphalt));
  for (const side of [1, -1]) group.add(new Mesh(strip(way, side * edge + marking / 2, side * edge - marking / 2, 0.7 * below), paint));
  group.applyMatrix4(level.toGlobal);
  return {
    group,
    setTheme(theme) {
      asphalt.color.set(theme.road);
      paint.color.set(theme.paint);
    },
  };
}
