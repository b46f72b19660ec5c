// Discrete Fourier transform of any length: powers of two directly, others by Bluestein's convolution.

export interface Complex {
  re: Float64Array;
  im: Float64Array;
}

/** In place; the length is a power of two. X_k = sum of x_n exp(-2 pi i k n/N). */
function powerOfTwo({ re, im }: Complex, inverse = false): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [re[i], re[j]] = [re[j], re[i]];
    [im[i], im[j]] = [im[j], im[i]];
  }
  for (let length = 2; length <= n; length <<= 1) {
    const half = length >> 1;
    const angle = ((inverse ? 2 : -2) * Math.PI) / length;
    for (let k = 0; k < half; ++k) {
      const [c, s] = [Math.cos(angle * k), Math.sin(angle * k)];
      for (let i = k; i < n; i += length) {
        const j = i + half;
        const [a, b] = [re[j] * c - im[j] * s, re[j] * s + im[j] * c];
        re[j] = re[i] - a;
        im[j] = im[i] - b;
        re[i] += a;
        im[i] += b;
      }
    }
  }
}

function bluestein(values: ArrayLike<number>): Complex {
  const n = values.length;
  let size = 1;
  while (size < 2 * n - 1) size <<= 1;
  const make = (): Complex => ({ re: new Float64Array(size), im: new Float64Array(size) });
  const [signal, chirp] = [make(), make()];
  // k^2 modulo 2n: its angle keeps its digits however large k is.
  const angle = Float64Array.from({ length: n }, (_, k) => (Math.PI * ((k * k) % (2 * n))) / n);
  for (let k = 0; k < n; ++k) {
    signal.re[k] = values[k] * Math.cos(angle[k]);
    signal.im[k] = -values[k] * Math.sin(angle[k]);
    chirp.re[k] = Math.cos(angle[k]);
    chirp.im[k] = Math.sin(angle[k]);
    if (k > 0) [chirp.re[size - k], chirp.im[size - k]] = [chirp.re[k], chirp.im[k]];
  }
  powerOfTwo(signal);
  powerOfTwo(chirp);
  for (let k = 0; k < size; ++k) {
    const [a, b, c, d] = [signal.re[k], signal.im[k], chirp.re[k], chirp.im[k]];
    signal.re[k] = a * c - b * d;
    signal.im[k] = a * d + b * c;
  }
  powerOfTwo(signal, true);
  const result: Complex = { re: new Float64Array(n), im: new Float64Array(n) };
  for (let k = 0; k < n; ++k) {
    const [a, b] = [signal.re[k] / size, signal.im[k] / size];
    result.re[k] = a * Math.cos(angle[k]) + b * Math.sin(angle[k]);
    result.im[k] = b * Math.cos(angle[k]) - a * Math.sin(angle[k]);
  }
  return result;
}

/** Of real values. */
export function fft(values: ArrayLike<number>): Complex {
  const n = values.length;
  if ((n & (n - 1)) !== 0) return bluestein(values);
  const result = { re: Float64Array.from(values), im: new Float64Array(n) };
  powerOfTwo(result);
  return result;
}
