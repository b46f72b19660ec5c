// Bodies that bend with known shapes, for the tests.
import { body, frames, run, scene, shape, times } from "./fixture.mjs";

const span = 4; // lines

/** A round rod of 1 m along x, 50 mm thick. It bends up by x^2, and twists by x. */
export function rodModes() {
  const x = Array.from({ length: span + 1 }, (_, i) => i / span);
  return {
    states: ["rod.mode_1", "rod.mode_2"],
    frequencies: [12.5, 80],
    points: x.map((at) => [at, 0, 0]),
    shifts: x.map((at) => [[0, 0, at * at], [0, 0, 0]]),
    turns: x.map((at) => [[0, -2 * at, 0], [at, 0, 0]]), // about y, so that the slope is 2 x
    lines: x.slice(1).map((_, i) => [i, i + 1]),
    triangles: [],
  };
}

/** What it looks like: rods and boxes along lines bend with the body, the ball does not. */
export const rodShapes = [shape("rod", { at: [0.5, 0, 0], quaternion: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], radius: 0.025, length: 1 }), shape("sphere", { radius: 0.03 })];

export const bendAt = (t) => 0.1 * Math.sin(Math.PI * t);

/** The rod stands still and bends by 0.1 m sin(pi t), for 1 s. */
export function rod(more = {}) {
  const time = times(101, 1);
  const still = frames(time, 1, () => [0, 0, 0.5, 1, 0, 0, 0]);
  return run({
    scene: scene([body("rod", { modes: rodModes(), shapes: rodShapes })], more.scene),
    info: { t_end: 1, t_reached: 1 },
    frames: { ...still, state_names: ["rod.mode_1", "rod.mode_2"], states: Float32Array.from([...time].map(bendAt).concat([...time].map(() => 0))) },
  });
}

/** A plate of 0.4 m x 0.4 m of two triangles that goes up by its only mode, as far as t. */
export function plate() {
  const time = times(11, 1);
  const modes = {
    states: ["plate.mode_1"], frequencies: [], points: [[0, 0, 0], [0.4, 0, 0], [0.4, 0.4, 0], [0, 0.4, 0]], shifts: [0, 1, 1, 0].map((z) => [[0, 0, z]]),
    lines: [], triangles: [[0, 1, 2], [0, 2, 3]],
  };
  return run({
    scene: scene([body("plate", { modes })]),
    info: { t_end: 1, t_reached: 1 },
    frames: { ...frames(time, 1, () => [0, 0, 0, 1, 0, 0, 0]), state_names: modes.states, states: Float32Array.from([...time].map((t) => 0.1 * t)) },
  });
}

/** A strip of 1 m x 0.1 m x 0.02 m in absolute coordinates. At t it is bent about y to a circle of radius 1/(curvature t), and stretched by `stretch` t. */
export function strip({ curvature = 1, stretch = 0, directors = false, round = false } = {}) {
  const n = 41;
  const time = times(11, 1);
  const s = Array.from({ length: n }, (_, i) => i / (n - 1));
  const at = (x, t) => {
    const [k, by] = [curvature * t, 1 + stretch * t];
    const angle = k * x;
    const place = k === 0 ? [x, 0, 0] : [Math.sin(angle) / k, 0, (1 - Math.cos(angle)) / k];
    return [...place.map((c) => c * by), Math.cos(angle) * by, 0, Math.sin(angle) * by, -Math.sin(angle), 0, Math.cos(angle)];
  };
  const names = s.flatMap((_, i) => Array.from({ length: 9 }, (_, c) => `strip.n${i}.${c}`));
  const vectors = s.flatMap((_, i) => [0, 3, 6].map((c) => [9 * i + c, 9 * i + c + 1, 9 * i + c + 2, 0, 0, 0]));
  const stations = s.map((x, i) => ({ s: x, position: [3 * i, 1], slope: [3 * i + 1, 1], ...(directors ? { z: [3 * i + 2, 1] } : {}) }));
  const states = s.flatMap((x) => Array.from({ length: 9 }, (_, c) => [...time].map((t) => at(x, t)[c])).flat());
  return run({
    scene: { ...scene([]), bent_lines: [{ name: "strip", body: -1, states: names, vectors, section: [0.1, 0.02, round ? 1 : 0], up: [0, 0, 1], stations }] },
    info: { t_end: 1, t_reached: 1 },
    frames: { ...frames(time, 0, () => []), state_names: names, states: Float32Array.from(states) },
  });
}
