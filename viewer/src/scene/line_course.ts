// The line of a railway track between the places that a scene has of it: where it goes, its axes, and how the rails deviate from it.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { TrackShape } from "../types";

export interface LinePlace {
  at: Vector3; // middle between the tops of the rails
  ahead: Vector3;
  left: Vector3;
  up: Vector3;
}

const numbers = 7; // of a station: s, x, y, z, heading, climb, tilt

/** Positions are those of the frame that carries the track, turned into the model's. */
export class LineCourse {
  readonly first: number;
  readonly last: number;
  private readonly s: Float64Array;
  private readonly frame: Matrix4;
  private readonly seen: { s: number; at: Vector3 }[] = []; // to look for places near a point

  constructor(readonly track: TrackShape) {
    const { stations, at, quaternion: q } = track;
    const count = Math.floor(stations.length / numbers);
    this.s = Float64Array.from({ length: count }, (_, k) => stations[numbers * k]);
    this.first = this.s[0];
    this.last = this.s[count - 1];
    this.frame = new Matrix4().compose(new Vector3(...at), new Quaternion(q[1], q[2], q[3], q[0]).normalize(), new Vector3(1, 1, 1));
    for (let s = this.first; s < this.last; s += 40) this.seen.push({ s, at: this.place(s).at });
    this.seen.push({ s: this.last, at: this.place(this.last).at });
  }

  private tangent(k: number): Vector3 {
    const [heading, climb] = [this.track.stations[numbers * k + 4], this.track.stations[numbers * k + 5]];
    const flat = Math.sqrt(Math.max(0, 1 - climb * climb));
    return new Vector3(flat * Math.cos(heading), flat * Math.sin(heading), climb);
  }

  private point(k: number): Vector3 {
    return new Vector3(...this.track.stations.slice(numbers * k + 1, numbers * k + 4));
  }

  /** The station before s. */
  private index(s: number): number {
    let [low, high] = [0, this.s.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.s[middle] <= s) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Cubics between stations; straight on before the first and behind the last. */
  place(s: number): LinePlace {
    const k = this.index(s);
    const within = Math.min(this.last, Math.max(this.first, s));
    const h = this.s[k + 1] - this.s[k];
    const u = (within - this.s[k]) / h;
    const v = 1 - u;
    const [a, b, ta, tb] = [this.point(k), this.point(k + 1), this.tangent(k), this.tangent(k + 1)];
    const at = a.clone().multiplyScalar(v * v * (1 + 2 * u)).addScaledVector(b, u * u * (1 + 2 * v));
    at.addScaledVector(ta, h * u * v * v).addScaledVector(tb, -h * u * u * v);
    const ahead = b.sub(a).multiplyScalar((6 * u * v) / h).addScaledVector(ta, v * (v - 2 * u)).addScaledVector(tb, u * (u - 2 * v)).normalize();
    at.addScaledVector(ahead, s - within);
    const level = new Vector3(-ahead.y, ahead.x, 0).normalize();
    const up = ahead.clone().cross(level);
    const tilt = this.tiltAt(k, u);
    const cosine = Math.sqrt(Math.max(0, 1 - tilt * tilt));
    const left = level.clone().multiplyScalar(cosine).addScaledVector(up, tilt);
    up.multiplyScalar(cosine).addScaledVector(level, -tilt);
    const turned = (axis: Vector3) => axis.transformDirection(this.frame);
    return { at: at.applyMatrix4(this.frame), ahead: turned(ahead), left: turned(left), up: turned(up) };
  }

  private tiltAt(k: number, u: number): number {
    const of = (n: number) => this.track.stations[numbers * n + 6];
    return (1 - u) * of(k) + u * of(k + 1);
  }

  /** 1/m, about s. */
  curvature(s: number): number {
    const k = this.index(s);
    const heading = (n: number) => this.track.stations[numbers * n + 4];
    return (heading(k + 1) - heading(k)) / (this.s[k + 1] - this.s[k]);
  }

  /** How far a rail is from its place: to the left and up, m. */
  shift(s: number, side: 1 | -1): [number, number] {
    const d = this.track.deviations;
    if (!d) return [0, 0];
    const x = (s - d.first) / d.step;
    const k = Math.floor(x);
    if (k < 0 || k + 1 >= d.gauge.length) return [0, 0];
    const of = (list: number[]) => 1e-6 * (list[k] + (x - k) * (list[k + 1] - list[k]));
    return [of(d.alignment) + (side * of(d.gauge)) / 2, of(d.level) + (side * of(d.cross_level)) / 2];
  }

  /** The place along the line nearest to a point. */
  nearest(point: Vector3): number {
    let best = this.seen[0];
    let least = Infinity;
    for (const each of this.seen) {
      const distance = each.at.distanceToSquared(point);
      if (distance < least) [best, least] = [each, distance];
    }
    let s = best.s;
    for (let pass = 0; pass < 4; ++pass) {
      const { at, ahead } = this.place(s);
      s += ahead.dot(point.clone().sub(at));
    }
    return s;
  }
}
