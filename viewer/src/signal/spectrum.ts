// Spectra of a curve: power spectral density by Welch's method, and amplitudes of the whole record.
import { type Samples, valueAt } from "../curve";
import { fft } from "./fft";

export interface Spectrum {
  frequency: Float64Array; // Hz
  values: Float64Array;
}

export interface Even {
  step: number; // s
  values: Float64Array;
}

const most = 1 << 17;

/** At even steps, as many as there are samples in the range, the end left out so that lines lie at multiples of one over its
 *  length: interpolated by lines. Null where there is no range without gaps. */
export function evenly(samples: Samples, from: number, to: number): Even | null {
  const { time } = samples;
  const begin = Math.max(from, time[0]);
  const end = Math.min(to, time[time.length - 1]);
  let count = 0;
  for (let i = 0; i < time.length; ++i) if (time[i] >= begin && time[i] <= end && time[i] !== time[i - 1]) ++count;
  count = Math.min(count, most);
  if (!(end > begin) || count < 9) return null;
  const step = (end - begin) / (count - 1);
  const values = Float64Array.from({ length: count - 1 }, (_, i) => valueAt(samples, begin + i * step));
  return values.every(Number.isFinite) ? { step, values } : null;
}

const hann = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n));
const mean = (values: Float64Array): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Length of the segments: a power of two such that about eight overlap by half, and no fewer than 8 samples. */
export function segmentLength(count: number): number {
  let length = 8;
  while (2 * length * 4.5 <= count) length *= 2;
  return Math.min(length, count);
}

/** One-sided density: its area is the variance. Hann windows that overlap by half, the mean of each removed. */
export function density({ step, values }: Even, length = segmentLength(values.length)): Spectrum {
  const window = hann(length);
  const power = window.reduce((sum, w) => sum + w * w, 0);
  const half = Math.floor(length / 2);
  const sum = new Float64Array(half + 1);
  let segments = 0;
  for (let start = 0; start + length <= values.length; start += Math.max(1, length >> 1)) {
    const piece = values.slice(start, start + length);
    const level = mean(piece);
    const { re, im } = fft(piece.map((x, i) => (x - level) * window[i]));
    for (let k = 0; k <= half; ++k) sum[k] += re[k] ** 2 + im[k] ** 2;
    ++segments;
  }
  const isBoth = (k: number) => k > 0 && 2 * k !== length; // has a mirror image at negative frequencies
  return {
    frequency: sum.map((_, k) => k / (length * step)),
    values: sum.map((total, k) => ((isBoth(k) ? 2 : 1) * step * total) / (power * segments)),
  };
}

/** Amplitudes of sines, the mean removed, Hann's window over the whole record. */
export function amplitude({ step, values }: Even): Spectrum {
  const n = values.length;
  const window = hann(n);
  const gain = window.reduce((sum, w) => sum + w, 0);
  const level = mean(values);
  const { re, im } = fft(values.map((x, i) => (x - level) * window[i]));
  const frequency = Float64Array.from({ length: Math.floor(n / 2) + 1 }, (_, k) => k / (n * step));
  return { frequency, values: frequency.map((_, k) => (2 * Math.hypot(re[k], im[k])) / gain) };
}
