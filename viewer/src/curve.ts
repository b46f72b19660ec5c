// A curve: samples over an increasing time. Equal times are a jump, NaN is a gap.

export interface Samples {
  time: Float64Array;
  values: Float32Array | Float64Array;
}

/** Number of entries of the sorted list that are smaller than t (or not greater, where `inclusive`). */
export function count(sorted: Float64Array, t: number, inclusive = false): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < t || (inclusive && sorted[middle] === t)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const slack = 1e-7; // of the span: thinned times are rounded, and the clock may end a little after them

/** The value at t, linear between samples; behind a jump at its time; NaN outside and in gaps. */
export function valueAt({ time, values }: Samples, t: number): number {
  const right = count(time, t, true);
  if (right > 0 && time[right - 1] === t) return values[right - 1];
  if (right === 0 || right === time.length) {
    const last = time.length - 1;
    const end = right === 0 ? 0 : last;
    return Math.abs(t - time[end]) <= slack * (time[last] - time[0]) ? values[end] : NaN;
  }
  const part = (t - time[right - 1]) / (time[right] - time[right - 1]);
  return values[right - 1] + part * (values[right] - values[right - 1]);
}

/** Indices [first, last) of the samples within [from, to]. */
export function within(time: Float64Array, from: number, to: number): [number, number] {
  return [count(time, from), count(time, to, true)];
}

/** The same, and one sample more at each side, so that lines reach the edges. */
export function around(time: Float64Array, from: number, to: number): [number, number] {
  const [first, last] = within(time, from, to);
  return [Math.max(0, first - 1), Math.min(time.length, last + 1)];
}

export interface Statistics {
  min: number;
  max: number;
  mean: number;
  rms: number;
  first: number;
  last: number;
  t_min: number;
  t_max: number;
}

/** Of the samples within [from, to]; mean and rms weigh by time (the line between samples), gaps are left out. */
export function statistics({ time, values }: Samples, from: number, to: number): Statistics {
  const result = { min: NaN, max: NaN, mean: NaN, rms: NaN, first: NaN, last: NaN, t_min: NaN, t_max: NaN };
  const [begin, end] = within(time, from, to);
  let span = 0;
  let area = 0;
  let squares = 0;
  let before = -1;
  for (let i = begin; i < end; ++i) {
    const value = values[i];
    if (Number.isNaN(value)) {
      before = -1;
      continue;
    }
    if (Number.isNaN(result.first)) result.first = value;
    result.last = value;
    if (!(value >= result.min)) [result.min, result.t_min] = [value, time[i]];
    if (!(value <= result.max)) [result.max, result.t_max] = [value, time[i]];
    if (before >= 0) {
      const h = time[i] - time[before];
      const old = values[before];
      span += h;
      area += (h * (old + value)) / 2;
      squares += (h * (old * old + old * value + value * value)) / 3; // exact for the line
    }
    before = i;
  }
  if (span > 0) {
    result.mean = area / span;
    result.rms = Math.sqrt(squares / span);
  } else if (!Number.isNaN(result.last)) {
    result.mean = result.last;
    result.rms = Math.abs(result.last);
  }
  return result;
}

/** Smallest and largest finite value with index in [first, last); [Infinity, -Infinity] if there is none. */
export function extent(values: ArrayLike<number>, first = 0, last = values.length, positive = false): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = first; i < last; ++i) {
    const value = values[i];
    if (!Number.isFinite(value) || (positive && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Below which the line through the samples is for so many percent of the time; gaps and jumps are left out. */
export function percentile({ time, values }: Samples, percent: number): number {
  const rises: [number, number, number][] = []; // lower end, height, time
  let span = 0;
  let [low, high] = [Infinity, -Infinity];
  for (let i = 1; i < time.length; ++i) {
    const [a, b, dt] = [values[i - 1], values[i], time[i] - time[i - 1]];
    if (!Number.isFinite(a) || !Number.isFinite(b) || !(dt > 0)) continue;
    rises.push([Math.min(a, b), Math.abs(b - a), dt]);
    span += dt;
    [low, high] = [Math.min(low, a, b), Math.max(high, a, b)];
  }
  if (rises.length === 0) return NaN;
  const share = (level: number, from: number, height: number): number => (height > 0 ? Math.min(1, Math.max(0, (level - from) / height)) : level < from ? 0 : 1);
  for (let k = 0; k < 60 && low < high; ++k) {
    const middle = (low + high) / 2;
    const below = rises.reduce((sum, [from, height, dt]) => sum + dt * share(middle, from, height), 0);
    if (below * 100 < percent * span) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
