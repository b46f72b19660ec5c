// What stretches between two points that move.
import { Color, Matrix4, Quaternion, Vector3 } from "three";
import type { Ends } from "../types";
import type { Item } from "./batch";
import type { Poses } from "./poses";

/** Sets two points; false where one of them has no place. */
export type Span = (from: Vector3, to: Vector3) => boolean;

export interface Reach {
  radius: number;
  begin: number; // in m from the first point
  end: number;
}

const zAxis = new Vector3(0, 0, 1);

export function spanOfEnds(ends: Ends, poses: Poses): Span {
  return (from, to) => poses.point(ends.from, ends.at_from, from) && poses.point(ends.to, ends.at_to, to);
}

export function lengthOf(span: Span): number {
  const [from, to] = [new Vector3(), new Vector3()];
  return span(from, to) ? from.distanceTo(to) : 0;
}

/** A part of a geometry from z = 0 to 1 along a span; where it lies may depend on the span's length. */
export function spanItem(span: Span, geometry: string, colour: string, reachOf: (length: number) => Reach): Item {
  const [from, along] = [new Vector3(), new Vector3()];
  const turn = new Quaternion();
  const scale = new Vector3();
  const place = (out: Matrix4) => {
    if (!span(from, along)) return false;
    const length = along.sub(from).length();
    const { radius, begin, end } = reachOf(length);
    if (!(length > 1e-9) || !(end > begin)) return false;
    along.divideScalar(length);
    turn.setFromUnitVectors(zAxis, along);
    out.compose(from.addScaledVector(along, begin), turn, scale.set(radius, radius, end - begin));
    return true;
  };
  return { geometry, colour: new Color(colour), body: -1, place };
}
