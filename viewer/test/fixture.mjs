// Makes the data of a report in JavaScript, in the format that viewer/src/data.ts describes.
import { gzipSync } from "node:zlib";

/** An array that is stored in a given way: "f8", "f4", "i4" or "i2" with a scale; bytes plane by plane if shuffled. */
export class Stored {
  constructor(type, values, { shuffled = false, scale, scales } = {}) {
    Object.assign(this, { type, values, shuffled, scale, scales });
  }

  bytes() {
    const { type, values } = this;
    if (type === "f8") return new Uint8Array(Float64Array.from(values).buffer);
    if (type === "f4") return new Uint8Array(Float32Array.from(values).buffer);
    if (type === "i4") return new Uint8Array(Int32Array.from(values).buffer);
    const factors = this.scales ?? [this.scale ?? 1];
    const block = values.length / factors.length;
    const stored = Array.from(values, (value, i) =>
      Number.isNaN(value) ? -32768 : Math.round(value / factors[Math.floor(i / block)]),
    );
    return new Uint8Array(Int16Array.from(stored).buffer);
  }
}

function shuffle(bytes, size) {
  const count = bytes.length / size;
  return bytes.map((_, i) => bytes[(i % count) * size + Math.floor(i / count)]);
}

const width = { f8: 8, f4: 4, i4: 4, i2: 2 };

function asStored(value) {
  if (value instanceof Stored) return value;
  if (value instanceof Float64Array) return new Stored("f8", value, { shuffled: true });
  if (value instanceof Float32Array) return new Stored("f4", value, { shuffled: true });
  if (value instanceof Int32Array) return new Stored("i4", value);
  return null;
}

/** The container of runs: typed arrays and Stored become references. */
export function container(runs, version = 1) {
  const parts = [];
  let at = 0;
  const replace = (value) => {
    const stored = asStored(value);
    if (stored) {
      const bytes = stored.bytes();
      const reference = { at, n: stored.values.length, type: stored.type };
      if (stored.shuffled) reference.shuffled = true;
      if (stored.scale !== undefined) reference.scale = stored.scale;
      if (stored.scales !== undefined) reference.scales = stored.scales;
      parts.push(stored.shuffled ? shuffle(bytes, width[stored.type]) : bytes);
      at += bytes.length;
      return reference;
    }
    if (Array.isArray(value)) return value.map(replace);
    if (value !== null && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, replace(v)]));
    return value;
  };
  const json = Buffer.from(JSON.stringify({ version, runs: runs.map(replace) }));
  const blanks = Buffer.alloc((8 - (json.length % 8)) % 8, " ");
  const head = Buffer.alloc(16);
  head.write("SKYHOOK1", 0, "latin1");
  head.writeUInt32LE(json.length, 8);
  return Buffer.concat([head, json, blanks, ...parts]);
}

export const encoded = (runs) => gzipSync(container(runs)).toString("base64");

const escaped = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** The page filled as `skyhook report` does it. */
export function filled(template, data, { title = "test", live = "" } = {}) {
  return template
    .replace("%SKYHOOK_TITLE%", () => escaped(title))
    .replace("%SKYHOOK_LIVE%", () => escaped(live))
    .replace("%SKYHOOK_DATA%", () => data);
}

/** Statistics by another route than the page's: plain sums over equal steps would differ, so only what tests need. */
export function statsOf(time, values) {
  const numbers = Array.from(values)
    .map((value, i) => [value, time[i]])
    .filter(([value]) => !Number.isNaN(value));
  if (numbers.length === 0)
    return { min: null, max: null, mean: null, rms: null, first: null, last: null, t_min: null, t_max: null };
  const low = numbers.reduce((a, b) => (b[0] < a[0] ? b : a));
  const high = numbers.reduce((a, b) => (b[0] > a[0] ? b : a));
  const mean = numbers.reduce((sum, [value]) => sum + value, 0) / numbers.length;
  const square = numbers.reduce((sum, [value]) => sum + value * value, 0) / numbers.length;
  return {
    min: low[0],
    max: high[0],
    mean,
    rms: Math.sqrt(square),
    first: numbers[0][0],
    last: numbers[numbers.length - 1][0],
    t_min: low[1],
    t_max: high[1],
  };
}

export function channel(name, unit, time, values, index = 0) {
  return { name, unit, time: index, values: Float32Array.from(values), stats: statsOf(time, values) };
}

export const times = (n, end) => Float64Array.from({ length: n }, (_, i) => (end * i) / Math.max(1, n - 1));

export const shape = (kind, more = {}) => ({
  kind,
  at: [0, 0, 0],
  quaternion: [1, 0, 0, 0],
  size: [0.2, 0.2, 0.2],
  radius: 0.1,
  length: 0.4,
  colour: "",
  ...more,
});

export function body(name, more = {}) {
  return {
    name,
    mass: 1,
    com: [0, 0, 0],
    inertia: [0.1, 0.1, 0.1, 0, 0, 0],
    at: [0, 0, 0],
    quaternion: [1, 0, 0, 0],
    shapes: [],
    tree: { parent: -1, joint: -1, reversed: false, depth: 1 },
    ...more,
  };
}

export function scene(bodies, more = {}) {
  return {
    gravity: [0, 0, -9.81],
    degrees_of_freedom: bodies.length,
    coordinates: bodies.length,
    constraints: 0,
    redundant: 0,
    ground: { shapes: [] },
    bodies,
    markers: [],
    joints: [],
    rods: [],
    couplers: [],
    forces: [],
    ...more,
  };
}

/** Frames of bodies from their poses: pose(body, t) = [x, y, z, qw, qx, qy, qz]. */
export function frames(time, bodies, pose, { joints = 0, forces = 0, reaction, force } = {}) {
  const n = time.length;
  const series = (items, components, at) => {
    const values = new Float32Array(items * components * n);
    for (let item = 0; item < items; ++item) {
      for (let i = 0; i < n; ++i) {
        const row = at(item, time[i]);
        for (let c = 0; c < components; ++c) values[(item * components + c) * n + i] = row[c];
      }
    }
    return values;
  };
  const zero = () => [0, 0, 0];
  return {
    time,
    positions: series(bodies, 3, (item, t) => pose(item, t).slice(0, 3)),
    quaternions: series(bodies, 4, (item, t) => pose(item, t).slice(3)),
    reactions: series(joints, 3, reaction ?? zero),
    forces: series(forces, 3, force ?? zero),
    moments: series(forces, 3, zero),
  };
}

export function run(more = {}) {
  const none = new Float64Array(0);
  const single = new Float32Array(0);
  return {
    label: "test, run",
    file: "test.h5",
    info: {
      model: "test",
      model_file: "test.yaml",
      experiment: "run",
      formulation: "tree",
      solver: "radau5",
      jacobian: "exact",
      tolerance: 1e-6,
      t_start: 0,
      t_end: 1,
      created: "2026-01-01",
      skyhook_version: "0",
      status: "finished",
      reason: "",
      t_reached: 1,
      seconds: 0.5,
      integrator_seconds: 0.4,
      energy_closure: 1e-9,
      position_residual: 1e-12,
      velocity_residual: 1e-11,
      samples: 101,
      ...more.info,
    },
    cost: [
      ["steps", 120],
      ["residuals", 1234],
    ],
    limits: [],
    parameters: [],
    report: [],
    source: "",
    scene: null,
    frames: { time: none, positions: single, quaternions: single, reactions: single, forces: single, moments: single },
    times: [],
    channels: [],
    thinned: 1,
    steps: { t: none, h: single, order: new Int32Array(0), dominant: new Int32Array(0) },
    states: [],
    drift: { time: none, position: single, velocity: single },
    events: [],
    ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== "info")),
  };
}
