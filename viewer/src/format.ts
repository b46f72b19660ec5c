// How numbers are written.

/** About `digits` significant digits, without trailing zeros; "–" where there is no number. */
export function short(value: number | null | undefined, digits = 5): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return tidy(value.toExponential(digits - 1));
  return tidy(value.toPrecision(digits));
}

/** The same with trailing zeros: its width stays while the value runs. */
export function steady(value: number, digits = 5): string {
  if (!Number.isFinite(value)) return short(value);
  const size = Math.abs(value);
  if (size === 0) return (0).toFixed(digits - 1);
  const text = size >= 1e6 || size < 1e-3 ? value.toExponential(digits - 2) : value.toPrecision(digits);
  return text.replace("e+", "e").replace(/-/g, "−");
}

function tidy(text: string): string {
  const [mantissa, exponent] = text.split("e");
  const kept = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const sign = kept.startsWith("-") ? "−" + kept.slice(1) : kept;
  return exponent === undefined ? sign : `${sign}e${exponent.replace("+", "").replace("-", "−")}`;
}

/** As many decimals as the span asks for, so that the width of a running time stays the same. */
export function time(t: number, span: number): string {
  if (!Number.isFinite(t)) return "–";
  const decimals = Math.min(6, Math.max(2, 3 - Math.floor(Math.log10(span || 1))));
  return t.toFixed(decimals);
}

/** How a quantity is shown: on drawings of suspensions lengths are in mm and rates in N/mm. */
export function shownUnit(unit: string, onDrawings: boolean): { unit: string; factor: number } {
  if (onDrawings && unit === "m") return { unit: "mm", factor: 1e3 };
  if (onDrawings && unit === "N/m") return { unit: "N/mm", factor: 1e-3 };
  return { unit: unitOf(unit), factor: 1 };
}

export const unitOf = (unit: string): string => (unit === "-" ? "" : unit);

export function integer(value: number): string {
  return Number.isFinite(value)
    ? Math.round(value)
        .toString()
        .replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f")
    : "–";
}

/** A file name: what is not safe in one becomes "_". */
export function fileName(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}._-]+/gu, "_")
      .replace(/^[._]+/, "")
      .slice(0, 80) || "skyhook"
  );
}
