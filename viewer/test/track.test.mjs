// Railway tracks and wheels on rails, without a browser. References: the arcs that the line is made of, and a wheel placed by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";
import { evaluation, evaluationOfWheels, place, radiusOfWheels, track, train } from "./train.mjs";

const { LineCourse, sleeperPoses, axlesOf, heightAt, RailsAlong, railWithHead, WheelChannels, onTrack, timesAt, kindFigure, barsOf, evaluatedOf, legendOf, stanceOfWheel } = await load(
  "scene/line_course", "scene/line_parts", "rail/wheels", "rail/outlines", "rail/section_picture", "pages/assessed_run", "pages/run_charts", "pages/wheelrail_page",
);
const { Vector3 } = await import("three");
const close = (a, b, tolerance, what = "") => assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);

test("between its stations the line is the arc it was made of, and its axes turn with it", () => {
  const course = new LineCourse(track());
  for (const s of [0, 13, 61, 64.3, 88, 119.9, 131, 190, 333]) {
    const [x, y, heading] = place(s);
    const { at, ahead, left, up } = course.place(s);
    close(Math.hypot(at.x - x, at.y - y), 0, 2e-4, `place at ${s}`); // h^4/(384 R^3), and where the curvature jumps h^3 / R
    close(Math.atan2(ahead.y, ahead.x), heading, 1e-4, "heading");
    close(left.dot(ahead), 0, 1e-12);
    close(up.z, 1, 1e-12);
  }
  const beyond = course.place(500);
  close(beyond.at.distanceTo(course.place(400).at), 100, 1e-9, "straight on behind the end");
});

test("tilt raises the left rail, and the frame of the track carries all of it", () => {
  const stations = [0, 0, 0, 0, 0, 0, 0.08, 100, 100, 0, 0, 0, 0, 0.08];
  const course = new LineCourse({ ...track({ deviations: false }), stations, at: [10, 20, 30], quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] });
  const { at, ahead, left } = course.place(50);
  assert.deepEqual([at.x, at.y, at.z].map((v) => Math.round(1e9 * v) / 1e9), [10, 70, 30]); // along y of the world
  close(ahead.y, 1, 1e-12);
  close(left.z, 0.08, 1e-12);
});

test("the nearest place of the line, and how far the rails are from theirs", () => {
  const course = new LineCourse(track());
  for (const s of [5, 70, 150.5, 260]) {
    const { at, left } = course.place(s);
    close(course.nearest(at.clone().addScaledVector(left, 3).add(new Vector3(0, 0, 2))), s, 1e-3, "nearest");
  }
  const s = 30.2;
  const wave = (amplitude, length) => amplitude * Math.sin((2 * Math.PI * s) / length);
  const [aside, above] = course.shift(s, 1);
  close(aside, wave(0.003, 25) + wave(0.001, 9) / 2, 5e-5, "left rail aside"); // lines between samples of 0.5 m
  close(above, wave(0.004, 20) + wave(0.002, 7) / 2, 1e-4, "and up");
  assert.deepEqual(course.shift(1000, 1), [0, 0]);
});

test("sleepers lie where they would in the whole line", () => {
  const course = new LineCourse(track());
  const origin = new Vector3();
  const all = sleeperPoses(course, 0, 60, origin, 1);
  const parts = [...sleeperPoses(course, 0, 25, origin, 1), ...sleeperPoses(course, 25, 60, origin, 1)];
  assert.equal(all.length, 100);
  assert.deepEqual(parts.map((pose) => pose.elements), all.map((pose) => pose.elements));
});

test("wheels of an axle, and how they stand and touch by their channels", () => {
  const run = train();
  const axles = axlesOf(run);
  assert.deepEqual(axles.map(({ name, wheels }) => [name, wheels.map(({ side }) => side)])[0], ["axle_1", [1, -1]]);
  assert.equal(axles.length, 4);
  const [left, right] = axles[0].wheels.map((wheel) => new WheelChannels(run, wheel));
  const t = 2;
  close(left.stance(t).y, 0.004 * Math.sin(2), 1e-6, "to the field side");
  close(right.stance(t).y, -0.004 * Math.sin(2), 1e-6);
  close(left.stance(t).roll, -right.stance(t).roll, 1e-9, "roll, in the mirror");
  const [touch] = left.touches(t);
  close(touch.y, 0.004, 1e-6);
  close(touch.z, heightAt(axles[0].wheels[0].rail, 0.004), 1e-9);
  close(touch.across, 3000 * Math.sin(2), 1, "to the left is to the field side of the left wheel");
  close(right.touches(t)[0].across, -3000 * Math.sin(2), 1);
  assert.deepEqual(new WheelChannels(train({ recorded: false }), axles[0].wheels[0]).missing, ["lateral", "lift", "roll"]);
});

test("a rail that changes: the profile of each stretch, and a mix where one passes into the next", () => {
  const [flat, low] = [[[-0.036, 0], [0.036, 0]], [[-0.036, -0.01], [0.036, -0.01]]];
  const changes = [{ begin: 40, over: 2, profile: 1, rail_y: 0.76 }, { begin: 100, over: 4, profile: 0, rail_y: 0.75 }];
  const rails = new RailsAlong({ points: flat, rail_y: 0.75 }, changes, [{ points: flat.flat() }, { points: low.flat() }]);
  const at = (s) => [heightAt(rails.at(s).points, 0.001), rails.at(s).rail_y];
  assert.deepEqual([at(0), at(60), at(120)], [[0, 0.75], [-0.01, 0.76], [0, 0.75]]);
  const [z, y] = at(41); // half of the way
  close(z, -0.005, 1e-12), close(y, 0.755, 1e-12);
  const part = 0.25; // as of varied_contact.cpp
  close(at(101)[0], -0.01 * (1 - part ** 3 * (10 - 15 * part + 6 * part ** 2)), 1e-12);
  assert.deepEqual([rails.isChanging(0, 39), rails.isChanging(30, 41), rails.isChanging(50, 90)], [false, true, false]);
  // In the run of a report: each wheel by its way along the line.
  const run = train();
  run.scene.profiles.push({ name: "low", points: low.flat() });
  for (const force of run.scene.forces) force.rail.changes = [{ begin: 60, over: 2, profile: 2, rail_y: 0.76 }];
  const channels = new WheelChannels(run, axlesOf(run)[0].wheels[0]);
  close(heightAt(channels.rail(1), 0.001), heightAt(axlesOf(run)[0].wheels[0].rail, 0.001), 1e-12); // at 40 m
  close(heightAt(channels.rail(5), 0.001), -0.01, 1e-12); // at 120 m
});

test("a drawn rail has the head of its profile, the right one in the mirror", () => {
  const head = [[-0.036, -0.03], [-0.03, -0.002], [0, 0], [0.03, -0.006], [0.036, -0.03]];
  const [left, right] = [railWithHead(head, 1), railWithHead(head, -1)];
  assert.equal(left.length, right.length);
  const top = (section, y) => Math.max(...section.filter(([x]) => Math.abs(x - y) < 0.004).map(([, z]) => z));
  close(top(left, 0.03), top(right, -0.03), 1e-9);
  assert.ok(top(left, 0.03) < top(left, -0.03)); // lower to the field side
  assert.deepEqual(left[0], left[left.length - 1]);
});

test("a point of a wheel on the track: the tape circle, and what roll does to the flange", () => {
  const at = { y: 0.002, z: radiusOfWheels - 0.001, roll: 0 };
  const pair = { radius: radiusOfWheels };
  close(onTrack([0, 0], pair, at)[1], -0.001, 1e-12, "the tape circle touches below the axle");
  close(onTrack([-0.05, -0.028], pair, at)[1], -0.029, 1e-12, "a flange is lower");
  const [y, z] = onTrack([0.1, 0], pair, { ...at, roll: 0.01 });
  close(y, 0.002 + 0.1 * Math.cos(0.01) + radiusOfWheels * Math.sin(0.01), 1e-12);
  close(z, at.z + 0.1 * Math.sin(0.01) - radiusOfWheels * Math.cos(0.01), 1e-12);
  // The same wheel by the analysis of a wheelset: shift of the axle to the left, its right wheel in the mirror.
  const drawing = { half: 0.75, radius: radiusOfWheels, left_rail_y: 0.752, right_rail_y: 0.752 };
  const stance = { shift: 0.005, roll: 0.002, height: 0.4599 };
  const [l, r] = [stanceOfWheel(1, drawing, stance), stanceOfWheel(-1, drawing, stance)];
  close(l.y, 0.005 + 0.75 * Math.cos(0.002) - 0.752, 1e-12);
  close(r.y, -0.005 + 0.75 * Math.cos(0.002) - 0.752, 1e-12);
  close(l.z - r.z, 2 * 0.75 * Math.sin(0.002), 1e-12, "the left side is up");
});

test("what a run evaluates: curves over the distance, when it was there, limits, bars", () => {
  const run = { ...train(), found: { rail: evaluation() } };
  const [one] = evaluatedOf(run);
  const times = timesAt(run, [20, 120, 5000]);
  close(times[1], 5, 1e-6, "20 m/s from 20 m on");
  assert.ok(Number.isNaN(times[2]));
  const figure = kindFigure(run, one, "yq");
  assert.deepEqual(figure.lines.map(({ name, dash, still }) => [name, dash, still]), [["left", 0, false], ["limit", 1, true], ["lower_limit", 1, true]]);
  assert.deepEqual(figure.events, [120]); // borders of sections, but the first
  assert.equal(kindFigure(run, one, "sum_y").ys[0].label, "kN");
  const bars = barsOf(one);
  assert.deepEqual(bars.map(({ text, limit }) => [text, limit]), [["Y/Q, largest 2 m mean", 0.8], ["sum of Y, 99.85 %", 40000]]);
});

const looksOfWheels = (coaches) => {
  const figure = kindFigure({ channels: [], times: [] }, evaluationOfWheels(coaches), "yq");
  return { figure, looks: figure.lines.map(({ colour, dash }) => `${colour}/${dash}`), legend: legendOf(figure) };
};

test("eight wheels have a colour each, and limits none of these", () => {
  const { looks, legend } = looksOfWheels(1);
  assert.deepEqual(looks, ["0/0", "1/0", "2/0", "3/0", "4/0", "5/0", "6/0", "7/0", "-1/1"]);
  assert.deepEqual(legend.map(({ text }) => text), [...evaluationOfWheels(1).wheels, "limit"]);
});

test("forty wheels of a train: colours tell wheels and dashes coaches, and the legend has a key for each of both", () => {
  const { figure, looks, legend } = looksOfWheels(5);
  assert.equal(new Set(looks).size, 41);
  const look = (name) => looks[figure.lines.findIndex((line) => line.name === name)];
  assert.equal(look("coach[1].rear.rear.right"), "7/0");
  assert.equal(look("coach[4].rear.rear.right"), "7/3");
  const key = (text) => legend.filter((each) => each.text === text).map(({ colour, dash }) => [colour, dash]);
  assert.deepEqual([...key("coach[5]"), ...key("front.rear.right"), ...key("limit")], [[undefined, 4], [3, 0], [-1, 1]]);
  assert.equal(legend.length, 5 + 8 + 1);
  assert.ok(legend[1].names.has("coach[2].front.front.left") && legend[1].names.size === 8);
});

test("more coaches than wheels of each: colours tell coaches; names that are no grid have dashes behind the eighth", () => {
  const looks = (names) => {
    const lines = names.map((name) => ({ name: `yq.${name}`, unit: "-", y: [0, 1] }));
    const one = { name: "rail", numbers: [], curves: { abscissa: "distance", unit: "m", x: [0, 10], lines } };
    return kindFigure({ channels: [], times: [] }, one, "yq").lines.map(({ colour, dash }) => `${colour}/${dash}`);
  };
  const coaches = [1, 2, 3, 4, 5].flatMap((k) => [`coach[${k}].front`, `coach[${k}].rear`]);
  assert.deepEqual(looks(coaches).slice(0, 4), ["0/0", "0/1", "1/0", "1/1"]);
  assert.deepEqual(looks([..."abcdefghij"]).slice(7), ["7/0", "0/1", "1/1"]);
});

test("a curve that is alone of its kind has its whole name, and those named after it stand in its chart", () => {
  const lines = ["path", "path.left_border", "roll"].map((name) => ({ name, unit: "m", y: [0, 1] }));
  const one = { name: "iso3888", numbers: [], curves: { abscissa: "x", unit: "m", x: [0, 10], lines } };
  const names = (kind) => kindFigure({ channels: [], times: [] }, one, kind).lines.map(({ name }) => name);
  assert.deepEqual(names("path"), ["path", "left_border"]);
  assert.deepEqual(names("roll"), ["roll"]);
});
