// The channels of all runs by name.
import { type Samples, type Statistics, statistics } from "../curve";
import { unitOf } from "../format";
import type { Channel, Run } from "../types";

const degreesOfRadian = 180 / Math.PI;
const isAngle = (unit: string) => /^rad\b/.test(unit);

export class Library {
  readonly names: string[];
  private readonly byName: Map<string, Channel>[];
  private readonly turned = new Map<Channel, Float32Array>(); // values in degrees

  constructor(readonly runs: Run[]) {
    // Of channels with the same name the first one counts, as in the result file.
    this.byName = runs.map((run) => new Map([...run.channels].reverse().map((channel) => [channel.name, channel])));
    this.names = [...new Set(runs.flatMap((run) => run.channels.map((channel) => channel.name)))];
  }

  has(name: string): boolean {
    return this.byName.some((channels) => channels.has(name));
  }

  channel(run: number, name: string): Channel | undefined {
    return this.byName[run]?.get(name);
  }

  unit(name: string, degrees = false): string {
    const channel = this.byName.map((channels) => channels.get(name)).find((each) => each !== undefined);
    const unit = unitOf(channel?.unit ?? "");
    return degrees && isAngle(unit) ? unit.replace(/^rad/, "deg") : unit;
  }

  isAngle(name: string): boolean {
    return isAngle(this.unit(name));
  }

  samples(run: number, name: string, degrees = false): Samples | null {
    const channel = this.channel(run, name);
    if (!channel) return null;
    const time = this.runs[run].times[channel.time];
    return { time, values: degrees && isAngle(channel.unit) ? this.inDegrees(channel) : channel.values };
  }

  private inDegrees(channel: Channel): Float32Array {
    let values = this.turned.get(channel);
    if (!values) {
      values = channel.values.map((value) => value * degreesOfRadian);
      this.turned.set(channel, values);
    }
    return values;
  }

  /** Of all samples of the result (the report tells them) or, for a range, of those shown. */
  statistics(run: number, name: string, degrees: boolean, range: [number, number] | null): Statistics | null {
    const channel = this.channel(run, name);
    const samples = this.samples(run, name, degrees);
    if (!channel || !samples) return null;
    if (range) return statistics(samples, range[0], range[1]);
    const factor = degrees && isAngle(channel.unit) ? degreesOfRadian : 1;
    const { min, max, mean, rms, first, last, t_min, t_max } = channel.stats;
    return {
      min: min * factor,
      max: max * factor,
      mean: mean * factor,
      rms: rms * factor,
      first: first * factor,
      last: last * factor,
      t_min,
      t_max,
    };
  }
}
