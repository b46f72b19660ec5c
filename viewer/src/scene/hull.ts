// The outermost of many points, few enough to fit a camera to.
import { Vector3 } from "three";

export interface Hull {
  add(point: Vector3, radius: number): void;
  points(): Vector3[];
}

// Towards the faces, edges and corners of a cube.
const directions = Array.from({ length: 27 }, (_, d) => new Vector3((d % 3) - 1, (Math.floor(d / 3) % 3) - 1, Math.floor(d / 9) - 1))
  .filter((direction) => direction.lengthSq() > 0)
  .map((direction) => direction.normalize());

/** Of balls it keeps those that reach furthest in 26 directions, and of each the point that does. */
export function createHull(): Hull {
  const reaches = directions.map(() => -Infinity);
  const best = directions.map(() => new Vector3());
  return {
    add(point, radius) {
      for (let d = 0; d < directions.length; ++d) {
        const reach = directions[d].dot(point) + radius;
        if (!(reach > reaches[d]) || reach === Infinity) continue;
        reaches[d] = reach;
        best[d].copy(point).addScaledVector(directions[d], radius);
      }
    },
    points: () => best.filter((_, d) => reaches[d] > -Infinity),
  };
}
