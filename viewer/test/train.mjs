// A coach of two bogies on an S-shaped line at 20 m/s, as a run of a report: 60 m straight, an arc of 200 m radius to the left, one to the right, straight on.
import { body, channel, frames, run, scene, shape, times } from "./fixture.mjs";

const radius = 200;
const bend = 60; // m, of each arc
export const speed = 20;

/** Place, heading and cant's tilt along the line. */
export function place(s) {
  const arc = ([x, y, heading], length, curvature) => {
    const turned = heading + curvature * length;
    if (curvature === 0) return [x + length * Math.cos(heading), y + length * Math.sin(heading), heading];
    return [x + (Math.sin(turned) - Math.sin(heading)) / curvature, y - (Math.cos(turned) - Math.cos(heading)) / curvature, turned];
  };
  let at = arc([0, 0, 0], Math.min(s, 60), 0);
  if (s > 60) at = arc(at, Math.min(s - 60, bend), 1 / radius);
  if (s > 60 + bend) at = arc(at, Math.min(s - 60 - bend, bend), -1 / radius);
  return s > 60 + 2 * bend ? arc(at, s - 60 - 2 * bend, 0) : at;
}

const range = (from, to, step) => Array.from({ length: Math.round((to - from) / step) + 1 }, (_, k) => from + k * step);

export function track({ deviations = true, left_out } = {}) {
  const stations = [-60, ...range(0, 400, 10)].flatMap((s) => {
    const [x, y, heading] = place(s);
    return [s, x, y, 0, heading, 0, 0];
  });
  const places = range(-60, 400, 0.5);
  const wave = (amplitude, length) => places.map((s) => Math.round(1e6 * amplitude * Math.sin((2 * Math.PI * s) / length)));
  return {
    name: "line", body: -1, at: [0, 0, 0], quaternion: [1, 0, 0, 0], gauge: 1.435, base: 1.5, rail: 1, rail_y: 0.75, passed: [0, 200], length: null, stations,
    ...(deviations ? { deviations: { first: -60, step: 0.5, gauge: wave(0.001, 9), alignment: wave(0.003, 25), level: wave(0.004, 20), cross_level: wave(0.002, 7), ...(left_out ? { left_out } : {}) } } : {}),
  };
}

// A tread with a cone of 1:20 and a flange; a round head.
const wheel = [[-0.07, 0.01], [-0.062, -0.02], [-0.055, -0.028], [-0.048, -0.026], [-0.042, -0.012], [-0.036, -0.002], ...range(-0.03, 0.06, 0.005).map((y) => [y, y / 20])];
const rail = [[-0.036, -0.03], [-0.035, -0.014], ...range(-0.03, 0.03, 0.005).map((y) => [y, Math.sqrt(0.3 ** 2 - y ** 2) - 0.3]), [0.035, -0.014], [0.036, -0.03]];

const cylinder = (r, length, y) => ({ ...shape("cylinder", { radius: r, length, quaternion: [Math.SQRT1_2, Math.SQRT1_2, 0, 0] }), at: [0, y, 0], size: [1, 1, 1] });
export const radiusOfWheels = 0.46;

export function train({ left_out, label = "coach, S-line", deviations = true, recorded = true, found = null } = {}) {
  const time = times(401, 10);
  const axles = [7.5, 5, -5, -7.5];
  const wheelset = [cylinder(0.46, 0.13, 0.75), cylinder(0.46, 0.13, -0.75), cylinder(0.08, 2, 0)];
  const bodies = [
    body("coach", { mass: 30000, shapes: [{ ...shape("box", { size: [20, 2.8, 2.6] }), colour: "#2f6fb0" }] }),
    ...axles.map((_, i) => body(`axle_${i + 1}`, { mass: 1500, shapes: wheelset })),
  ];
  const forces = axles.flatMap((_, i) => [1, -1].map((side) => ({
    name: `${side > 0 ? "left" : "right"}_${i + 1}`, type: "wheel_rail", from: -1, to: i + 1, at_from: [0, 0, 0], at_to: [0, 0, 0],
    rail: { track: 0, side, radius: radiusOfWheels, half: 0.75, rail_y: 0.75, wheel: 0, profile: 1 },
  })));
  const pose = (item, t) => {
    const s = 20 + speed * t + (item === 0 ? 0 : axles[item - 1]);
    const [x, y, heading] = place(s);
    return [x, y, item === 0 ? 2.2 : radiusOfWheels, Math.cos(heading / 2), 0, 0, Math.sin(heading / 2)];
  };
  const force = (_, t) => [0, 4000 * Math.sin(t), 50000];
  const values = (f) => Array.from(time, f);
  const of = (name, side) => [
    channel(`${name}.along`, "m", time, values((t) => 20 + speed * t)),
    channel(`${name}.normal`, "N", time, values((t) => 50000 + 1000 * t)),
    channel(`${name}.tangential_y`, "N", time, values((t) => 3000 * Math.sin(t))),
    channel(`${name}.angle`, "rad", time, values(() => 0.05)),
    channel(`${name}.on_wheel`, "m", time, values((t) => 0.002 * t)),
    channel(`${name}.on_rail`, "m", time, values((t) => 0.002 * t)),
    channel(`${name}.Y`, "N", time, values((t) => 8000 * Math.sin(t))),
    channel(`${name}.Q`, "N", time, values(() => 50000)),
    channel(`${name}.YQ`, "-", time, values((t) => 0.16 * Math.sin(t))),
    channel(`${name}.lateral`, "m", time, values((t) => side * 0.004 * Math.sin(t))),
    channel(`${name}.lift`, "m", time, values(() => -0.0001)),
    channel(`${name}.roll`, "rad", time, values((t) => 0.001 * Math.sin(t))),
    channel(`${name}.yaw`, "rad", time, values(() => 0.002)),
  ];
  return {
    ...run({
      info: { model: "coach", experiment: "s_line", t_end: 10, t_reached: 10, abscissa: "time", abscissa_unit: "s" },
      scene: { ...scene(bodies, { forces }), tracks: [track({ deviations, left_out })], profiles: [{ name: "wheel", points: wheel.flat() }, { name: "rail", points: rail.flat() }] },
      frames: frames(time, 5, pose, { forces: 8, force }),
      times: [time],
      channels: recorded ? forces.flatMap(({ name, rail: { side } }) => of(name, side)) : [channel("coach.vx", "m/s", time, values(() => 20))],
    }),
    label,
    found,
  };
}

/** The same of eight wheels of each coach of a train. */
export function evaluationOfWheels(coaches) {
  const own = ["front", "rear"].flatMap((bogie) => ["front", "rear"].flatMap((axle) => ["left", "right"].map((side) => `${bogie}.${axle}.${side}`)));
  const wheels = Array.from({ length: coaches }, (_, k) => own.map((name) => (coaches > 1 ? `coach[${k + 1}].${name}` : `coach.${name}`))).flat();
  const x = [20, 70, 120, 170];
  const lines = [
    ...wheels.map((name, k) => ({ name: `yq.${name}`, unit: "-", y: x.map((at) => (at * k) / 1e4) })),
    { name: "yq.limit", unit: "-", y: x.map(() => 0.8) },
  ];
  return { ...evaluation(), wheels, curves: { abscissa: "distance", unit: "m", x, lines } };
}

/** What an experiment says that evaluates it. */
export function evaluation() {
  const x = [20, 70, 120, 170];
  return {
    standard: "rail", name: "rail", notes: ["en14363: left.yq: 0.9 is above the limit"],
    numbers: [
      { number: "en14363.worst.yq", value: 0.9, unit: "-", meaning: "largest" },
      { number: "en14363.worst.sum_y", value: -12000, unit: "N", meaning: "largest" },
    ],
    sections: [{ zone: "straight", from: 20, to: 120, radius: 0, yq: 0.1 }, { zone: "curve 400-600 m", from: 120, to: 170, radius: 500, yq: 0.9 }],
    channels: {},
    curves: {
      abscissa: "distance", unit: "m", x,
      lines: [
        { name: "yq.left", unit: "-", y: [0.1, 0.2, 0.9, null] },
        { name: "yq.limit", unit: "-", y: [0.8, 0.8, 0.8, 0.8] },
        { name: "yq.lower_limit", unit: "-", y: [-0.8, -0.8, -0.8, -0.8] },
        { name: "sum_y.axle", unit: "N", y: [0, 5000, 12000, 3000] },
        { name: "sum_y.limit", unit: "N", y: [40000, 40000, 40000, 40000] },
      ],
    },
  };
}
