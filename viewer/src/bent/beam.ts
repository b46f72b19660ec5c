// A line of a body with modes as a bent beam: between its two points a cubic that has their displacements and rotations.
import { Quaternion, Vector3 } from "three";
import type { BodyModes } from "../types";
import { addSum } from "./coordinates";
import type { Section } from "./sections";
import { newRing, outlineOf, type Ring, Tube } from "./tube";

export interface Beam {
  readonly tube: Tube;
  readonly isRound: boolean;
  readonly rings: Ring[]; // bent by `factor`
  /** Displacement of a place of a section, as it is; after place(). */
  displacement(ring: number, y: number, z: number): number;
  place(coordinates: Float64Array, factor: number): void;
}

const pieces = 4; // of a line

/** Hermite's cubics at t of [0, 1]: of the values at both ends and of the slopes, and their derivatives. */
export function hermite(t: number): { value: number[]; slope: number[] } {
  const s = 1 - t;
  return {
    value: [s * s * (1 + 2 * t), t * s * s, t * t * (3 - 2 * t), -t * t * s],
    slope: [-6 * t * s, s * (1 - 3 * t), 6 * t * s, t * (3 * t - 2)],
  };
}

interface End {
  shift: Vector3;
  turn: Vector3;
}

export function createBeam(modes: BodyModes, line: number, { width, height, isRound, up }: Section): Beam {
  const ends = modes.lines[line];
  const [a, b] = ends.map((point) => new Vector3(...modes.points[point]));
  const along = b.clone().sub(a);
  const length = along.length();
  along.divideScalar(length || 1);
  const z = across(up, along);
  const y = new Vector3().crossVectors(z, along);
  const rings = Array.from({ length: pieces + 1 }, newRing);
  const shifts = rings.map(() => new Vector3());
  const turns = rings.map(() => new Vector3());
  const [now, arm, quaternion] = [ends.map((): End => ({ shift: new Vector3(), turn: new Vector3() })), new Vector3(), new Quaternion()];
  const bases = rings.map((_, i) => hermite(i / pieces));

  function atEnds(coordinates: Float64Array) {
    ends.forEach((point, e) => {
      addSum(modes.shifts[point], coordinates, 1, now[e].shift.set(0, 0, 0));
      now[e].turn.set(0, 0, 0);
      if (modes.turns) addSum(modes.turns[point], coordinates, 1, now[e].turn);
    });
  }

  /** Along the beam straight lines, across it cubics whose slopes are the rotations; rotations of its sections from these slopes, twist straight. */
  function atRing(i: number) {
    const t = i / pieces;
    const { value, slope } = bases[i];
    const shift = shifts[i].set(0, 0, 0);
    const turn = turns[i].copy(now[0].turn).multiplyScalar(1 - t).addScaledVector(now[1].turn, t);
    const twist = turn.dot(along);
    turn.copy(along).multiplyScalar(twist);
    const tangents = now.map((end) => arm.clone().crossVectors(end.turn, along).multiplyScalar(length));
    const straight = (1 - t) * now[0].shift.dot(along) + t * now[1].shift.dot(along);
    shift.addScaledVector(now[0].shift, value[0]).addScaledVector(tangents[0], value[1]).addScaledVector(now[1].shift, value[2]).addScaledVector(tangents[1], value[3]);
    shift.addScaledVector(along, straight - shift.dot(along));
    const rise = arm.set(0, 0, 0).addScaledVector(now[0].shift, slope[0]).addScaledVector(tangents[0], slope[1]).addScaledVector(now[1].shift, slope[2]).addScaledVector(tangents[1], slope[3]);
    turn.add(rise.divideScalar(length || 1).cross(along).negate()); // theta = along x slope
  }

  return {
    tube: new Tube(outlineOf(width, height, isRound), pieces + 1),
    isRound,
    rings,
    displacement: (ring, yAt, zAt) => {
      arm.copy(y).multiplyScalar(yAt).addScaledVector(z, zAt);
      return arm.crossVectors(turns[ring], arm).add(shifts[ring]).length();
    },
    place(coordinates, factor) {
      atEnds(coordinates);
      rings.forEach((ring, i) => {
        atRing(i);
        ring.centre.copy(a).addScaledVector(along, (length * i) / pieces).addScaledVector(shifts[i], factor);
        const angle = factor * turns[i].length();
        quaternion.setFromAxisAngle(arm.copy(turns[i]).normalize(), angle);
        ring.y.copy(y).applyQuaternion(quaternion);
        ring.z.copy(z).applyQuaternion(quaternion);
      });
    },
  };
}

/** The part of `up` across a direction of length 1, made 1; any such direction where it has none. */
export function across(up: Vector3, along: Vector3): Vector3 {
  const out = up.clone().addScaledVector(along, -up.dot(along));
  if (out.length() > 1e-6 * (up.length() || 1)) return out.normalize();
  const sizes = along.toArray().map(Math.abs);
  const least = new Vector3().setComponent(sizes.indexOf(Math.min(...sizes)), 1);
  return least.addScaledVector(along, -least.dot(along)).normalize();
}
