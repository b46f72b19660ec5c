// Search of names: every word of the query must occur, in any order; * in a word stands for anything.

export interface Match {
  index: number; // into the list searched
  marks: [number, number][]; // begin and end of what to highlight, in order, not overlapping
}

function pattern(word: string): RegExp {
  const literal = word.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(literal.join(".*?"), "iu");
}

/** The names that match, in their order; all of them for an empty query. */
export function search(names: readonly string[], query: string): Match[] {
  const words = query.split(/\s+/).filter((word) => word.replace(/\*/g, "") !== "");
  const patterns = words.map(pattern);
  const found: Match[] = [];
  names.forEach((name, index) => {
    const marks: [number, number][] = [];
    for (const each of patterns) {
      const hit = each.exec(name);
      if (!hit) return;
      marks.push([hit.index, hit.index + hit[0].length]);
    }
    found.push({ index, marks: merged(marks) });
  });
  return found;
}

function merged(marks: [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [begin, end] of marks.sort((a, b) => a[0] - b[0])) {
    const last = result[result.length - 1];
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([begin, end]);
  }
  return result;
}

/** What stands before the last dot: the owner of a channel. */
export function owner(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : "";
}

/** Letters to change, add or leave out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1].toLowerCase() === b[j - 1].toLowerCase() ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

/** Up to three names that a wrong one may have meant. */
export function nearest(wrong: string, names: readonly string[]): string[] {
  const ends = names.filter((name) => name.toLowerCase().endsWith(`.${wrong.toLowerCase()}`));
  const close = names.filter((name) => Math.abs(name.length - wrong.length) <= 2).map((name) => ({ name, letters: distance(wrong, name) }));
  const most = Math.max(1, Math.floor(wrong.length / 4));
  const alike = close.filter(({ letters }) => letters <= most).sort((a, b) => a.letters - b.letters);
  return [...new Set([...alike.map(({ name }) => name), ...ends])].slice(0, 3);
}
