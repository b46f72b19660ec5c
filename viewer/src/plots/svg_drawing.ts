// A figure as an SVG drawing of its own, for documents. PNG is made from it.
import type { Axis, Figure, Line } from "./figure";
import { equalise, labelled, place, type Place, trace } from "./figure";
import { colour, dashes } from "./palette";
import { labelsOf, marksOf } from "./ticks";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
// XML has no place for control characters, not even escaped.
export const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"']/g, (c) => escapes[c]);
const shortened = (text: string, length: number) => (text.length > length ? text.slice(0, length - 1) + "…" : text);
const r = (value: number): string => String(Math.round(value * 100) / 100);

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function text(x: number, y: number, content: string, more = ""): string {
  return `<text x="${r(x)}" y="${r(y)}" ${more}>${escaped(content)}</text>`;
}

function xAxis(axis: Axis, box: Box, toX: Place): string[] {
  const marks = marksOf(axis, axis.min, axis.max, Math.floor((box.right - box.left) / 80));
  const labels = labelsOf(axis, marks);
  const middle = (box.left + box.right) / 2;
  return [
    ...marks.map((mark, i) => {
      const x = toX(mark);
      const line = `<path d="M${r(x)} ${r(box.top)}V${r(box.bottom)}" stroke="#e3e6ea"/>`;
      return line + text(x, box.bottom + 16, labels[i], 'text-anchor="middle"');
    }),
    text(middle, box.bottom + 34, shortened(axis.label, 90), 'text-anchor="middle"'),
  ];
}

function yAxis(axis: Axis, index: number, box: Box, toY: Place, shift: number): string[] {
  const marks = marksOf(axis, axis.min, axis.max, Math.floor((box.bottom - box.top) / 40));
  const labels = labelsOf(axis, marks);
  const left = index === 0;
  const x = left ? box.left - 6 : box.right + 6 + shift;
  const anchor = `text-anchor="${left ? "end" : "start"}"`;
  const far = left ? box.left - 50 : box.right + 52 + shift;
  const middle = (box.top + box.bottom) / 2;
  return [
    ...marks.map((mark, i) => {
      const y = toY(mark);
      const grid = left ? `<path d="M${r(box.left)} ${r(y)}H${r(box.right)}" stroke="#e3e6ea"/>` : "";
      return grid + text(x, y + 4, labels[i], anchor);
    }),
    text(far, middle, axis.label, `text-anchor="middle" transform="rotate(-90 ${r(far)} ${r(middle)})"`),
  ];
}

function path(line: Line, log: boolean, logX: boolean, toX: Place, toY: Place): string {
  let d = "";
  trace(
    line,
    log,
    (x, y) => (d += `M${r(toX(x))} ${r(toY(y))}`),
    (x, y) => (d += `L${r(toX(x))} ${r(toY(y))}`),
    logX,
  );
  const dash = dashes(line.dash ?? line.run);
  const more = dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "";
  return `<path d="${d}" fill="none" stroke="${colour(line.colour, false)}" stroke-width="1.6"${more}/>`;
}

function legend(figure: Figure, runs: string[], box: Box): { rows: string[]; height: number } {
  const rows: string[] = [];
  figure.lines.forEach((line, i) => {
    const y = 18 + i * 18;
    const dash = dashes(line.dash ?? line.run);
    const more = dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    rows.push(`<path d="M${box.left} ${y - 4}h24" stroke="${colour(line.colour, false)}" stroke-width="2"${more}/>`);
    const name = labelled(line.name, line.unit) + (runs.length > 1 ? ` – ${runs[line.run]}` : "");
    rows.push(text(box.left + 32, y, shortened(name, 110)));
  });
  return { rows, height: figure.lines.length * 18 };
}

export function svgDrawing(figure: Figure, runs: string[], width = 900, plotHeight = 360): string {
  const box: Box = { left: 72, top: 16, right: width - 24 - 62 * Math.max(0, figure.ys.length - 1), bottom: 0 };
  const { rows, height: legendHeight } = legend(figure, runs, box);
  box.top += legendHeight + 6;
  box.bottom = box.top + plotHeight;
  const height = box.bottom + 48;
  if (figure.equal) equalise(figure, box.right - box.left, plotHeight);
  const toX = place(figure.x, box.left, box.right);
  const toY = figure.ys.map((axis) => place(axis, box.bottom, box.top));
  const w = r(box.right - box.left);
  const h = r(box.bottom - box.top);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${r(height)}" viewBox="0 0 ${width} ${r(height)}" ` +
      `font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="12" fill="#333a44">`,
    `<rect width="${width}" height="${r(height)}" fill="#ffffff"/>`,
    `<clipPath id="box"><rect x="${box.left}" y="${r(box.top)}" width="${w}" height="${h}"/></clipPath>`,
    ...rows,
    ...xAxis(figure.x, box, toX),
    ...figure.ys.flatMap((axis, i) => yAxis(axis, i, box, toY[i], 62 * Math.max(0, i - 1))),
    `<rect x="${box.left}" y="${r(box.top)}" width="${w}" height="${h}" fill="none" stroke="#8a929e"/>`,
    `<g clip-path="url(#box)" stroke-linejoin="round">`,
    ...(figure.events ?? []).map(
      (t) => `<path d="M${r(toX(t))} ${r(box.top)}V${r(box.bottom)}" stroke="#8a929e" stroke-dasharray="2 3"/>`,
    ),
    ...figure.lines.map((line) => path(line, figure.ys[line.axis].log, figure.x.log, toX, toY[line.axis])),
    "</g>",
    "</svg>",
  ].join("\n");
}

/** The drawing as pixels, twice as fine as on paper of a screen. */
export async function png(drawing: string): Promise<Blob> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) =>
      canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The browser made no PNG."))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
