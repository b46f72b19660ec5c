// Derivative, integral and running means of a curve over its time. Equal times are a jump, NaN is a gap: both end a piece.

type Numbers = ArrayLike<number>;

/** Pieces [first, last) without jumps and gaps. */
export function pieces(time: Numbers, values: Numbers): [number, number][] {
  const found: [number, number][] = [];
  let first = -1;
  for (let i = 0; i <= time.length; ++i) {
    const here = i < time.length && Number.isFinite(values[i]);
    if (first >= 0 && (!here || time[i] === time[i - 1])) {
      found.push([first, i]);
      first = -1;
    }
    if (here && first < 0) first = i;
  }
  return found;
}

/** At t of the parabola through three points. */
function slope(time: Numbers, values: Numbers, [a, b, c]: [number, number, number], t: number): number {
  const [ta, tb, tc] = [time[a], time[b], time[c]];
  return (
    (values[a] * (2 * t - tb - tc)) / ((ta - tb) * (ta - tc)) +
    (values[b] * (2 * t - ta - tc)) / ((tb - ta) * (tb - tc)) +
    (values[c] * (2 * t - ta - tb)) / ((tc - ta) * (tc - tb))
  );
}

/** Exact for parabolas, at the ends of pieces too. */
export function derivative(time: Numbers, values: Numbers): Float64Array {
  const result = new Float64Array(time.length).fill(NaN);
  for (const [first, last] of pieces(time, values)) {
    const count = last - first;
    for (let i = first; i < last && count > 2; ++i) {
      const middle = Math.min(last - 2, Math.max(first + 1, i));
      result[i] = slope(time, values, [middle - 1, middle, middle + 1], time[i]);
    }
    if (count === 2)
      result[first] = result[first + 1] = (values[first + 1] - values[first]) / (time[first + 1] - time[first]);
  }
  return result;
}

/** From the beginning, by the trapezoidal rule; nothing is added over gaps. */
export function integral(time: Numbers, values: Numbers): Float64Array {
  const result = new Float64Array(time.length).fill(NaN);
  let sum = 0;
  for (const [first, last] of pieces(time, values)) {
    result[first] = sum;
    for (let i = first + 1; i < last; ++i) {
      sum += 0.5 * (time[i] - time[i - 1]) * (values[i] + values[i - 1]);
      result[i] = sum;
    }
  }
  return result;
}

export interface Refined {
  time: Float64Array;
  values: Float64Array;
  every: number; // of these is a sample of the curve
}

/** Points between the samples, on cubics whose slopes are those of `derivative`; next to gaps and across jumps on lines. */
export function refined(time: Numbers, values: Numbers, every = 4): Refined {
  const slopes = derivative(time, values);
  const count = time.length > 0 ? (time.length - 1) * every + 1 : 0;
  const result = { time: new Float64Array(count), values: new Float64Array(count), every };
  for (let k = 0; k < count; ++k) {
    const i = Math.floor(k / every);
    const part = (k % every) / every;
    const h = i + 1 < time.length ? time[i + 1] - time[i] : 0;
    result.time[k] = time[i] + part * h;
    if (part === 0) result.values[k] = values[i];
    else {
      const [a, b, rest] = [values[i], values[i + 1], 1 - part];
      const bend = part * rest * (rest * (h * slopes[i] - (b - a)) - part * (h * slopes[i + 1] - (b - a)));
      result.values[k] = a + part * (b - a) + (Number.isFinite(bend) && h > 0 ? bend : 0);
    }
  }
  return result;
}

/** What was computed at the points of `refined`, at the samples of the curve. */
export const atSamples = (values: Float64Array, every: number): Float64Array => values.filter((_, k) => k % every === 0);

/** Over the time, by the trapezoidal rule. */
export function meanOf(time: Numbers, values: Numbers): number {
  let [area, span, sum, count] = [0, 0, 0, 0];
  for (const [first, last] of pieces(time, values)) {
    for (let i = first; i < last; ++i) {
      sum += values[i];
      ++count;
      if (i === first) continue;
      area += 0.5 * (time[i] - time[i - 1]) * (values[i] + values[i - 1]);
      span += time[i] - time[i - 1];
    }
  }
  return span > 0 ? area / span : sum / count;
}

/** The rms over the last `window` seconds, at the beginning over what there is. The integral of the squares is that of straight lines. */
export function runningRms(time: Numbers, values: Numbers, window: number): Float64Array {
  const squares = new Float64Array(time.length); // integral up to each sample
  for (let i = 1; i < time.length; ++i) {
    const [a, b] = [values[i - 1], values[i]];
    const piece = ((time[i] - time[i - 1]) * (a * a + a * b + b * b)) / 3;
    squares[i] = squares[i - 1] + (Number.isFinite(piece) ? piece : 0);
  }
  let from = 0;
  return Float64Array.from(squares, (sum, i) => {
    const begin = Math.max(time[0], time[i] - window);
    while (from + 1 < i && time[from + 1] <= begin) ++from;
    if (!(time[i] > begin)) return Math.abs(values[i]);
    const h = time[from + 1] - time[from];
    const part = h > 0 ? Math.min(1, (begin - time[from]) / h) : 0;
    const [a, b] = [values[from], values[from] + part * (values[from + 1] - values[from])];
    const before = squares[from] + (part * h * (a * a + a * b + b * b)) / 3;
    return Number.isFinite(values[i]) ? Math.sqrt(Math.max(0, sum - before) / (time[i] - begin)) : NaN;
  });
}
