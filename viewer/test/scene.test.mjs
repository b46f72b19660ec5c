// What the 3D scene computes, without a browser: places between samples, default looks, sizes, arrows, camera, clock.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";

const s = await load(
  "clock", "scene/frames", "scene/poses", "scene/level", "scene/outline", "scene/extent", "scene/default_shapes", "scene/arrows",
  "scene/elements", "scene/spans", "scene/camera", "scene/hull", "scene/traces", "scene/figure", "scene/threads", "scene/labels", "scene/vehicle", "scene/ribbon",
);
const { Box3, Matrix4, Vector3 } = await import("three");
const near = (a, b, tolerance = 1e-9) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const nearAll = (a, b, tolerance) => (assert.equal(a.length, b.length), [...a].forEach((x, i) => near(x, b[i], tolerance)));

const still = [1, 0, 0, 0];
const halfTurn = Math.SQRT1_2;

function body(name, given = {}) {
  const tree = { parent: -1, joint: -1, reversed: false, depth: 1 };
  return { name, mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0], at: [0, 0, 0], quaternion: still, shapes: [], tree, ...given };
}

function scene(given = {}) {
  return {
    gravity: [0, 0, -9.81], degrees_of_freedom: 0, coordinates: 0, constraints: 0, redundant: 0, ground: { shapes: [] },
    bodies: [body("b")], markers: [], joints: [], rods: [], couplers: [], forces: [], ...given,
  };
}

/** A run of bodies that are given as one list of positions (and quaternions) over the frames each. */
function run(time, positions, given = {}) {
  const series = (lists, width) => lists.flatMap((list) => Array.from({ length: width }, (_, c) => list.map((v) => v[c])).flat());
  const turns = given.turns ?? positions.map((list) => list.map(() => still));
  return {
    info: { t_start: 0, t_reached: 0 },
    scene: given.scene === undefined ? scene({ bodies: positions.map((_, i) => body(`b${i}`)) }) : given.scene,
    frames: {
      time: Float64Array.from(time), positions: Float32Array.from(series(positions, 3)), quaternions: Float32Array.from(series(turns, 4)),
      reactions: new Float32Array(0), forces: Float32Array.from(series(given.forces ?? [], 3)), moments: Float32Array.from(series(given.moments ?? [], 3)),
    },
  };
}

function posed(a_run, t) {
  const poses = s.createPoses(a_run);
  poses.set(t);
  return poses;
}

function placed(poses, of, at = [0, 0, 0]) {
  const point = new Vector3();
  return poses.point(of, at, point) ? point.toArray() : null;
}

test("places are exact at samples and linear between them", () => {
  const r = run([0, 1, 3], [[[0, 0, 0], [1, 2, 3], [5, 2, -1]]]);
  nearAll(placed(posed(r, 1), 0), [1, 2, 3], 0);
  nearAll(placed(posed(r, 2), 0), [3, 2, 1], 1e-12);
});

test("before its first and after its last sample a run has no poses", () => {
  const r = run([1, 2, 3], [[[0, 0, 0], [1, 2, 3], [5, 2, -1]]]);
  assert.equal(posed(r, 0.99).matrix(0), null);
  assert.equal(posed(r, 3.01).matrix(0), null);
  nearAll(placed(posed(r, 3 + 1e-12), 0), [5, 2, -1], 0); // rounding is not the end
  nearAll(placed(posed({ ...r, frames: { ...r.frames, time: new Float64Array(0) } }, 9), 0), [0, 0, 0], 0);
});

test("the clock of two runs spans both and stops at frames of the second where the first has none", () => {
  const at = (time) => run(time, [time.map(() => [0, 0, 0])]);
  const clock = s.createClock(at([1, 2, 3]), at([0, 0.5, 2.5, 4]));
  assert.deepEqual([clock.begin, clock.end], [0, 4]);
  const seen = [];
  for (let k = 0; k < 6; ++k) {
    clock.step(1);
    seen.push(clock.t);
  }
  assert.deepEqual(seen, [0.5, 1, 2, 3, 4, 4]);
});

test("rods too thin for the model have lines along them, from end to end", () => {
  const rod = (radius) => ({ kind: "rod", at: [1, 0, 0], quaternion: [halfTurn, 0, halfTurn, 0], size: [1, 1, 1], radius, length: 4, colour: "" });
  const threads = s.threadsOf([[rod(0.3)], [rod(0.1), { ...rod(0.1), kind: "cylinder" }]], 100);
  assert.deepEqual(threads.map((thread) => thread.body), [1]);
  nearAll(threads[0].ends[0].toArray(), [-1, 0, 0], 1e-12); // z turned to x
  nearAll(threads[0].ends[1].toArray(), [3, 0, 0], 1e-12);
});

test("a label stands left of its point where the right edge would clip it", () => {
  assert.equal(s.besides(100, 8, 60, 400), 108);
  assert.equal(s.besides(350, 8, 60, 400), 282);
  assert.equal(s.besides(30, 8, 60, 80), 0);
});

test("of two samples at one time the later counts", () => {
  const r = run([0, 1, 1, 2], [[[0, 0, 0], [1, 0, 0], [10, 0, 0], [11, 0, 0]]]);
  nearAll(placed(posed(r, 1), 0), [10, 0, 0], 0);
  nearAll(placed(posed(r, 1 - 1e-9), 0), [1, 0, 0], 1e-6);
  nearAll(placed(posed(r, 1.5), 0), [10.5, 0, 0], 1e-6);
});

test("turns go evenly along the short way", () => {
  // A quarter turn about z, its quaternion given with the other sign: a third of it is 30 degrees all the same.
  const r = run([0, 3], [[[0, 0, 0], [0, 0, 0]]], { turns: [[still, [-halfTurn, 0, 0, -halfTurn]]] });
  nearAll(placed(posed(r, 1), 0, [1, 0, 0]), [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6), 0], 1e-6);
  nearAll(placed(posed(r, 3), 0, [1, 0, 0]), [0, 1, 0], 1e-6);
});

test("where a sample has no value a body has no place, but exactly at its neighbour it has", () => {
  const r = run([0, 1, 2], [[[1, 0, 0], [NaN, 0, 0], [3, 0, 0]]]);
  nearAll(placed(posed(r, 0), 0), [1, 0, 0], 0);
  assert.equal(placed(posed(r, 0.5), 0), null);
  assert.equal(placed(posed(r, 1), 0), null);
  nearAll(placed(posed(r, 2), 0), [3, 0, 0], 0);
});

test("without frames bodies stand where they were designed, without a scene they are counted", () => {
  const empty = run([], [], { scene: scene({ bodies: [body("b", { at: [1, 2, 3], quaternion: [halfTurn, 0, 0, halfTurn] })] }) });
  nearAll(placed(posed(empty, 0), 0, [1, 0, 0]), [1, 3, 3], 1e-12);
  const bare = run([0], [[[1, 1, 1]], [[2, 2, 2]]], { scene: null });
  assert.equal(posed(bare, 0).count, 2);
  nearAll(placed(posed(bare, 0), 1), [2, 2, 2], 0);
});

test("up is against gravity, and forward, left, up are right-handed", () => {
  for (const gravity of [[0, 0, -9.81], [0, -9.81, 0], [-9.81, 0, 0], [1, 2, -3], [0, 0, 0]]) {
    const { forward, left, up, toGlobal } = s.levelOf(gravity);
    nearAll(new Vector3().crossVectors(forward, left).toArray(), up.toArray(), 1e-12);
    near(toGlobal.determinant(), 1, 1e-12);
    const size = Math.hypot(...gravity);
    nearAll(up.toArray(), size > 0 ? gravity.map((g) => -g / size) : [0, 0, 1], 1e-12);
  }
  nearAll(s.levelOf([0, -9.81, 0]).forward.toArray(), [1, 0, 0], 1e-12);
});

test("a box has the edges that its inertia tells", () => {
  // 12 kg, 1 x 2 x 3 m: Ixx = 4 + 9, Iyy = 1 + 9, Izz = 1 + 4 kg m^2
  nearAll(s.boxOfInertia(12, [13, 10, 5]), [1, 2, 3], 1e-12);
  nearAll(s.boxOfInertia(1, [0, 1, 1]), [Math.sqrt(12), 0, 0], 1e-12); // a thin rod along x
});

const size = { model: 10, detail: 10 };

function rodEnds(shape) {
  const place = s.shapeMatrix(shape);
  return [-0.5, 0.5].map((z) => new Vector3(0, 0, z * shape.length).applyMatrix4(place).toArray());
}

test("two points on a body make a rod between them, more a star from the centre of mass", () => {
  const [rod, ...none] = s.defaultShapes(body("b"), [[1, 2, 3], [1, 2, 3.001], [4, 6, 3]], size);
  assert.equal(none.length, 0);
  assert.equal(rod.kind, "rod");
  nearAll(rodEnds(rod).flat(), [1, 2, 3, 4, 6, 3], 1e-9);
  const star = s.defaultShapes(body("b", { com: [1, 1, 1] }), [[0, 0, 0], [3, 0, 0], [0, 3, 0]], size);
  assert.deepEqual(star.map((shape) => shape.kind), ["rod", "rod", "rod"]);
  for (const arm of star) nearAll(rodEnds(arm)[0], [1, 1, 1], 1e-9);
  nearAll(rodEnds(star[1])[1], [3, 0, 0], 1e-9);
});

test("a body without points is a box of its inertia, neither huge nor invisible", () => {
  const kinds = (b, points = []) => s.defaultShapes(b, points, size).map((shape) => shape.kind);
  const [box] = s.defaultShapes(body("b", { mass: 12, inertia: [13, 10, 5, 0, 0, 0], com: [1, 0, 0] }), [], size);
  nearAll(box.at, [1, 0, 0], 0);
  nearAll(box.size, [1, 2, 2.5], 1e-12); // the third edge is cut at a quarter of the model
  assert.ok(Math.min(...s.defaultShapes(body("b", { inertia: [0, 1e-9, 1e-9, 0, 0, 0] }), [], size)[0].size) > 0.1);
  assert.deepEqual(kinds(body("b", { mass: 0, inertia: [0, 0, 0, 0, 0, 0] })), ["sphere"]);
  assert.deepEqual(kinds(body("b", { mass: NaN, inertia: [NaN, NaN, NaN, 0, 0, 0] })), ["sphere"]);
  assert.deepEqual(kinds(body("pendulum", { com: [0, 0, -3] }), [[0, 0, 0]]), ["box", "rod"]);
});

test("a wheel is known by its name and its inertia", () => {
  // A disc of radius 0.3 m and width 0.2 m: Iyy = m r^2 / 2, Ixx = m (3 r^2 + w^2) / 12
  const disc = { mass: 20, inertia: [(20 * (0.27 + 0.04)) / 12, 0.9, (20 * (0.27 + 0.04)) / 12, 0, 0, 0] };
  const [wheel] = s.defaultShapes(body("front_wheel", disc), [[0, 0, 0], [0, 0, -0.3]], size);
  assert.equal(wheel.kind, "wheel");
  near(wheel.radius, 0.3, 1e-12);
  near(wheel.length, 0.2, 1e-9);
  assert.equal(s.defaultShapes(body("steering_wheel"), [], size)[0].kind, "box"); // no disc
});

test("a curve that an element draws on a body does not take the place of its look", () => {
  const curve = { kind: "rod", at: [0, 0, 0], quaternion: still, size: [1, 1, 1], radius: 0.01, length: 1, colour: "", line: true };
  const kinds = (shapes) => s.shapesOfBodies(scene({ bodies: [body("b", { shapes })] }), size)[0].map((shape) => shape.kind);
  assert.deepEqual(kinds([curve]), ["rod", "box"]);
  assert.deepEqual(kinds([curve, { ...curve, kind: "sphere", line: false }]), ["rod", "sphere"]);
});

test("the bounds of a rolling wheel end at the road", () => {
  const wheel = { kind: "wheel", at: [0, 0, 0], quaternion: still, size: [1, 1, 1], radius: 0.5, length: 0.2, colour: "" };
  const time = Array.from({ length: 41 }, (_, i) => i / 10);
  const at = time.map((t) => [t, 0, t === 2 ? NaN : 0.5]);
  const turns = time.map((t) => [Math.cos(t), 0, Math.sin(t), 0]);
  const r = run(time, [at], { turns: [turns] });
  const level = s.levelOf([0, 0, -1]);
  const box = s.boundsOfRun(r, s.createPoses(r), [s.ballsOfShape(wheel), []], level);
  near(box.min.z, 0, 0.003); // the rim has 32 points: at worst r (1 - cos(pi / 32)) is missing
  nearAll([box.min.y, box.max.y], [-0.1, 0.1], 1e-6);
  nearAll([box.min.x, box.max.x], [-0.5, 4.5], 0.003);
});

test("the ground is at zero under a model above it, else below the model", () => {
  assert.equal(s.groundHeight(0, 1), 0);
  assert.equal(s.groundHeight(0.7, 1), 0);
  assert.ok(s.groundHeight(-0.5, 1) < -0.5);
  assert.ok(s.groundHeight(80, 1) > 79);
  assert.equal(s.groundHeight(Infinity, 1), 0); // nothing has a place
  assert.deepEqual([0.5, 4, 40].map((x) => Number(s.gridStep(x).toPrecision(6))), [0.1, 1, 10]);
});

function ends(item) {
  const matrix = new Matrix4();
  if (!item.place(matrix)) return null;
  return [new Vector3(0, 0, 0), new Vector3(0, 0, 1)].map((v) => v.applyMatrix4(matrix).toArray());
}

test("the largest force of the run has an arrow of a quarter of the model, and without a value there is none", () => {
  const forces = [{ name: "f", type: "force", from: -1, to: 0, at_from: [0, 0, 0], at_to: [1, 0, 0] }];
  const r = run([0, 1, 2], [[[0, 0, 0], [0, 0, 0], [0, 0, 0]]], {
    scene: scene({ forces }), forces: [[[0, 300, 400], [0, 30, 40], [NaN, 0, 0]]], moments: [[[0, 0, 0], [0, 0, 0], [0, 0, 0]]],
  });
  const scale = s.arrowScale(r.frames, 8);
  near(scale.force, 0.25 * 8 / 500, 1e-12);
  assert.equal(scale.moment, 0);
  const tip = (t) => ends(s.forceArrows(r, r.scene, posed(r, t), 8, scale).find((item) => item.geometry === "cone"))?.[1];
  nearAll(tip(0), [1, 1.2, 1.6], 1e-6);
  nearAll(tip(1), [1, 0.12, 0.16], 1e-6);
  assert.equal(tip(2), undefined);
});

test("an arrow's head is never longer than its shaft", () => {
  for (const length of [1e-6, 0.01, 0.1, 1, 2.5]) assert.ok(s.headLength(length, 10) <= length / 2);
});

test("springs stretch with their ends", () => {
  const r = run([0, 1], [[[0, 0, 1], [0, 0, 2]]]);
  const span = s.spanOfEnds({ from: -1, to: 0, at_from: [0, 0, 0], at_to: [0, 0, 0] }, posed(r, 1));
  const item = s.spanItem(span, "coil", "#000000", (length) => ({ radius: 0.1, begin: 0.1 * length, end: 0.9 * length }));
  nearAll(ends(item).flat(), [0, 0, 0.2, 0, 0, 1.8], 1e-9);
  assert.deepEqual(s.partsByName("front_spring"), { coil: true, damper: false });
  assert.deepEqual(s.partsByName("damper"), { coil: false, damper: true });
  assert.deepEqual(s.partsByName("spring_damper"), { coil: true, damper: true });
});

test("a view shows all points and wastes nothing", () => {
  const points = [[-1, -2, -3], [2, 2, 1], [0, 3, 0], [-1, 0, 1]].map((p) => new Vector3(...p));
  const centre = new Vector3(0.5, 0, -1);
  const back = new Vector3(0.6, -1, 0.5).normalize();
  const right = new Vector3(0, 0, 1).cross(back).normalize();
  const axes = { right, up: back.clone().cross(right), back };
  const [fov, aspect] = [0.56, 1.6];
  const eye = centre.clone().addScaledVector(back, s.fittingDistance(points, centre, axes, fov, aspect));
  const edges = points.map((point) => {
    const depth = -point.clone().sub(eye).dot(back) * Math.tan(fov / 2);
    return Math.max(Math.abs(point.clone().sub(eye).dot(axes.up)) / depth, Math.abs(point.clone().sub(eye).dot(right)) / (depth * aspect));
  });
  near(Math.max(...edges), 1, 1e-12); // 1: at the border of the picture
});

test("a hull keeps the outermost points, balls with their radius", () => {
  const hull = s.createHull();
  for (const [at, radius] of [[[0, 0, 0], 1], [[5, 0, 0], 0.5], [[1, 1, 1], 0]]) hull.add(new Vector3(...at), radius);
  const box = new Box3().setFromPoints(hull.points());
  nearAll([...box.min.toArray(), ...box.max.toArray()], [-1, -1, -1, 5.5, 1, 1], 1e-12);
});

test("a trace leaves out what has no place", () => {
  const r = run([0, 1, 2, 3, 4], [[[0, 0, 0], [1, 0, 0], [NaN, 0, 0], [3, 0, 0], [4, 0, 0]]]);
  const way = s.wayOf(r, s.createPoses(r), 0, [0, 1, 0]);
  assert.deepEqual(way.points, [0, 1, 0, 1, 1, 0, 3, 1, 0, 4, 1, 0]);
  assert.deepEqual(way.frames, [1, 4]);
});

test("wheels leave their tracks on the road below them", () => {
  const wheel = { name: "t", type: "tyre_vertical", from: -1, to: 0, at_from: [0, 0, 0], at_to: [0, 0, 0.1], track: 0.4 };
  const hinge = { name: "f", type: "force", joint: 0 };
  const r = run([0, 1], [[[0, 0, 0.3], [2, 0, 0.5]]], { scene: scene({ bodies: [body("a")], forces: [wheel, hinge] }) });
  const tracks = s.tracksOf(r, s.createPoses(r));
  assert.equal(tracks.length, 1);
  nearAll(tracks[0], [0, 0, 0.01, 2, 0, 0.21], 1e-6);
});

test("a ghost takes the looks of bodies of the same name", () => {
  const shapes = [{ kind: "sphere", radius: 1 }];
  const first = run([0], [], { scene: scene({ bodies: [body("a"), body("b", { shapes })] }) });
  const second = run([0], [], { scene: scene({ bodies: [body("b"), body("c")] }) });
  assert.deepEqual(s.dressed(second, first).scene.bodies.map((b) => b.shapes.length), [1, 0]);
});

test("steps go from frame to frame, once over an event", () => {
  const clock = s.createClock(run([0, 1, 1, 2], [[[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]]));
  const seen = [];
  clock.onChange(() => seen.push(clock.t));
  for (const frames of [1, 1, 1, -1, -2]) clock.step(frames);
  assert.deepEqual(seen, [1, 2, 2, 1, 0]);
  clock.set(1.5);
  clock.step(-1);
  assert.equal(clock.t, 1);
  clock.set(99);
  assert.equal(clock.t, 2);
  clock.set(NaN);
  assert.equal(clock.t, 0);
});

/** Runs the clock on frames of a tenth of a second; how many it asked for. */
function played(clock, frames) {
  const waiting = [];
  globalThis.requestAnimationFrame = (callback) => waiting.push(callback);
  clock.play();
  let count = 0;
  for (; count < frames && waiting.length > 0; ++count) waiting.shift()(100 * count);
  return count;
}

test("playing takes the time of the wall, stops at the end and then asks for no more frames", () => {
  const clock = s.createClock(run([0, 2], [[[0, 0, 0], [0, 0, 0]]]));
  clock.speed = 0.5;
  played(clock, 11); // the first only starts the watch: ten tenths of a second at half speed
  near(clock.t, 0.5, 1e-12);
  clock.pause();
  assert.equal(played(clock, 1000), 31);
  assert.deepEqual([clock.t, clock.playing], [2, false]);
  played(clock, 1);
  assert.deepEqual([clock.t, clock.playing], [0, true]); // from the beginning again
});

test("a clock that loops goes on from the beginning", () => {
  const clock = s.createClock(run([1, 2], [[[0, 0, 0], [0, 0, 0]]]));
  clock.loop = true;
  played(clock, 15);
  near(clock.t, 1.4, 1e-9);
  assert.ok(clock.playing);
});

test("a run without frames has a clock that stands", () => {
  const clock = s.createClock({ ...run([], []), info: { t_start: NaN, t_reached: NaN } });
  clock.play();
  assert.deepEqual([clock.begin, clock.end, clock.t, clock.playing], [0, 0, 0, false]);
});

const turned = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

/** A body with four wheels on a circle of 20 m at 10 m/s, to the left. */
function circle(given = {}) {
  const time = Array.from({ length: 101 }, (_, i) => i / 50);
  const angle = time.map((t) => t / 2);
  const place = (x, y, z) => angle.map((a) => [20 * Math.sin(a) + x * Math.cos(a) - y * Math.sin(a), 20 * (1 - Math.cos(a)) + x * Math.sin(a) + y * Math.cos(a), z]);
  const corners = [[1.2, 0.7], [1.2, -0.7], [-1.2, 0.7], [-1.2, -0.7]];
  const bodies = [body("chassis", { mass: 1000 }), ...corners.map((_, i) => body(`wheel${i}`))];
  const forces = corners.map((_, i) => ({ name: `tyre${i}`, type: "tyre", from: -1, to: i + 1, at_from: [0, 0, 0], at_to: [0, 0, 0], track: 0.3, friction: [1, 0.9] }));
  const turns = bodies.map(() => angle.map(turned));
  // Along, across and up in the wheel's axes: 300, -200, 1000 N.
  const pull = angle.map((a) => [300 * Math.cos(a) + 200 * Math.sin(a), 300 * Math.sin(a) - 200 * Math.cos(a), 1000]);
  return run(time, [place(0, 0, 0.5), ...corners.map(([x, y]) => place(x, y, 0.3))], {
    turns, scene: scene({ bodies, forces, ...given.scene }), forces: forces.map(() => pull), moments: forces.map(() => pull.map(() => [0, 0, 0])),
  });
}

test("a free body that travels further than the model is large is gone along with; one on a hinge is not", () => {
  assert.equal(s.traveller(circle(), 5), 0);
  assert.equal(s.traveller(circle(), 50), -1);
  const hinge = { name: "pin", type: "revolute", from: -1, to: 1, at_from: [0, 0, 0], at_to: [0, 0, 0], axis: [0, 0, 1], cut: false, coordinates: ["angle"] };
  const arm = { ...hinge, name: "arm", from: 1, to: 0 };
  assert.equal(s.traveller(circle({ scene: { joints: [hinge, arm] } }), 5), -1);
  assert.equal(s.traveller(circle({ scene: { joints: [arm, { ...hinge, type: "free" }] } }), 5), 0);
  assert.equal(s.hasWheelsOnRoads(circle()), true);
});

test("heading and speed of a body on a circle", () => {
  const r = circle();
  const poses = posed(r, 1);
  const level = s.levelOf([0, 0, -9.81]);
  near(s.headingOf(poses, 0, level), 0.5, 1e-6);
  near(s.speedAt(r, 0, poses.now), 10, 1e-3); // chords of 0.4 m on 20 m: 1 - (0.02)^2/24
  near(s.speedAt(r, 0, { index: 30, part: 0.4 }), 10, 1e-3);
  assert.ok(Number.isNaN(s.speedAt(r, -1, poses.now)));
  const upright = run([0], [[[0, 0, 0]]], { turns: [[[halfTurn, 0, -halfTurn, 0]]] });
  assert.ok(Number.isNaN(s.headingOf(posed(upright, 0), 0, level)));
});

test("tyre forces stand on the road, others at their points, and both grow by the slider", () => {
  const r = circle();
  const poses = posed(r, 0);
  const scale = s.arrowScale(r.frames, 4);
  const { up } = s.levelOf([0, 0, -9.81]);
  assert.equal(s.forceArrows(r, r.scene, poses, 4, scale).length, 0);
  const [shaft] = s.tyreArrows(r, r.scene, poses, 4, scale, up);
  const matrix = new Matrix4();
  const tip = () => (assert.ok(shaft.place(matrix)), new Vector3(0, 0, 1).applyMatrix4(matrix));
  const foot = () => (shaft.place(matrix), new Vector3().applyMatrix4(matrix));
  nearAll(foot().toArray(), [1.2, 0.7, 0], 1e-6);
  const length = tip().distanceTo(foot());
  scale.zoom = 2;
  assert.ok(tip().distanceTo(foot()) > 1.8 * length);
});

test("a road is laid where the wheels run, unless the ground has it already", () => {
  const r = circle();
  const level = s.levelOf([0, 0, -9.81]);
  const way = s.wayOfWheels(r, s.createPoses(r), level);
  near(way.half, 0.7 + 1.3, 1e-6);
  const radius = (aside) => Math.hypot(1.2, 20 - aside); // of a point ahead of the centre and aside of it
  for (const [left, right] of way.edges.slice(1, -1)) {
    near(Math.hypot(left.x, left.y - 20), radius(2), 1e-3);
    near(Math.hypot(right.x, right.y - 20), radius(-2), 1e-3);
    near(left.z, 0, 1e-6);
  }
  assert.equal(s.isOn(r, way, level), false);
  const wide = { kind: "mesh", line: true, at: [0, 0, 0], quaternion: still, size: [1, 1, 1], vertices: [-5, -5, 0, 30, 0, 0, 30, 30, 0, -5, 30, 0], corners: [0, 1, 2] };
  r.scene.ground.shapes = [wide];
  assert.equal(s.isOn(r, way, level), true);
});

test("the camera of a view turns with a heading, and by steps about the vertical", async () => {
  const level = s.levelOf([0, 0, -9.81]);
  const element = { addEventListener() {}, removeEventListener() {}, style: {}, getRootNode: () => ({ addEventListener() {}, removeEventListener() {} }), ownerDocument: { addEventListener() {}, removeEventListener() {} } };
  const rig = s.createCamera(element, level, 1);
  rig.resize(400, 300);
  rig.view("rear", [new Vector3(-1, -1, 0), new Vector3(1, 1, 1)], Math.PI / 2);
  const { position, target } = rig.state();
  near(position[0] - target[0], 0, 1e-9);
  assert.ok(position[1] < target[1] - 1, "behind a body that heads along y");
  rig.turnBy(Math.PI / 2);
  const after = rig.state();
  assert.ok(after.position[0] > after.target[0] + 1);
  nearAll(after.target, target, 1e-9);
});
