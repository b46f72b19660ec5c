// Frequency weightings of vibration on people (ISO 2631-1, EN 12299): filters as products of sections in s, integrated exactly from
// sample to sample for a signal that is a line between them, as src/skyhook/analysis/filters does. So steps may be of any length.

/** (b0 + b1 s + b2 s^2)/(a0 + a1 s + a2 s^2), s in rad/s. */
export interface Section {
  b: [number, number, number];
  a: [number, number, number];
}

const turn = 2 * Math.PI;

function lowPass(f: number, q: number): Section {
  const w = turn * f;
  return { b: [1, 0, 0], a: [1, 1 / (q * w), 1 / (w * w)] };
}

function highPass(f: number, q: number): Section {
  const w = turn * f;
  return { b: [0, 0, 1], a: [w * w, w / q, 1] };
}

interface Constants {
  band?: [number, number]; // Hz
  transition?: { f3?: number; f4: number; q4: number };
  step?: { f5: number; q5: number; f6: number; q6: number; gain?: number };
}

function sections({ band = [0.4, 100], transition, step }: Constants): Section[] {
  const list = [highPass(band[0], Math.SQRT1_2), lowPass(band[1], Math.SQRT1_2)];
  if (transition) {
    const section = lowPass(transition.f4, transition.q4);
    if (transition.f3) section.b[1] = 1 / (turn * transition.f3);
    list.push(section);
  }
  if (!step) return list;
  const [zeros, poles] = [lowPass(step.f5, step.q5), lowPass(step.f6, step.q6)];
  const gain = step.gain ?? (step.f5 / step.f6) ** 2;
  return [...list, { b: zeros.a.map((x) => gain * x) as Section["b"], a: poles.a }];
}

/** By the names that formulas call them. */
export const weightings: Record<string, Section[]> = {
  wk: sections({ transition: { f3: 12.5, f4: 12.5, q4: 0.63 }, step: { f5: 2.37, q5: 0.91, f6: 3.35, q6: 0.91 } }), // vertical, seated and standing
  wd: sections({ transition: { f3: 2, f4: 2, q4: 0.63 } }), // horizontal
  wc: sections({ transition: { f3: 8, f4: 8, q4: 0.63 } }), // back of a seat
  we: sections({ transition: { f3: 1, f4: 1, q4: 0.63 } }), // rotations
  wj: sections({ step: { f5: 3.75, q5: 0.91, f6: 5.32, q6: 0.91 } }), // head of a lying person
  wf: sections({ band: [0.08, 0.63], transition: { f4: 0.25, q4: 0.86 }, step: { f5: 0.0625, q5: 0.8, f6: 0.1, q6: 0.8 } }), // motion sickness
  wb: sections({ transition: { f3: 16, f4: 16, q4: 0.55 }, step: { f5: 2.5, q5: 0.9, f6: 4, q6: 0.95, gain: 0.4 } }), // vertical, on rails
};

/** Butterworth's filter of an even order, in sections of order 2; `band`: high pass at the first frequency, low pass at the second, each of that order. */
export function butterworth(order: number, pass: "low" | "high" | "band", first: number, second = first): Section[] {
  if (pass === "band") return [...butterworth(order, "high", first), ...butterworth(order, "low", second)];
  return Array.from({ length: order / 2 }, (_, k) => {
    const q = 1 / (2 * Math.sin(((2 * k + 1) * Math.PI) / (2 * order)));
    return pass === "low" ? lowPass(first, q) : highPass(first, q);
  });
}

/** |H| at a frequency in Hz. */
export function gainOf(list: Section[], frequency: number): number {
  const w = turn * frequency;
  const size = ([c0, c1, c2]: [number, number, number]) => Math.hypot(c0 - c2 * w * w, c1 * w);
  return list.reduce((product, { a, b }) => (product * size(b)) / size(a), 1);
}

type Matrix = Float64Array[];
const zeros = (n: number): Matrix => Array.from({ length: n }, () => new Float64Array(n));

function product(a: Matrix, b: Matrix): Matrix {
  const n = a.length;
  const result = zeros(n);
  for (let i = 0; i < n; ++i)
    for (let k = 0; k < n; ++k) if (a[i][k] !== 0) for (let j = 0; j < n; ++j) result[i][j] += a[i][k] * b[k][j];
  return result;
}

/** By its series at a small fraction of the matrix, and squaring. */
function exponential(matrix: Matrix): Matrix {
  const n = matrix.length;
  const size = Math.max(...matrix.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)), 1e-300);
  const halvings = Math.max(0, Math.ceil(Math.log2(size)) + 1);
  const small = matrix.map((row) => row.map((x) => x / 2 ** halvings));
  let sum = zeros(n);
  let term = zeros(n);
  for (let i = 0; i < n; ++i) sum[i][i] = term[i][i] = 1;
  for (let k = 1; k <= 16; ++k) {
    term = product(term, small).map((row) => row.map((x) => x / k));
    sum = sum.map((row, i) => row.map((x, j) => x + term[i][j]));
  }
  for (let k = 0; k < halvings; ++k) sum = product(sum, sum);
  return sum;
}

/** x' = A x + B u, y = C x + D u of sections in series, each with two states of the size of its input. */
function stateSpace(list: Section[]) {
  const n = 2 * list.length;
  const a = zeros(n);
  const b = new Float64Array(n);
  const c = new Float64Array(n);
  let d = 1;
  list.forEach((section, index) => {
    const [first, last] = [2 * index, 2 * index + 1];
    const w = Math.sqrt(section.a[0] / section.a[2]);
    const damping = section.a[1] / section.a[2];
    for (let j = 0; j < first; ++j) a[last][j] = w * c[j];
    b[last] = w * d;
    a[last][last] = -damping;
    a[first][last] = w;
    a[last][first] = -w;
    const direct = section.b[2] / section.a[2];
    for (let j = 0; j < first; ++j) c[j] *= direct;
    c[first] = section.b[0] / section.a[0] - direct;
    c[last] = (section.b[1] / section.a[2] - direct * damping) / w;
    d *= direct;
  });
  return { a, b, c, d };
}

/** Under a constant input: an offset makes no transient. */
function steadyState(list: Section[], input: number): Float64Array {
  let u = input;
  return Float64Array.from(
    list.flatMap(({ a, b }) => {
      const states = [u, 0];
      u *= b[0] / a[0];
      return states;
    }),
  );
}

/** The filter's output; gaps are passed as if the signal held its value. */
export function weighted(list: Section[], time: ArrayLike<number>, values: ArrayLike<number>): Float64Array {
  const { a, b, c, d } = stateSpace(list);
  const n = b.length;
  const steps = new Map<number, Matrix>(); // by length, rounded to nine digits
  const stepOf = (h: number): Matrix => {
    const key = Number(h.toPrecision(9));
    let step = steps.get(key);
    if (!step) {
      const m = zeros(n + 2);
      for (let i = 0; i < n; ++i) {
        for (let j = 0; j < n; ++j) m[i][j] = key * a[i][j];
        m[i][n] = key * b[i];
      }
      m[n][n + 1] = 1;
      step = exponential(m);
      if (steps.size < 5000) steps.set(key, step);
    }
    return step;
  };
  let x = new Float64Array(0);
  let last = -1; // sample
  const result = new Float64Array(time.length).fill(NaN);
  for (let k = 0; k < time.length; ++k) {
    const u = values[k];
    if (!Number.isFinite(u)) continue;
    if (last < 0) x = Float64Array.from(steadyState(list, u));
    else if (time[k] > time[last]) {
      const step = stepOf(time[k] - time[last]);
      const input = [values[last], u - values[last]];
      x = x.map((_, i) => {
        let sum = step[i][n] * input[0] + step[i][n + 1] * input[1];
        for (let j = 0; j < n; ++j) sum += step[i][j] * x[j];
        return sum;
      });
    }
    last = k;
    result[k] = x.reduce((sum, state, i) => sum + c[i] * state, d * u);
  }
  return result;
}
