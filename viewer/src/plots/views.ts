// What a panel makes of its curves: spectra, running rms, weighted values.
import { type Samples, statistics } from "../curve";
import { atSamples, integral, refined, runningRms } from "../formula/calculus";
import { amplitude, density, evenly, segmentLength } from "../signal/spectrum";
import { weighted, weightings } from "../signal/weighting";
import type { View } from "./choice";

const window = 1; // s, of a running rms: as ISO 2631-1 has it

export interface SpectralCurve {
  unit: string;
  frequency: Float64Array;
  values: Float64Array;
}

/** "m^2/Hz", "(m/s^2)^2/Hz", "1/Hz". */
export function densityUnit(unit: string): string {
  if (unit === "") return "1/Hz";
  return /[./^ ]/.test(unit) ? `(${unit})^2/Hz` : `${unit}^2/Hz`;
}

/** Of the samples within the range; null for other views, and where there is nothing to transform. */
export function spectralLines(view: View | undefined, samples: Samples, unit: string, [from, to]: [number, number]): SpectralCurve | null {
  if (view !== "psd" && view !== "amplitude") return null;
  const even = evenly(samples, from, to);
  if (!even) return { unit: view === "psd" ? densityUnit(unit) : unit, frequency: new Float64Array(0), values: new Float64Array(0) };
  if (view === "psd") return { unit: densityUnit(unit), ...density(even) };
  return { unit, ...amplitude(even) };
}

/** Over the same times. */
export function transformed(view: View | undefined, { time, values }: Samples): Samples["values"] {
  const weighting = view && weightings[view];
  if (view !== "rms" && !weighting) return values;
  const fine = refined(time, values);
  const signal = weighting ? weighted(weighting, fine.time, fine.values) : fine.values;
  return atSamples(runningRms(fine.time, signal, window), fine.every);
}

/** What a spectrum was made of, for its reader. */
export function spectrumNote(samples: Samples, [from, to]: [number, number]): string {
  const even = evenly(samples, from, to);
  if (!even) return "There is no stretch without gaps of eight samples or more.";
  const { step, values } = even;
  const length = segmentLength(values.length);
  const count = Math.floor((values.length - length) / Math.max(1, length >> 1)) + 1;
  return (
    `${values.length} samples at ${Number((1 / step).toPrecision(4))} Hz; PSD: ${count} segments of ${length} samples under Hann windows, ` +
    `lines ${Number((1 / (length * step)).toPrecision(3))} Hz apart.`
  );
}

export interface WeightedValues {
  rms: number; // of all of the range
  largest: number; // of the running rms: MTVV of ISO 2631-1
  dose: number; // vibration dose value, (integral of the fourth power)^(1/4): in the unit times s^0.25
}

/** Of a curve in its range; null for views that do not weigh. */
export function weightedValues(view: View | undefined, samples: Samples, [from, to]: [number, number]): WeightedValues | null {
  if (view !== "rms" && !(view && weightings[view])) return null;
  const { time, values } = refined(samples.time, samples.values);
  const signal = view === "rms" ? values : weighted(weightings[view], time, values);
  const { rms } = statistics({ time, values: Float64Array.from(signal) }, from, to);
  const whole = Math.max(from, time[0] + window); // from here on the window is full
  const running = statistics({ time, values: runningRms(time, signal, window) }, whole < to ? whole : from, to);
  const inside = Float64Array.from(signal, (x, i) => (time[i] >= from && time[i] <= to ? x ** 4 : 0));
  const fourth = integral(time, inside).filter(Number.isFinite);
  return { rms, largest: running.max, dose: (fourth[fourth.length - 1] ?? NaN) ** 0.25 };
}
