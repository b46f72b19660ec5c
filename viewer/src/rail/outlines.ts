// The outline of a rail along its line: profiles that follow each other, and what is between two of them.
import type { RailChange } from "../types";
import type { Point } from "./section_picture";

export const pointsOf = (flat: number[]): Point[] => Array.from({ length: flat.length >> 1 }, (_, k) => [flat[2 * k], flat[2 * k + 1]]);

/** z of an outline over y, by lines; NaN beside it. */
export function heightAt(outline: Point[], y: number): number {
  for (let k = 0; k + 1 < outline.length; ++k) {
    const [[a, za], [b, zb]] = [outline[k], outline[k + 1]];
    if ((a - y) * (b - y) <= 0 && a !== b) return za + ((y - a) / (b - a)) * (zb - za);
  }
  return NaN;
}

/** As many points at even parts of its length, so that two outlines can be mixed. */
export function evenly(outline: Point[], count: number): Point[] {
  const along = [0];
  for (let k = 1; k < outline.length; ++k) along.push(along[k - 1] + Math.hypot(outline[k][0] - outline[k - 1][0], outline[k][1] - outline[k - 1][1]));
  let k = 0;
  return Array.from({ length: count }, (_, i) => {
    const at = (along[along.length - 1] * i) / (count - 1);
    while (k + 2 < outline.length && along[k + 1] < at) ++k;
    const part = (at - along[k]) / (along[k + 1] - along[k] || 1);
    return [outline[k][0] + part * (outline[k + 1][0] - outline[k][0]), outline[k][1] + part * (outline[k + 1][1] - outline[k][1])];
  });
}

export interface Outline {
  points: Point[];
  rail_y: number; // of its origin, from the middle of the track
}

const mixing = 200; // points

export function mixed(a: Outline, b: Outline, share: number): Outline {
  const [from, to] = [evenly(a.points, mixing), evenly(b.points, mixing)];
  const between = (x: number, y: number): number => (1 - share) * x + share * y;
  return { points: from.map(([y, z], i) => [between(y, to[i][0]), between(z, to[i][1])]), rail_y: between(a.rail_y, b.rail_y) };
}

/** Profiles along a line. Between two of them the share of the next one rises as forces do (src/skyhook/element/rail/varied_contact.cpp). */
export class RailsAlong {
  private readonly next: { begin: number; over: number; outline: Outline }[];

  constructor(
    private readonly first: Outline,
    changes: RailChange[],
    profiles: { points: number[] }[],
  ) {
    this.next = changes
      .filter(({ profile }) => profiles[profile] !== undefined)
      .map(({ begin, over, profile, rail_y }) => ({ begin, over, outline: { points: pointsOf(profiles[profile].points), rail_y } }));
  }

  get changes(): boolean {
    return this.next.length > 0;
  }

  /** Where it is between two profiles, of which a picture along the line must have more than one. */
  isChanging(from: number, to: number): boolean {
    return this.next.some(({ begin, over }) => begin < to && begin + over > from);
  }

  at(s: number): Outline {
    let k = -1;
    while (k + 1 < this.next.length && s >= this.next[k + 1].begin) ++k;
    if (k < 0) return this.first;
    const { begin, over, outline } = this.next[k];
    const part = (s - begin) / over;
    if (part >= 1) return outline;
    return mixed(k > 0 ? this.next[k - 1].outline : this.first, outline, part ** 3 * (10 + part * (6 * part - 15)));
  }
}
