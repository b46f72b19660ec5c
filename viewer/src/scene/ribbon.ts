// A road where the wheels run, for vehicles that leave what the model has of one, or have no more than a plane.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshPhongMaterial, Vector3 } from "three";
import type { Run, Shape, Vec } from "../types";
import type { Level } from "./level";
import type { Poses } from "./poses";
import { colourOr, type Theme } from "./theme";

export interface Ribbon {
  readonly group: Group;
  setTheme(theme: Theme): void;
}

export interface Way {
  edges: [Vector3, Vector3][]; // left and right, in level axes, on the road
  half: number; // from the middle to an edge at the start, m
}

interface Wheel {
  body: number;
  at: Vec;
  drop: number; // from there to the road
}

const shoulder = 1.3; // m, beside the wheels
const ends = 12; // m, before the start and behind the end
const shortest = 0.5; // m, between edges
const marking = 0.12; // m, width of a line
const below = 0.015; // m: tracks and grid lie over it

function wheelsOf(run: Run): Wheel[] {
  return (run.scene?.forces ?? []).flatMap((force) =>
    "to" in force && force.track !== undefined ? [{ body: force.to, at: force.at_to, drop: force.track }] : [],
  );
}

function touch({ body, at, drop }: Wheel, poses: Poses, level: Level): Vector3 | null {
  const point = new Vector3();
  if (!poses.point(body, at, point)) return null;
  point.applyMatrix4(level.toLevel);
  point.z -= drop;
  return point;
}

/** The outermost wheels of the foremost axle, left and right: others come where they have been. */
function leaders(wheels: Wheel[], poses: Poses, level: Level, ahead: Vector3): [Wheel, Wheel] | null {
  const left = new Vector3(-ahead.y, ahead.x, 0);
  const placed = wheels.flatMap((wheel) => {
    const point = touch(wheel, poses, level);
    return point ? [{ wheel, along: point.dot(ahead), across: point.dot(left) }] : [];
  });
  const first = Math.max(...placed.map(({ along }) => along));
  const axle = placed.filter(({ along }) => along > first - 0.3).sort((a, b) => b.across - a.across);
  return axle.length > 0 ? [axle[0].wheel, axle[axle.length - 1].wheel] : null;
}

/** Where the model goes at first: from one frame to the next that is far enough. */
function firstDirection(wheel: Wheel, poses: Poses, level: Level, frames: number): Vector3 | null {
  poses.setFrame(0);
  const start = touch(wheel, poses, level);
  for (let frame = 1; start && frame < frames; ++frame) {
    poses.setFrame(frame);
    const way = touch(wheel, poses, level)?.sub(start).setZ(0);
    if (way && way.length() >= shortest) return way.normalize();
  }
  return null;
}

/** Both edges of a road below the wheels, over the run. Its heights are those of the foremost wheels. */
export function wayOfWheels(run: Run, poses: Poses, level: Level): Way {
  const wheels = wheelsOf(run);
  const frames = run.frames.time.length;
  const ahead = wheels.length > 0 ? firstDirection(wheels[0], poses, level, frames) : null;
  poses.setFrame(0);
  const pair = ahead && leaders(wheels, poses, level, ahead);
  const way: Way = { edges: [], half: 0 };
  const across = ahead ? new Vector3(-ahead.y, ahead.x, 0) : new Vector3(0, 1, 0); // kept where there is one wheel only
  for (let frame = 0; pair && frame < frames; ++frame) {
    poses.setFrame(frame);
    const [left, right] = pair.map((wheel) => touch(wheel, poses, level));
    if (!left || !right) continue;
    const apart = left.clone().sub(right).setZ(0);
    if (apart.length() > 0.1) across.copy(apart).normalize();
    const last = way.edges[way.edges.length - 1];
    const [outer, inner] = [left.addScaledVector(across, shoulder), right.addScaledVector(across, -shoulder)];
    if (!last || Math.min(outer.distanceTo(last[0]), inner.distanceTo(last[1])) >= shortest) way.edges.push([outer, inner]);
  }
  if (way.edges.length > 1) {
    way.half = way.edges[0][0].distanceTo(way.edges[0][1]) / 2;
    way.edges = extended(way.edges);
  }
  return way;
}

function extended(edges: Way["edges"]): Way["edges"] {
  const n = edges.length;
  const beyond = (from: number, to: number): [Vector3, Vector3] => {
    const step = edges[to][0].clone().add(edges[to][1]).sub(edges[from][0]).sub(edges[from][1]).setZ(0).setLength(ends);
    return [edges[to][0].clone().add(step), edges[to][1].clone().add(step)];
  };
  return [beyond(1, 0), ...edges, beyond(n - 2, n - 1)];
}

function roadsOf(run: Run): Shape[] {
  return run.scene?.ground.shapes.filter((shape) => shape.kind === "mesh" && shape.line) ?? [];
}

/** Whether all of the way lies on what the ground has drawn as roads. */
export function isOn(run: Run, way: Way, level: Level): boolean {
  const roads = roadsOf(run);
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
  return way.edges.slice(1, -1).every(([left, right]) => {
    const [x, y] = [(left.x + right.x) / 2, (left.y + right.y) / 2];
    return x >= spans[0] && x <= spans[1] && y >= spans[2] && y <= spans[3];
  });
}

/** Between two places across, 0 the left edge and 1 the right one. */
function strip({ edges }: Way, from: number, to: number, drop: number): BufferGeometry {
  const places = new Float32Array(6 * edges.length);
  const corners: number[] = [];
  edges.forEach(([left, right], i) => {
    [from, to].forEach((part, k) => {
      const place = left.clone().lerp(right, part);
      places.set([place.x, place.y, place.z - drop], 6 * i + 3 * k);
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
  if (way.edges.length < 4 || isOn(run, way, level)) return null;
  const offset = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 };
  const asphalt = new MeshPhongMaterial({ shininess: 4, side: DoubleSide, ...offset });
  const paint = new MeshPhongMaterial({ shininess: 4, side: DoubleSide });
  const group = new Group();
  const line = marking / (2 * way.half); // as a part of the width
  group.add(new Mesh(strip(way, 0, 1, below), asphalt));
  for (const place of [2 * line, 1 - 3 * line]) group.add(new Mesh(strip(way, place, place + line, 0.7 * below), paint));
  group.applyMatrix4(level.toGlobal);
  return {
    group,
    setTheme(theme) {
      asphalt.color.copy(colourOr(roadsOf(run)[0]?.colour ?? "", theme.road)); // it goes on where the drawn road ends
      paint.color.set(theme.paint);
    },
  };
}
