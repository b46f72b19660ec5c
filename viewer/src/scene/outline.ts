// The outermost points of bodies, as balls: what bounds, ground height and camera are computed from.
import { Matrix4, Vector3 } from "three";
import type { Scene, Shape, Vec } from "../types";
import { createHull } from "./hull";
import { quaternion, vector } from "./poses";

export interface Ball {
  at: Vector3; // in the body's frame
  radius: number;
}

/** The points that a model names on each body; the last list is the ground's. */
export function pointsOfBodies(scene: Scene): Vec[][] {
  const points: Vec[][] = Array.from({ length: scene.bodies.length + 1 }, () => []);
  const add = (body: number, at: Vec) => points[body < 0 ? scene.bodies.length : body]?.push(at);
  for (const marker of scene.markers) add(marker.body, marker.at);
  const withEnds = [...scene.joints.filter((joint) => joint.type !== "free"), ...scene.rods, ...scene.forces];
  for (const item of withEnds) {
    if (!("from" in item)) continue;
    const alongTrack = ("type" in item && item.type === "track") || ("rail" in item && item.rail !== undefined); // which begins elsewhere
    if (!alongTrack) add(item.from, item.at_from);
    add(item.to, item.at_to);
  }
  return points;
}

function rim(radius: number, half: number, along: "y" | "z", count: number): Vector3[] {
  const points: Vector3[] = [];
  for (let i = 0; i < count; ++i) {
    const angle = (2 * Math.PI * i) / count;
    const [a, b] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    for (const c of [-half, half]) points.push(along === "y" ? new Vector3(a, c, b) : new Vector3(a, b, c));
  }
  return points;
}

function cornersOf(size: Vec): Vector3[] {
  const signs = [-0.5, 0.5];
  return signs.flatMap((x) =>
    signs.flatMap((y) => signs.map((z) => new Vector3(x * size[0], y * size[1], z * size[2]))),
  );
}

function outermost(vertices: number[], scale: Vec): Vector3[] {
  const hull = createHull();
  const point = new Vector3();
  for (let i = 0; i + 2 < vertices.length; i += 3) {
    hull.add(point.set(vertices[i] * scale[0], vertices[i + 1] * scale[1], vertices[i + 2] * scale[2]), 0);
  }
  return hull.points();
}

function localBalls(shape: Shape): Ball[] {
  const points = (list: Vector3[]) => list.map((at) => ({ at, radius: 0 }));
  const half = shape.length / 2;
  switch (shape.kind) {
    case "box": return points(cornersOf(shape.size));
    case "cylinder": return points(rim(shape.radius, half, "z", 16));
    case "wheel": return points(rim(shape.radius, half, "y", 32));
    case "sphere": return [{ at: new Vector3(), radius: shape.radius }];
    case "rod": return [-half, half].map((z) => ({ at: new Vector3(0, 0, z), radius: shape.radius }));
    case "mesh": return points(outermost(shape.vertices ?? [], shape.size));
    default: return []; // of a later version of the program
  }
}

/** A shape's own frame in that of its body. */
export function shapeMatrix(shape: Shape): Matrix4 {
  return new Matrix4().compose(vector(shape.at), quaternion(shape.quaternion), new Vector3(1, 1, 1));
}

export function ballsOfShape(shape: Shape): Ball[] {
  const place = shapeMatrix(shape);
  return localBalls(shape).map((ball) => ({ at: ball.at.applyMatrix4(place), radius: ball.radius }));
}
