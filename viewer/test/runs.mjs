// Runs for the tests: a red ball on a known path, a mechanism with everything, and hostile ones.
import { body, channel, frames, run, scene, shape, times } from "./fixture.mjs";

/** Where the red ball is: a path that leaves no coordinate constant. */
export const redPath = (t) => [0.8 * Math.cos(2 * t), 0.5 * Math.sin(2 * t), 0.6 + 0.3 * t];

export function redBall() {
  const time = times(101, 2);
  // The table keeps all of the path in view: the camera does not go along.
  const bodies = [
    body("ball", { shapes: [shape("sphere", { radius: 0.08, colour: "#ff0000" })] }),
    body("table", { shapes: [shape("box", { size: [2.4, 1.6, 0.05], colour: "#808890" })] }),
  ];
  const position = [0, 1, 2].map((axis) => Array.from(time, (t) => redPath(t)[axis]));
  return run({
    scene: scene(bodies, { degrees_of_freedom: 3 }),
    frames: frames(time, 2, (item, t) => [...(item === 0 ? redPath(t) : [0, 0, 0]), 1, 0, 0, 0]),
    times: [time],
    channels: [
      ...["x", "y", "z"].map((axis, i) => channel(`ball.${axis}`, "m", time, position[i])),
      channel(
        "ball.angle",
        "rad",
        time,
        Array.from(time, (t) => 2 * t),
      ),
      channel(
        "ball.speed",
        "m/s",
        time,
        Array.from(time, (t) => Math.hypot(1.6 * Math.sin(2 * t), Math.cos(2 * t), 0.3)),
      ),
    ],
    info: { t_end: 2, t_reached: 2 },
  });
}

const turn = (angle) => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];

/** A crank, a coupler and a rocker with a spring: a loop, joints of the tree and cut, forces, events, all pages filled. */
export function mechanism(phase = 0) {
  const n = 301;
  const time = times(n, 3);
  const crank = (t) => 3 * (t + phase);
  const end = (t) => [0.3 * Math.cos(crank(t)), 0, 0.5 - 0.3 * Math.sin(crank(t))];
  const slider = (t) => [end(t)[0] + Math.sqrt(0.81 - (end(t)[2] - 0.5) ** 2), 0, 0.5];
  const tilt = (t) => Math.atan2(end(t)[2] - 0.5, slider(t)[0] - end(t)[0]);
  const pose = (item, t) =>
    [
      [0, 0, 0.5, ...turn(crank(t))],
      [...end(t), ...turn(tilt(t))],
      [...slider(t), 1, 0, 0, 0],
    ][item];
  const bodies = [
    body("crank", {
      mass: 2.5,
      com: [0.15, 0, 0],
      inertia: [0.01, 0.05, 0.05, 0, 0, 0],
      tree: { parent: -1, joint: 0, reversed: false, depth: 1 },
      shapes: [shape("box", { at: [0.15, 0, 0], size: [0.36, 0.05, 0.06], colour: "#3a7bd5" })],
    }),
    body("coupler", {
      mass: 1.2,
      com: [0.45, 0, 0],
      tree: { parent: 0, joint: 1, reversed: false, depth: 2 },
      shapes: [shape("box", { at: [0.45, 0, 0], size: [0.94, 0.03, 0.04], colour: "#e0912f" })],
    }),
    body("slider", {
      mass: 4,
      tree: { parent: -1, joint: 2, reversed: false, depth: 1 },
      shapes: [shape("box", { size: [0.2, 0.16, 0.12], colour: "#4caf82" })],
    }),
  ];
  const ends = (from, to, at_from, at_to) => ({ from, to, at_from, at_to });
  const joints = [
    {
      name: "bearing",
      type: "revolute",
      axis: [0, 1, 0],
      cut: false,
      coordinates: ["angle"],
      ...ends(-1, 0, [0, 0, 0.5], [0, 0, 0]),
    },
    {
      name: "pin",
      type: "revolute",
      axis: [0, 1, 0],
      cut: false,
      coordinates: ["angle"],
      ...ends(0, 1, [0.3, 0, 0], [0, 0, 0]),
    },
    {
      name: "guide",
      type: "prismatic",
      axis: [1, 0, 0],
      cut: false,
      coordinates: ["travel"],
      ...ends(-1, 2, [0, 0, 0.5], [0, 0, 0]),
    },
    {
      name: "wrist",
      type: "revolute",
      axis: [0, 1, 0],
      cut: true,
      coordinates: [],
      ...ends(1, 2, [0.9, 0, 0], [0, 0, 0]),
    },
  ];
  const springForce = (t) => -400 * (slider(t)[0] - 0.9);
  const values = (f) => Array.from(time, f);
  const rate = (f) => (t) => (f(t + 1e-5) - f(t - 1e-5)) / 2e-5;
  const channels = [
    channel("crank.angle", "rad", time, values(crank)),
    channel(
      "crank.speed",
      "rad/s",
      time,
      values(() => 3),
    ),
    channel(
      "slider.x",
      "m",
      time,
      values((t) => slider(t)[0]),
    ),
    channel("slider.vx", "m/s", time, values(rate((t) => slider(t)[0]))),
    channel(
      "coupler.end.x",
      "m",
      time,
      values((t) => end(t)[0]),
    ),
    channel(
      "coupler.end.z",
      "m",
      time,
      values((t) => end(t)[2]),
    ),
    channel("coupler.tilt", "rad", time, values(tilt)),
    channel("spring.force", "N", time, values(springForce)),
    channel(
      "energy.kinetic",
      "J",
      time,
      values((t) => 2 * rate((s) => slider(s)[0])(t) ** 2),
    ),
    channel(
      "energy.total",
      "J",
      time,
      values((t) => 2 * rate((s) => slider(s)[0])(t) ** 2 + 200 * (slider(t)[0] - 0.9) ** 2),
    ),
  ];
  const steps = Array.from({ length: 240 }, (_, i) => 3 * (i / 240));
  return run({
    label: phase === 0 ? "slider_crank, turn" : "slider_crank, later",
    file: "slider_crank.h5",
    info: {
      model: "slider_crank",
      model_file: "slider_crank.yaml",
      experiment: "turn",
      t_end: 3,
      t_reached: 3,
      samples: n,
    },
    scene: scene(bodies, {
      degrees_of_freedom: 1,
      coordinates: 3,
      constraints: 2,
      joints,
      markers: [
        { name: "crank.tip", body: 0, at: [0.3, 0, 0], quaternion: [1, 0, 0, 0] },
        { name: "coupler.middle", body: 1, at: [0.45, 0, 0], quaternion: [1, 0, 0, 0] },
        { name: "slider.centre", body: 2, at: [0, 0, 0], quaternion: [1, 0, 0, 0] },
      ],
      forces: [{ name: "spring", type: "spring_damper", ...ends(-1, 2, [1.9, 0, 0.5], [0.1, 0, 0]) }],
    }),
    frames: frames(time, 3, pose, {
      joints: 4,
      forces: 1,
      force: (_, t) => [springForce(t), 0, 0],
      reaction: (j, t) => [20 * Math.sin(3 * t), 0, 60 + j],
    }),
    times: [time],
    channels,
    cost: [
      ["steps", 240],
      ["rejected", 6],
      ["residuals", 1984],
      ["jacobians", 31],
      ["factorisations", 44],
    ],
    limits: [
      { state: "bearing.angle", element: "bearing", steps: 150 },
      { state: "guide.travel", element: "guide", steps: 90 },
    ],
    parameters: [
      { name: "crank_length", value: "0.3" },
      { name: "stiffness", value: "400" },
    ],
    report: ["slider_crank: 3 bodies, 4 joints, 1 loop.", "1 degree of freedom; no redundant constraints."],
    source:
      "model: slider_crank\nbodies:\n  crank:\n    mass: 2.5\n  coupler:\n    mass: 1.2\n  slider:\n    mass: 4\n",
    steps: {
      t: Float64Array.from(steps),
      h: Float32Array.from(steps, (t) => 0.01 * 10 ** Math.sin(5 * t)),
      order: Int32Array.from(steps, (t) => 1 + Math.floor(4 * Math.abs(Math.sin(t)))),
      dominant: Int32Array.from(steps, (_, i) => i % 2),
    },
    states: ["bearing.angle", "guide.travel"],
    drift: {
      time,
      position: Float32Array.from(time, (t) => 1e-12 * (1 + 3 * Math.sin(4 * t) ** 2)),
      velocity: Float32Array.from(time, (t) => 1e-10 * (1 + t)),
    },
    events: [
      { t: 0.7, name: "spring taut", detail: "length passes 1 m", element: "spring", kind: "switching" },
      { t: 1.5, name: "half time", detail: "" },
      { t: 2.4, name: "spring slack", detail: "" },
      { t: 0, name: "unused", detail: 'm.yaml:3:1: parameter "k" is used nowhere. '.repeat(4), kind: "warning" },
    ],
  });
}

const bad = [
  "</script><script>window.hacked = 1</script>",
  '"><img src=x onerror="window.hacked=1">',
  "'; window.hacked = 1; '",
  "<!--",
  "</title>",
  "\u202Egnorw\u202C \u05E9\u05DC\u05D5\u05DD 日本語 🚗",
  "x".repeat(500),
  "",
  "a.b..c.",
  "__proto__",
  "constructor",
  "%SKYHOOK_DATA%",
  "{{js}}",
  "$&",
];

/** Every name and text is hostile; numbers are NaN and infinite here and there. */
export function hostile() {
  const time = times(50, 1);
  const bodies = bad.map((name, i) =>
    body(name, {
      tree: { parent: i - 1, joint: i, reversed: false, depth: i + 1 },
      shapes: [shape("box", { colour: i === 0 ? "red;}" : "" })],
    }),
  );
  const joints = bad.map((name, i) => ({
    name,
    type: bad[(i + 1) % bad.length],
    axis: [0, 0, 1],
    cut: false,
    coordinates: [name],
    from: i - 1,
    to: i,
    at_from: [0, 0, 0],
    at_to: [0, 0, 0],
  }));
  return run({
    label: bad[0],
    file: bad[1],
    info: {
      model: bad[0],
      model_file: bad[1],
      experiment: bad[5],
      solver: bad[0],
      formulation: bad[1],
      jacobian: bad[0],
      status: bad[0],
      reason: bad[1],
      created: bad[4],
      skyhook_version: bad[3],
    },
    cost: bad.map((name) => [name, null]),
    limits: bad.map((name) => ({ state: name, element: name, steps: 1 })),
    parameters: bad.map((name) => ({ name, value: name })),
    report: bad,
    source: bad.join("\n"),
    scene: scene(bodies, {
      joints,
      markers: bad.map((name, i) => ({ name, body: i, at: [0, 0, 0], quaternion: [1, 0, 0, 0] })),
      forces: bad.map((name, i) => ({ name, type: name, joint: i })),
    }),
    frames: frames(time, bad.length, (i, t) => [i * 0.3, Math.sin(t), 0.5, 1, 0, 0, 0], {
      joints: bad.length,
      forces: bad.length,
    }),
    times: [time],
    channels: bad.map((name, i) =>
      channel(
        name,
        i % 2 ? "<b>m</b>" : "-",
        time,
        Array.from(time, (t, k) => (k === 10 ? Infinity : k % 7 === 0 ? NaN : t * i)),
      ),
    ),
    events: bad.map((name, i) => ({ t: i / bad.length, name, detail: name })),
  });
}

/** A value that is missing between 0.4 and 0.6, and a jump at 0.8 with both sides. */
export function gaps() {
  const time = Float64Array.from([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.8, 0.9, 1]);
  const values = [0, 1, 2, 3, 4, NaN, 6, 7, 8, -8, -9, -10];
  return run({
    times: [time],
    channels: [channel("a.b", "m", time, values)],
    events: [{ t: 0.8, name: "jump", detail: "" }],
  });
}

export const empty = () =>
  run({ info: { status: "failed", reason: "no initial position", t_reached: null, samples: 0 } });

export function oneSample() {
  const time = Float64Array.of(0);
  return run({
    scene: scene([body("one")]),
    frames: frames(time, 1, () => [0, 0, 0, 1, 0, 0, 0]),
    times: [time],
    channels: [channel("one.x", "m", time, [3])],
    info: { t_end: 0, t_reached: 0 },
  });
}

/** A thousand bodies in fifty chains and two thousand channels. */
export function many(count = 1000) {
  const time = times(20, 1);
  const bodies = Array.from({ length: count }, (_, i) =>
    body(`body_${i}`, {
      tree: { parent: i % 20 === 0 ? -1 : i - 1, joint: i, reversed: false, depth: (i % 20) + 1 },
      shapes: [shape("box", { size: [0.08, 0.08, 0.08] })],
    }),
  );
  const joints = bodies.map((_, i) => ({
    name: `joint_${i}`,
    type: "revolute",
    axis: [0, 0, 1],
    cut: false,
    coordinates: ["angle"],
    from: i % 20 === 0 ? -1 : i - 1,
    to: i,
    at_from: [0.1, 0, 0],
    at_to: [0, 0, 0],
  }));
  const channels = Array.from({ length: 2 * count }, (_, i) =>
    channel(
      `body_${i >> 1}.${i % 2 ? "y" : "x"}`,
      "m",
      time,
      Array.from(time, (t) => Math.sin(t + i)),
    ),
  );
  return run({
    scene: scene(bodies, { joints }),
    times: [time],
    channels,
    frames: frames(
      time,
      count,
      (i, t) => [(i % 20) * 0.15, Math.floor(i / 20) * 0.2, 0.3 + 0.05 * Math.sin(3 * t + i), 1, 0, 0, 0],
      { joints: count },
    ),
  });
}
