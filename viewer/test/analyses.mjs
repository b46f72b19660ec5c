// Results of analyses for the tests, as `skyhook modes`, `response` and so on write them.
import { body, channel, frames, run, scene, shape } from "./fixture.mjs";

const still = [1, 0, 0, 0];
const complex = (...list) => list.map((x) => (Array.isArray(x) ? x : [x, 0]));

/** A red ball of 1 kg at (0.3, 0, 0.8), its centre of mass 0.1 m beside it, and a grey block. */
const bodies = [
  body("ball", { com: [0.1, 0, 0], shapes: [shape("sphere", { at: [0.1, 0, 0], radius: 0.08, colour: "#ff0000" })] }),
  body("block", { shapes: [shape("box", { size: [1.2, 0.8, 0.1], colour: "#808890" })] }),
];
const places = [
  [0.3, 0, 0.8],
  [0, 0, 0],
];

/** Shapes of its three modes: up and down; on a circle in the plane of y and z; turning about z. */
export const ballShapes = [
  { displacement: complex(0, 0, 1), rotation: complex(0, 0, 0) },
  { displacement: complex(0, 0.6, [0, -0.6]), rotation: complex(0, 0, 0) },
  { displacement: complex(0, 0, 0), rotation: complex(0, 0, 2) },
];

export function modes({ stiffer = 1, label = "test, modes", reversed = false } = {}) {
  const list = ballShapes.map((of, i) => ({
    name: "ball",
    frequency_hz: stiffer * (i + 1),
    damping: 0.1 * i,
    real: i === 1 ? 0.5 : -0.1 * i,
    imag: 2 * Math.PI * (i + 1),
    rigid: false,
    oscillates: true,
    bodies: { block: 0.25, ball: 0.75 },
    elements: { spring: 1.2, "weight and preload": -0.2 },
    dissipation: i === 0 ? {} : { damper: 1 },
    shape: { ball: of, block: { displacement: complex(0, 0, 0), rotation: complex(0, 0, 0) } },
  }));
  if (reversed) list.reverse();
  const numbers = Float64Array.from([1, 2, 3]);
  return run({
    label,
    info: { analysis: "modes", abscissa: "mode", abscissa_unit: "-", t_start: 1, t_end: 3, t_reached: 3 },
    scene: scene(bodies),
    frames: frames(numbers, 2, (item) => [...places[item], ...still]),
    times: [numbers],
    channels: [channel("frequency", "Hz", numbers, list.map((mode) => mode.frequency_hz))],
    found: { modes: list, at: "the equilibrium", free_motions: 0, stable: false },
  });
}

/** One pair of eigenvalues -1 + k ± i (10 + k) over the parameter k = 0..2: it crosses at 1. */
export function locus({ shift = 0, label = "test, locus" } = {}) {
  const k = Float64Array.from({ length: 21 }, (_, i) => i / 10);
  const real = Array.from(k, (x) => -1 + x + shift);
  const imag = Array.from(k, (x) => 10 + x);
  const size = real.map((x, i) => Math.hypot(x, imag[i]));
  return run({
    label,
    info: { analysis: "modes", abscissa: "k", abscissa_unit: "m/s", t_start: 0, t_end: 2, t_reached: 2 },
    scene: scene(bodies),
    frames: frames(k, 2, (item) => [...places[item], ...still]),
    times: [k],
    channels: [
      channel("branch1.frequency", "Hz", k, size.map((x) => x / (2 * Math.PI))),
      channel("branch1.damping", "-", k, real.map((x, i) => -x / size[i])),
      channel("branch1.real", "1/s", k, real),
      channel("branch1.imag", "1/s", k, imag),
    ],
    events: [{ t: 1 - shift, name: "crossing", detail: "ball begins to grow", element: "ball", kind: "crossing" }],
    found: {
      parameter: "k",
      branches: [{ name: "ball" }],
      crossings: [{ value: 1 - shift, frequency_hz: 11 / (2 * Math.PI), name: "ball", grows: true }],
    },
  });
}

/** A first-order lag of 1 s and one of 0.1 s, from 0.01 to 10 Hz, with densities. */
export function response(label = "test, response") {
  const f = Float64Array.from({ length: 61 }, (_, i) => 0.01 * 10 ** (i / 20));
  const lag = (tau) => Array.from(f, (x) => 1 / Math.hypot(1, 2 * Math.PI * x * tau));
  const phase = (tau) => Array.from(f, (x) => -Math.atan(2 * Math.PI * x * tau));
  return run({
    label,
    info: { analysis: "response", abscissa: "frequency", abscissa_unit: "Hz", t_start: 0.01, t_end: 10, t_reached: 10 },
    scene: scene(bodies),
    frames: frames(f, 2, (item) => [...places[item], ...still]),
    times: [f],
    channels: [
      ...[["slow", 1], ["fast", 0.1]].flatMap(([name, tau]) => [
        channel(`${name}.gain`, "m/N", f, lag(tau)),
        channel(`${name}.phase`, "rad", f, phase(tau)),
        channel(`${name}.density`, "m^2/Hz", f, lag(tau).map((x) => x * x)),
      ]),
    ],
    found: {
      input: "push",
      random: [
        { output: "slow", unit: "m", rms: 0.5, crossings: 0.2, "exceeded once an hour": 1.8 },
        { output: "fast", unit: "m", rms: 1.6, crossings: 2, "exceeded once an hour": 6.7 },
      ],
    },
  });
}

const one = Float64Array.from([0]);
const position = () => frames(one, 2, (item) => [...places[item], ...still]);

export function equilibrium(load = 9.81, label = "test, rest") {
  return run({
    label,
    info: { analysis: "equilibrium", t_end: 0, t_reached: 0 },
    scene: scene(bodies),
    frames: position(),
    times: [one],
    channels: [channel("spring.force", "N", one, [load])],
    found: {
      found: true,
      stable: true,
      free: ["roller.angle"],
      contacts: [{ name: "stop", closed: true, force: 3.5 }],
      efforts: [],
      warnings: [],
      values: [
        { channel: "spring.force", value: load, unit: "N" },
        { channel: "ride.displacement (coordinate)", value: -0.01 * load, unit: "" },
      ],
    },
  });
}

export function linearSystem() {
  return run({
    info: { analysis: "linearize", t_end: 0, t_reached: 0 },
    scene: scene(bodies),
    frames: position(),
    found: {
      title: "test",
      inputs: [{ name: "push", unit: "N" }],
      outputs: [{ name: "place", unit: "m" }],
      states: [{ name: "x", unit: "m" }, { name: "v", unit: "m/s" }],
      A: [[0, 1], [-100, -4]],
      B: [[0], [1]],
      C: [[1, 0]],
      D: [[0]],
      second_order: { coordinates: [{ name: "x", unit: "m" }], M: [[1]] },
    },
  });
}

export function kinematic() {
  const s = Float64Array.from([-0.08, 0, 0.08]);
  return run({
    info: { analysis: "kinematics", abscissa: "wheel.travel", abscissa_unit: "m", t_start: -0.08, t_end: 0.08, t_reached: 0.08 },
    scene: scene(bodies),
    frames: frames(s, 2, (item, t) => [places[item][0], 0, places[item][2] + t, ...still]),
    times: [s],
    channels: [channel("wheel.track_change", "m", s, [-0.02, 0, 0.01]), channel("wheel.rate", "N/m", s, [2e4, 2.5e4, 3e4])],
    found: {},
  });
}

/** Cones of 1:10 on round heads, level: the left contact stays on the rail and moves along the wheel by the shift. */
export function wheelrail(label = "test, wheelrail") {
  const shifts = Float64Array.from({ length: 13 }, (_, i) => (i - 6) / 1000);
  const line = Array.from({ length: 61 }, (_, i) => [(i - 30) / 500, ((i - 30) / 500) * 0.1]);
  const head = Array.from({ length: 61 }, (_, i) => [(i - 30) / 1000, Math.sqrt(0.09 - ((i - 30) / 1000) ** 2) - 0.3]);
  const side = (y, wheel) => ({ y, z: 0, angle: 0.1, radius: 0.46 - 0.1 * wheel, wheel_y: wheel, rail_y: 0, rival_gap: null });
  const rows = Array.from(shifts, (shift) => ({
    shift,
    roll: 0,
    height: 0.46 + 0.0001 * Math.abs(shift),
    delta_r: 0.2 * shift,
    left: side(0.75, -shift),
    right: side(-0.75, shift),
  }));
  // sixteen cells: those of the trailing half slide, on the left wheel from 2 mm on
  const patch = (slides) => ({ a: 0.006, b: 0.004, bound: 3e8, sliding: slides ? 0.5 : 0, across: 4, along: 4, cells: Array.from({ length: 16 }, (_, k) => [-50, 10, slides && k % 4 > 1 ? 1 : 0]) });
  return run({
    label,
    info: { analysis: "wheelrail", abscissa: "shift", abscissa_unit: "m", t_start: -0.006, t_end: 0.006, t_reached: 0.006, model: "cone on circle" },
    scene: null,
    times: [shifts],
    channels: [
      channel("delta_r", "m", shifts, rows.map((row) => row.delta_r)),
      channel("roll", "rad", shifts, rows.map((row) => row.roll)),
      channel("left.angle", "rad", shifts, rows.map((row) => row.left.angle)),
      channel("right.angle", "rad", shifts, rows.map((row) => row.right.angle)),
    ],
    found: {
      drawing: { left_wheel: line, right_wheel: line, left_rail: head, right_rail: head, half: 0.75, radius: 0.46, left_rail_y: 0.75, right_rail_y: 0.75 },
      rows,
      patches: rows.map(({ shift }) => ({ left: patch(shift > 0.0015), right: patch(false) })),
      conicity: [1, 2, 3].map((a) => ({ amplitude: a / 1000, harmonic: 0.1, integral: a === 3 ? null : 0.1 })),
    },
  });
}
