// The curves of a panel as a table for other programs.
import type { Figure, Line } from "./figure";
import { labelled } from "./figure";

const quoted = (text: string): string =>
  /[",;\r\n]/.test(text) || text !== text.trim() ? `"${text.replace(/"/g, '""')}"` : text;
const written = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(9))) : "");

interface Block {
  time: Float64Array;
  lines: Line[];
}

/** Curves with the same times share a time column, others bring their own: nothing is interpolated. */
function blocks(figure: Figure): Block[] {
  const result: Block[] = [];
  for (const line of figure.lines.filter((each) => !each.still)) {
    const block = result.find((each) => each.time === line.time);
    if (block) block.lines.push(line);
    else result.push({ time: line.time, lines: [line] });
  }
  return result;
}

function heads(block: Block, labelT: string, labelX: string, overTime: boolean, runs: string[]): string[] {
  const suffix = (line: Line) => (runs.length > 1 ? ` (${runs[line.run]})` : "");
  const names = block.lines.map((line) => labelled(line.name, line.unit) + suffix(line));
  return overTime
    ? [labelX, ...names]
    : [labelT, ...block.lines.flatMap((line, i) => [labelX + suffix(line), names[i]])];
}

function cells(block: Block, overTime: boolean, row: number): string[] {
  if (row >= block.time.length) return Array<string>(1 + block.lines.length * (overTime ? 1 : 2)).fill("");
  const values = block.lines.flatMap((line) => (overTime ? [line.ys[row]] : [line.xs[row], line.ys[row]]));
  return [String(block.time[row]), ...values.map(written)];
}

export function csv(figure: Figure, runs: string[]): string {
  const plainX = figure.overTime || figure.still === true; // the first column is the x axis
  const parts = blocks(figure);
  const rows = Math.max(0, ...parts.map((block) => block.time.length));
  const lines = [
    parts
      .flatMap((block) => heads(block, figure.labelT ?? "time [s]", figure.x.label, plainX, runs))
      .map(quoted)
      .join(","),
  ];
  for (let row = 0; row < rows; ++row) {
    lines.push(parts.flatMap((block) => cells(block, plainX, row)).join(","));
  }
  return lines.join("\r\n") + "\r\n";
}
