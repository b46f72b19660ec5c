// Formulas of channels, as a reader types them: 0.5*(a + b), abs(front_left.tyre.fz - 2[kN]), diff(x).

import { parseUnit } from "./dimension";

/** What is wrong with a formula, for its reader. */
export class FormulaError extends Error {}

export type Node =
  | { kind: "number"; value: number; unit: string } // unit "": none was written
  | { kind: "name"; name: string }
  | { kind: "negative"; of: Node }
  | { kind: "operation"; operator: "+" | "-" | "*" | "/" | "^"; left: Node; right: Node }
  | { kind: "call"; name: string; of: Node[] };

interface Token {
  kind: "number" | "name" | "sign" | "end";
  text: string;
  at: number;
  unit: string;
}

const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const unit = /\s*\[([^\]]*)\]/y;
const word = "[\\p{L}_][\\p{L}\\p{N}_]*(?:\\[[^\\]]*\\])*";
const name = new RegExp(`${word}(?:\\.(?:${word}|\\d+))*`, "uy");
const quoted = /`([^`]*)`/y;

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match;
  };
  for (;;) {
    take(/\s+/y);
    const start = at;
    if (at >= text.length) return [...found, { kind: "end", text: "", at, unit: "" }];
    const digits = take(number);
    if (digits) found.push({ kind: "number", text: digits[0], at: start, unit: take(unit)?.[1] ?? "" });
    else {
      const named = take(name) ?? take(quoted);
      if (named) found.push({ kind: "name", text: named[1] ?? named[0], at: start, unit: "" });
      else found.push({ kind: "sign", text: text[at++], at: start, unit: "" });
    }
  }
}

class Parser {
  private at = 0;
  private readonly list: Token[];

  constructor(text: string) {
    this.list = tokens(text);
  }

  whole(): Node {
    const node = this.sum();
    if (this.next.kind !== "end") throw this.unexpected();
    return node;
  }

  private get next(): Token {
    return this.list[this.at];
  }

  private unexpected(): FormulaError {
    const { kind, text, at } = this.next;
    if (kind === "end") return new FormulaError("The formula ends too early.");
    return new FormulaError(`"${text}" at place ${at + 1} is not expected there.`);
  }

  private accept(...signs: string[]): string | null {
    const { kind, text } = this.next;
    if (kind !== "sign" || !signs.includes(text)) return null;
    ++this.at;
    return text;
  }

  private expect(sign: string): void {
    if (!this.accept(sign)) {
      throw this.next.kind === "end" ? new FormulaError(`"${sign}" is missing at the end.`) : this.unexpected();
    }
  }

  private sum(): Node {
    let left = this.product();
    for (let operator = this.accept("+", "-", "−"); operator; operator = this.accept("+", "-", "−"))
      left = { kind: "operation", operator: operator === "+" ? "+" : "-", left, right: this.product() };
    return left;
  }

  private product(): Node {
    let left = this.signed();
    for (let operator = this.accept("*", "/"); operator; operator = this.accept("*", "/"))
      left = { kind: "operation", operator: operator as "*" | "/", left, right: this.signed() };
    return left;
  }

  private signed(): Node {
    if (this.accept("-", "−")) return { kind: "negative", of: this.signed() };
    if (this.accept("+")) return this.signed();
    return this.raised();
  }

  private raised(): Node {
    const left = this.single();
    return this.accept("^") ? { kind: "operation", operator: "^", left, right: this.signed() } : left;
  }

  private single(): Node {
    const token = this.next;
    if (token.kind === "number") {
      ++this.at;
      return { kind: "number", value: Number(token.text), unit: token.unit || this.unitBehind() };
    }
    if (token.kind === "name") {
      ++this.at;
      return this.accept("(") ? { kind: "call", name: token.text, of: this.list_() } : { kind: "name", name: token.text };
    }
    if (!this.accept("(")) throw this.unexpected();
    const inner = this.sum();
    this.expect(")");
    return inner;
  }

  /** "1 s", "10 Hz". */
  private unitBehind(): string {
    const { kind, text } = this.next;
    if (kind !== "name" || !parseUnit(text)) return "";
    ++this.at;
    return text;
  }

  private list_(): Node[] {
    const items: Node[] = [];
    if (this.accept(")")) return items;
    do items.push(this.sum());
    while (this.accept(","));
    this.expect(")");
    return items;
  }
}

export const parse = (text: string): Node => new Parser(text).whole();

/** "load = a + b" as its name and the rest; without a name the text is it. */
export function nameAndText(typed: string): { name: string; text: string } {
  const match = /^\s*([\p{L}_][\p{L}\p{N}_.]*)\s*=\s*(.+)$/su.exec(typed);
  return match ? { name: match[1], text: match[2].trim() } : { name: typed.trim(), text: typed.trim() };
}

/** Of butterworth(x, 2, low, 10 Hz): no channels, where they stand as its third argument. */
export const wordsOfFilters = ["low", "high", "band"];
export const isZeroPhase = (at: Node): boolean => at.kind === "name" && at.name === "zero_phase";
const isWord = (at: Node, index: number): boolean => (index === 2 && at.kind === "name" && wordsOfFilters.includes(at.name)) || (index > 3 && isZeroPhase(at));

/** The channels that a formula asks for, each once. */
export function namesIn(node: Node): string[] {
  const found = new Set<string>();
  const visit = (at: Node): void => {
    if (at.kind === "name") found.add(at.name);
    else if (at.kind === "negative") visit(at.of);
    else if (at.kind === "operation") [at.left, at.right].forEach(visit);
    else if (at.kind === "call") at.of.filter((each, k) => !(at.name === "butterworth" && isWord(each, k))).forEach(visit);
  };
  visit(node);
  return [...found];
}
