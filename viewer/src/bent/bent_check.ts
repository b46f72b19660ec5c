// Checks what a scene says of bodies that bend: numbers that lead nowhere would fail somewhere in the page.

type Fields = Record<string, unknown>;

const isList = (value: unknown, of: (each: unknown) => boolean): value is unknown[] => Array.isArray(value) && value.every(of);
const isNumber = (value: unknown) => typeof value === "number";
const isText = (value: unknown) => typeof value === "string";
const numbers = (count: number) => (value: unknown) => isList(value, isNumber) && value.length === count;
const below = (count: number) => (value: unknown) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;
const vec = numbers(3);

/** Of `modes` of a body; true where there are none. */
export function areModes(value: unknown): boolean {
  if (value === undefined) return true;
  if (value === null || typeof value !== "object") return false;
  const { states, frequencies, points, shifts, turns, lines, triangles } = value as Fields;
  if (!isList(states, isText) || !isList(frequencies, () => true) || !isList(points, vec)) return false;
  const fields = (list: unknown) => isList(list, (each) => isList(each, vec) && each.length === states.length) && list.length === points.length;
  const corners = (list: unknown, count: number) => isList(list, (each) => isList(each, below(points.length)) && each.length === count);
  return fields(shifts) && (turns === undefined || fields(turns)) && corners(lines, 2) && corners(triangles, 3);
}

/** Of an entry of `bent_lines`. */
export function isBentLine(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const { name, body, states, vectors, section, up, axes, origin, stations } = value as Fields;
  if ((axes !== undefined && !numbers(9)(axes)) || (origin !== undefined && !vec(origin))) return false;
  if (!isText(name) || !Number.isInteger(body) || !isList(states, isText) || !numbers(3)(section) || !vec(up)) return false;
  if (!isList(vectors, (each) => isList(each, isNumber) && (each.length === 6 || each.length === 8))) return false;
  const isVector = below(vectors.length);
  const sum = (terms: unknown) => isList(terms, isNumber) && terms.length % 2 === 0 && terms.every((term, i) => i % 2 === 1 || isVector(term));
  return isList(stations, (each) => {
    if (each === null || typeof each !== "object") return false;
    const { s, position, slope, y, z } = each as Fields;
    return isNumber(s) && sum(position) && sum(slope) && (y === undefined || sum(y)) && (z === undefined || sum(z));
  }) && stations.length > 1;
}
