// Where an axis is marked and what is written there.

/** Multiples of 1, 2 or 5 times a power of ten within [min, max], about `count` of them, at most half as many again. */
export function ticks(min: number, max: number, count: number): number[] {
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough * 0.7) as number;
  const marks: number[] = [];
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  for (let i = first; i <= last && marks.length < 100; ++i)
    marks.push(i === 0 ? 0 : Number((i * step).toPrecision(12)));
  return marks;
}

/** Powers of ten; where there are too few of them also their multiples by 2 and 5. */
export function logTicks(min: number, max: number, count: number): number[] {
  const low = Math.floor(Math.log10(min));
  const high = Math.ceil(Math.log10(max));
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [];
  const every = Math.max(1, Math.ceil((high - low) / Math.max(1, count)));
  const factors = high - low <= 2 ? [1, 2, 5] : [1];
  const marks: number[] = [];
  for (let power = low; power <= high; power += every) {
    for (const factor of factors) marks.push(Number((factor * 10 ** power).toPrecision(6)));
  }
  return marks.filter((mark) => mark >= min && mark <= max);
}

/** Labels with as many digits as tell the marks apart. */
export function tickLabels(marks: readonly number[], log = false): string[] {
  if (log) return marks.map((mark) => minus(mark >= 0.01 && mark < 1e4 ? String(mark) : mark.toExponential()));
  const size = Math.max(...marks.map(Math.abs));
  const gap = marks.length > 1 ? marks[1] - marks[0] : size;
  if (size >= 1e5 || (size > 0 && size < 1e-3)) {
    const digits = Math.min(8, Math.max(0, Math.floor(Math.log10(size)) - Math.floor(Math.log10(gap) + 1e-9)));
    return marks.map((mark) => (mark === 0 ? "0" : minus(mark.toExponential(digits))));
  }
  const decimals = Math.min(10, Math.max(0, -Math.floor(Math.log10(gap || 1) + 1e-9)));
  return marks.map((mark) => minus(mark.toFixed(decimals)));
}

interface Scale {
  log: boolean;
  factor?: number;
}

/** Marks of an axis: where they are, round in the numbers that are written there. */
export function marksOf(axis: Scale, min: number, max: number, count: number): number[] {
  const factor = axis.factor ?? 1;
  return (axis.log ? logTicks : ticks)(min * factor, max * factor, count).map((mark) => mark / factor);
}

export function labelsOf(axis: Scale, marks: readonly number[]): string[] {
  const factor = axis.factor ?? 1;
  return tickLabels(marks.map((mark) => Number((mark * factor).toPrecision(12))), axis.log);
}

const minus = (text: string) => text.replace("e+", "e").replace(/-/g, "−");
