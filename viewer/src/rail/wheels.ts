// The wheels on rails of a run: how they stand and touch at a time, by the channels of their elements.
import { type Samples, valueAt } from "../curve";
import type { RailWheel, Run } from "../types";
import { heightAt, type Outline, pointsOf, RailsAlong } from "./outlines";
import { type Pair, type Stance, type Touch } from "./section_picture";

export interface Wheel extends Pair {
  name: string; // of the element
  body: number;
  rails: RailsAlong; // which profile it is on
}

export interface Axle {
  name: string; // of the body
  wheels: Wheel[]; // left ones first
}

function wheelOf(run: Run, name: string, body: number, rail: RailWheel): Wheel[] {
  const profiles = run.scene?.profiles ?? [];
  const [wheel, head] = [profiles[rail.wheel], profiles[rail.profile]];
  if (!wheel || !head) return [];
  const first = { points: pointsOf(head.points), rail_y: rail.rail_y };
  return [{ name, body, side: rail.side, radius: rail.radius, wheel: pointsOf(wheel.points), rail: first.points, rails: new RailsAlong(first, rail.changes ?? [], profiles) }];
}

export function axlesOf(run: Run): Axle[] {
  const axles = new Map<number, Wheel[]>();
  for (const force of run.scene?.forces ?? []) {
    if (!("to" in force) || !force.rail) continue;
    axles.set(force.to, [...(axles.get(force.to) ?? []), ...wheelOf(run, force.name, force.to, force.rail)]);
  }
  return [...axles].map(([body, wheels]) => ({
    name: run.scene?.bodies[body]?.name ?? `body ${body + 1}`,
    wheels: wheels.sort((a, b) => b.side - a.side),
  }));
}

export const neededChannels = ["lateral", "lift", "roll"];

/** Channels of a wheel over the time of the run. */
export class WheelChannels {
  private readonly byName = new Map<string, Samples>();

  constructor(
    run: Run,
    readonly wheel: Wheel,
  ) {
    const prefix = `${wheel.name}.`;
    for (const channel of run.channels) {
      if (!channel.name.startsWith(prefix)) continue;
      this.byName.set(channel.name.slice(prefix.length), { time: run.times[channel.time], values: channel.values });
    }
  }

  get missing(): string[] {
    return neededChannels.filter((name) => !this.byName.has(name));
  }

  at(name: string, t: number): number {
    const samples = this.byName.get(name);
    return samples ? valueAt(samples, t) : NaN;
  }

  /** The largest of the run. */
  largest(name: string): number {
    let most = 0;
    for (const value of this.byName.get(name)?.values ?? []) if (Math.abs(value) > most) most = Math.abs(value);
    return most;
  }

  stance(t: number): Stance | null {
    const [y, lift, roll] = neededChannels.map((name) => this.at(name, t));
    return Number.isFinite(y + lift + roll) ? { y, z: lift + this.wheel.radius, roll: this.wheel.side * roll } : null;
  }

  /** The rail where the wheel is. */
  rail(t: number): Outline["points"] {
    const along = this.at("along", t);
    return Number.isFinite(along) ? this.wheel.rails.at(along).points : this.wheel.rail;
  }

  /** Where it touches: first the patch with the largest load. */
  touches(t: number): Touch[] {
    const { side } = this.wheel;
    const [normal, y] = [this.at("normal", t), this.at("on_rail", t)];
    if (!(normal > 0) || !Number.isFinite(y)) return [];
    const across = side * this.at("tangential_y", t); // that is to the left
    const first: Touch = { y, z: heightAt(this.rail(t), y), angle: this.at("angle", t), normal, across: Number.isFinite(across) ? across : 0 };
    const [second, angle, stance, on] = [this.at("second_normal", t), this.at("second_angle", t), this.stance(t), this.at("second_on_wheel", t)];
    if (!(second > 0) || !stance || !Number.isFinite(on)) return [first];
    // Where the second one is on the rail follows from its place on the wheel.
    const z = heightAt(this.wheel.wheel, on);
    const at = stance.y + Math.cos(stance.roll) * on + Math.sin(stance.roll) * (this.wheel.radius - z);
    const height = stance.z + Math.sin(stance.roll) * on - Math.cos(stance.roll) * (this.wheel.radius - z);
    return [first, { y: at, z: height, angle, normal: second }];
  }
}
