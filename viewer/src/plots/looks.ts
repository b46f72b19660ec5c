// Colours and dashes of many curves, and the keys of their legend. Names that are made of a head and a tail, as those of the wheels of a train
// (coach[2].front.left), have a colour by the one and dashes by the other, and a key for each head and each tail in place of one for each curve.
import { colours, patternCount } from "./palette";

export interface Look {
  colour: number;
  dash: number;
}

/** What a legend lists: the curves are those whose names it has. */
export interface Key extends Partial<Look> {
  text: string;
  names: Set<string>;
}

/** A curve among many: colours first, dashes where these are used up; those of several runs are told apart by dashes too. */
export const lookAmong = (index: number, run = 0, runs = 1): Look => ({ colour: index % colours, dash: Math.floor(index / colours) * runs + run });

interface Grid {
  heads: string[];
  tails: string[];
  place: Map<string, [head: string, tail: string]>;
}

function split(name: string, parts: number): [string, string] {
  const words = name.split(".");
  return [words.slice(0, parts).join("."), words.slice(parts).join(".")];
}

/** Heads and tails of more names than there are colours; null where they cannot be told apart so. */
function gridOf(names: string[]): Grid | null {
  if (names.length <= colours) return null;
  const depth = Math.max(...names.map((name) => name.split(".").length));
  for (let parts = 1; parts < depth; ++parts) {
    const place = new Map(names.map((name) => [name, split(name, parts)]));
    const heads = [...new Set([...place.values()].map(([head]) => head))];
    if (heads.length === 1) continue;
    const tails = [...new Set([...place.values()].map(([, tail]) => tail))];
    const fits = Math.max(heads.length, tails.length) <= colours && Math.min(heads.length, tails.length) <= patternCount;
    return fits && tails.length > 1 ? { heads, tails, place } : null;
  }
  return null;
}

/** By name. */
export function looksOf(names: string[]): Map<string, Look> {
  const grid = gridOf(names);
  if (!grid) return new Map(names.map((name, i) => [name, lookAmong(i)]));
  const { heads, tails, place } = grid;
  const byHead = heads.length > tails.length;
  return new Map(
    [...place].map(([name, [head, tail]]) => {
      const [h, t] = [heads.indexOf(head), tails.indexOf(tail)];
      return [name, byHead ? { colour: h, dash: t } : { colour: t, dash: h }];
    }),
  );
}

/** One for each curve, or for each head and each tail. */
export function keysOf(looks: Map<string, Look>): Key[] {
  const names = [...looks.keys()];
  const grid = gridOf(names);
  if (!grid) return names.map((name) => ({ text: name, names: new Set([name]), ...looks.get(name) }));
  const { heads, tails, place } = grid;
  const byHead = heads.length > tails.length;
  const key = (text: string, part: 0 | 1): Key => {
    const own = names.filter((name) => place.get(name)?.[part] === text);
    const { colour, dash } = looks.get(own[0]) as Look;
    return { text, names: new Set(own), ...(byHead === (part === 0) ? { colour, dash: 0 } : { dash }) };
  };
  return [...heads.map((head) => key(head, 0)), ...tails.map((tail) => key(tail, 1))];
}
