// Reads what a report holds: base64( gzip( container ) ). The container is
//   "SKYHOOK1", uint32 length of the JSON, 4 zero bytes, JSON, blanks up to a multiple of 8, binary part
// with little-endian numbers. Where types.ts has an array of numbers the JSON has a reference into the binary part.
import { problemOf } from "./scene_check";
import type { Run } from "./types";

type Numbers = Float64Array | Float32Array | Int32Array;

interface Reference {
  at: number;
  n: number;
  type: "f8" | "f4" | "i4" | "i2";
  shuffled?: boolean; // bytes stored plane by plane: all first bytes, then all second ones
  scale?: number; // i2: value = stored * scale, -32768 = NaN
  scales?: number[]; // i2: one for each equal block
}

/** What is wrong with the data of the page, for its reader. */
/** What the run doubts, in the order of time. */
export const warningsOf = (run: Run): Run["events"] => run.events.filter((event) => event.kind === "warning");

export class DataError extends Error {}

const magic = "SKYHOOK1";
const header = 16;
const width = { f8: 8, f4: 4, i4: 4, i2: 2 };

export async function decode(text: string): Promise<Run[]> {
  const container = await unzip(bytesOf(text.trim()));
  const { json, binary } = split(container);
  if (json.version !== 1) {
    throw new DataError(
      `The data have version ${String(json.version)}; this page reads version 1. Make the report again.`,
    );
  }
  if (!Array.isArray(json.runs) || json.runs.length === 0) throw new DataError("The data hold no run.");
  return (json.runs as unknown[]).map((run) => complete(resolve(run, binary) as Partial<Run>));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  if (base64 === "" || base64.startsWith("%SKYHOOK"))
    throw new DataError("This page holds no data: make one by `skyhook report`.");
  let text: string;
  try {
    text = atob(base64);
  } catch {
    throw new DataError("The data of this page are broken: they are no base64 text. Make the report again.");
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === "undefined") {
    throw new DataError(
      "This browser cannot unpack the data (it lacks DecompressionStream). Use Firefox 113, Chrome or Edge 90, Safari 16.4 or newer.",
    );
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new DataError("The data of this page are broken: they cannot be unpacked. Make the report again.");
  }
}

function split(container: ArrayBuffer): { json: Record<string, unknown>; binary: ArrayBuffer } {
  const broken = (what: string) => new DataError(`The data of this page are broken: ${what}. Make the report again.`);
  if (container.byteLength < header) throw broken("they are too short");
  const start = new TextDecoder("latin1").decode(new Uint8Array(container, 0, 8));
  if (start !== magic) throw broken(`they do not begin with ${magic}`);
  const length = new DataView(container).getUint32(8, true);
  if (header + length > container.byteLength) throw broken("the description is longer than the data");
  try {
    const json = JSON.parse(new TextDecoder().decode(new Uint8Array(container, header, length)));
    return { json, binary: container.slice(Math.ceil((header + length) / 8) * 8) };
  } catch {
    throw broken("the description is no JSON");
  }
}

function isReference(value: object): value is Reference {
  const type = (value as Reference).type;
  return "at" in value && "n" in value && typeof (value as Reference).at === "number" && type in width;
}

/** The value with its references replaced by arrays. */
function resolve(value: unknown, binary: ArrayBuffer): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, binary));
  if (value === null || typeof value !== "object") return value;
  if (isReference(value)) return numbers(value, binary);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, binary)]));
}

export function numbers(reference: Reference, binary: ArrayBuffer): Numbers {
  const { at, n, type } = reference;
  const size = width[type];
  const whole = Number.isInteger(at) && Number.isInteger(n) && at >= 0 && n >= 0;
  if (!whole || at + n * size > binary.byteLength) {
    throw new DataError(
      `The data of this page are broken: ${n} numbers at ${at} do not lie in them. Make the report again.`,
    );
  }
  const bytes = new Uint8Array(binary, at, n * size);
  const ordered = reference.shuffled ? unshuffle(bytes, size) : bytes.slice();
  if (type === "f8") return new Float64Array(ordered.buffer);
  if (type === "f4") return new Float32Array(ordered.buffer);
  if (type === "i4") return new Int32Array(ordered.buffer);
  return scaled(new Int16Array(ordered.buffer), reference);
}

function unshuffle(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const count = bytes.length / size;
  const ordered = new Uint8Array(bytes.length);
  for (let plane = 0; plane < size; ++plane) {
    const from = plane * count;
    for (let i = 0; i < count; ++i) ordered[i * size + plane] = bytes[from + i];
  }
  return ordered;
}

function scaled(stored: Int16Array, { scale = 1, scales }: Reference): Float32Array {
  const values = new Float32Array(stored.length);
  const factors = scales && scales.length > 0 ? scales : [scale];
  const block = stored.length / factors.length;
  for (let i = 0; i < stored.length; ++i) {
    values[i] = stored[i] === -32768 ? NaN : stored[i] * (factors[Math.floor(i / block)] ?? NaN);
  }
  return values;
}

const number = (value: unknown): number => (typeof value === "number" ? value : NaN);
const text = (value: unknown): string => (typeof value === "string" ? value : value == null ? "" : String(value));

const numbersOfInfo = [
  "tolerance",
  "t_start",
  "t_end",
  "t_reached",
  "seconds",
  "integrator_seconds",
  "energy_closure",
  "position_residual",
  "velocity_residual",
  "samples",
];
const textsOfInfo = [
  "analysis",
  "model",
  "model_file",
  "experiment",
  "formulation",
  "solver",
  "jacobian",
  "abscissa",
  "abscissa_unit",
  "created",
  "skyhook_version",
  "status",
  "reason",
];

/** A run in which everything that types.ts promises is there: what is missing is empty, null numbers are NaN. */
function complete(run: Partial<Run>): Run {
  const none = new Float64Array(0);
  const single = new Float32Array(0);
  const info = (run.info ?? {}) as unknown as Record<string, unknown>;
  for (const name of numbersOfInfo) info[name] = number(info[name]);
  for (const name of textsOfInfo) info[name] = text(info[name]);
  if (info.abscissa === "") Object.assign(info, { abscissa: "time", abscissa_unit: "s" }); // older reports have none
  if (info.analysis === "") info.analysis = "simulate";
  const sceneProblem = run.scene == null ? "" : problemOf(run.scene);
  const result: Run = {
    label: text(run.label),
    file: text(run.file),
    note: text(run.note),
    info: info as unknown as Run["info"],
    cost: (run.cost ?? []).map(([name, value]) => [text(name), number(value)]),
    limits: run.limits ?? [],
    parameters: run.parameters ?? [],
    report: run.report ?? [],
    source: text(run.source),
    scene: sceneProblem === "" ? (run.scene ?? null) : null,
    sceneProblem,
    found: run.found ?? null,
    plots: run.plots ?? [],
    frames: run.frames ?? {
      time: none,
      positions: single,
      quaternions: single,
      reactions: single,
      forces: single,
      moments: single,
    },
    times: run.times ?? [],
    channels: run.channels ?? [],
    thinned: run.thinned ?? 1,
    steps: run.steps ?? { t: none, h: single, order: new Int32Array(0), dominant: new Int32Array(0) },
    states: run.states ?? [],
    drift: run.drift ?? { time: none, position: single, velocity: single },
    events: (run.events ?? []).map((event) => ({
      t: number(event.t),
      name: text(event.name),
      detail: text(event.detail),
      element: text(event.element), // older reports have neither
      kind: text(event.kind),
    })),
  };
  checkChannels(result);
  [result.frames.time, ...result.times, result.drift.time].forEach(checkTimes);
  return result;
}

function checkTimes(time: Float64Array): void {
  for (let i = 0; i < time.length; ++i) {
    if (Number.isFinite(time[i]) && !(time[i] < time[i - 1])) continue;
    throw new DataError(
      `The times of this result are broken: they must be numbers and must not decrease, but number ${i + 1} is ${time[i]}` +
        `${i > 0 ? ` after ${time[i - 1]}` : ""}. Run the model again.`,
    );
  }
}

function checkChannels(run: Run): void {
  for (const channel of run.channels) {
    const time = run.times[channel.time];
    if (!time || time.length !== channel.values.length) {
      throw new DataError(
        `The data of this page are broken: channel "${channel.name}" and its times differ in length. Make the report again.`,
      );
    }
    channel.name = text(channel.name);
    channel.unit = text(channel.unit);
    const stats = (channel.stats ?? {}) as unknown as Record<string, unknown>;
    for (const key of ["min", "max", "mean", "rms", "first", "last", "t_min", "t_max"]) stats[key] = number(stats[key]);
    channel.stats = stats as unknown as typeof channel.stats;
  }
}
