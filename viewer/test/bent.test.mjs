// Bodies that bend, without a browser: where they are, and what colours they have. References: closed forms of the shapes in cantilever.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";
import { bendAt, plate, rod, rodModes, rodShapes, strip } from "./cantilever.mjs";
import { encoded, shape } from "./fixture.mjs";

const s = await load("data", "scene_check", "scene/poses", "scene/extent", "scene/level", "scene/default_shapes", "bent/beam", "bent/bent", "bent/bent_body", "bent/bent_line", "bent/alone", "bent/coordinates", "bent/sections", "bent/shades", "bent/legend", "bent/tube");
const { MeshPhongMaterial, Vector3 } = await import("three");
const near = (a, b, tolerance = 1e-6, what = "") => assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);
const one = async (run) => (await s.decode(encoded([run])))[0];
const material = () => new MeshPhongMaterial({ vertexColors: true });

test("a beam of a body with modes is the cubic through displacements and rotations, and its sections follow", () => {
  const modes = rodModes();
  const sections = s.sectionsOf(modes, rodShapes);
  assert.deepEqual(sections.map(({ shape }) => shape), [0, 0, 0, 0]);
  assert.deepEqual(s.rigidShapes(modes, rodShapes), [rodShapes[1]]);
  const { width, isRound } = sections[1].section;
  assert.deepEqual([width, isRound], [0.05, true]);
  const beam = s.createBeam(modes, 1, { width, height: width, isRound, up: new Vector3(0, 0, 1) }); // from x = 0.25 to 0.5
  const z = 0.1;
  beam.place(Float64Array.from([z, 0]), 1);
  beam.rings.forEach(({ centre, z: up, y }, i) => {
    const x = 0.25 + (0.25 * i) / 4;
    near(centre.x, x, 1e-12);
    near(centre.z, z * x * x, 1e-12, "x^2 is a cubic");
    const slope = 2 * x * z; // the section turns by this angle about -y
    near(up.x, -Math.sin(slope), 1e-12);
    near(up.z, Math.cos(slope), 1e-12);
    near(y.y, 1, 1e-12);
    near(beam.displacement(i, 0, 0), z * x * x, 1e-12);
  });
  beam.place(Float64Array.from([z, 0]), 10);
  near(beam.rings[4].centre.z, 10 * z * 0.25, 1e-12, "ten times as far");
  near(beam.displacement(4, 0, 0), z * 0.25, 1e-12, "colours tell what is, not what is shown");
  beam.place(Float64Array.from([0, 0.2]), 1);
  near(beam.displacement(2, 0.025, 0), 0.2 * 0.375 * 0.025, 1e-12, "twist moves the surface");
  near(beam.displacement(2, 0, 0), 0, 1e-12);
});

test("a box along a line is its section, whichever of its edges lies along it", () => {
  const modes = rodModes();
  const upright = [0.5, 0.5, 0.5, 0.5]; // turns x to y, y to z, z to x
  const box = shape("box", { at: [0.5, 0, 0], quaternion: upright, size: [0.04, 0.06, 1] });
  const [{ section }] = s.sectionsOf(modes, [box]);
  assert.deepEqual([section.width, section.height, section.isRound], [0.04, 0.06, false]);
  near(section.up.z, 1, 1e-12, "the edge of 0.06");
  assert.equal(s.sectionsOf(modes, [{ ...box, at: [0.5, 0.01, 0] }])[0].shape, -1, "beside the line");
  assert.equal(s.sectionsOf(modes, [{ ...box, size: [0.04, 0.06, 0.5] }])[0].shape, -1, "too short");
});

test("points of a body that bends go with it, as far as they are shown to", async () => {
  const run = await one(rod());
  const poses = s.createPoses(run);
  const out = new Vector3();
  poses.set(0.5);
  assert.ok(poses.point(0, [1, 0, 0], out));
  near(out.z, 0.5 + bendAt(0.5), 1e-6);
  poses.factor = 3;
  poses.point(0, [1, 0, 0], out);
  near(out.z, 0.5 + 3 * bendAt(0.5), 1e-6);
  poses.point(0, [0.9, 0, 0], out); // none of its points: rigid
  near(out.z, 0.5, 1e-6);
  poses.set(0.305); // between frames
  poses.factor = 1;
  poses.point(0, [1, 0, 0], out);
  near(out.z, 0.5 + bendAt(0.305), 2e-5); // (pi 0.01)^2 / 8 of 0.1 m
  near(s.largestDisplacement(run, run.scene.bodies[0].modes), 0.1, 1e-6);
});

test("the skin of a solid moves with its points, and its normals with the skin", async () => {
  const run = await one(plate());
  const poses = s.createPoses(run);
  const bent = s.createBent(run, poses, s.createPoses(run), material);
  poses.set(1);
  bent.update();
  const { position, normal } = bent.group.children[0].geometry.attributes;
  assert.equal(position.count, 6);
  for (let i = 0; i < 6; ++i) {
    near(position.getZ(i), position.getX(i) > 0.2 ? 0.1 : 0, 1e-6);
    near(normal.getX(i) / normal.getZ(i), -0.25, 1e-5); // a slope of 0.1 over 0.4
  }
  assert.deepEqual(bent.shades.map(({ quantity, high }) => [quantity, Math.round(1e6 * high)]), [["displacement", 100000]]);
});

// The strain of a fibre at z of a section bent to curvature k is -k z, that of a stretched line its stretch.
for (const directors of [false, true])
  test(`fibres of a bent line have the strain of their place, ${directors ? "with" : "without"} directors`, async () => {
    const run = await one(strip({ curvature: 2, stretch: 0.01, directors }));
    const shape = s.createLineShape(run, run.scene.bent_lines[0]);
    const poses = s.createPoses(run);
    poses.set(1);
    shape.set(poses, poses.now);
    for (const ring of [0, 1, 20, 39, 40]) {
      near(shape.strain(ring, 0, 0), 0.01, 1e-6, "of the axis");
      // Differences over 2 x 25 mm: (2 x 0.025)^2 / 6 of the bending, at the ends a second term (k h / 2)^2 of z k
      near(shape.strain(ring, 0, 0.01), 0.01 - 0.02, 2e-5, `inside at ${ring}`);
      near(shape.strain(ring, 0, -0.01), 0.01 + 0.02, 2e-5, `outside at ${ring}`);
      near(shape.strain(ring, 0.05, 0), 0.01, 2e-6, "beside");
    }
    const line = { ...run.scene.bent_lines[0], axes: [0, -1, 0, 1, 0, 0, 0, 0, 1], origin: [5, 6, 7] }; // a quarter turn about z
    const turned = s.createLineShape(run, line);
    turned.set(poses, poses.now);
    const [{ x, y, z }, there] = [shape.rings[40].centre, turned.rings[40].centre];
    [5 - y, 6 + x, 7 + z].forEach((value, c) => near(there.getComponent(c), value, 1e-9));
    near(turned.strain(20, 0, 0.01), shape.strain(20, 0, 0.01), 1e-9, "turned");
    const angle = 2;
    near(shape.rings[40].centre.x, (1.01 * Math.sin(angle)) / 2, 1e-6);
    near(shape.rings[40].centre.z, (1.01 * (1 - Math.cos(angle))) / 2, 1e-6);
    const bent = s.createBent(run, poses, s.createPoses(run), material);
    near(bent.shades[0].high, 0.03, 1e-4);
    near(bent.shades[0].low, -0.03, 1e-4);
  });

test("nodes that the ground or a body carries: constant vectors, points and directions", async () => {
  const run = await one(rod({
    scene: { bent_lines: [{
      name: "cable", body: -1, states: ["rod.mode_1"], up: [0, 0, 1], section: [0.02, 0.02, 1],
      vectors: [[-1, -1, -1, 0, 0, 0], [-1, -1, -1, 1, 0, 0, 0, 0], [-1, -1, -1, 1, 0, 0, 0, 1], [-1, 0, -1, 1, 0, 0]],
      stations: [{ s: 0, position: [0, 1], slope: [2, 1] }, { s: 1, position: [1, 0.5, 3, 0.5], slope: [2, 1] }],
    }] },
  }));
  const shape = s.createLineShape(run, run.scene.bent_lines[0]);
  const poses = s.createPoses(run);
  poses.set(0.5);
  shape.set(poses, poses.now);
  assert.deepEqual(shape.rings[0].centre.toArray(), [0, 0, 0]);
  // half of (1, 0, 0) in the rod's frame, which stands at 0.5 m, and half of (1, state, 0)
  [1, bendAt(0.5) / 2, 0.25].forEach((x, c) => near(shape.rings[1].centre.getComponent(c), x, 1e-6));
  assert.deepEqual(shape.slopes[0].toArray(), [1, 0, 0]);
});

test("colours of a scale: its ends, its middle, and beyond", () => {
  const out = new Float32Array(3);
  const hex = (shade, value) => {
    s.paint(shade, value, out, 0);
    return [...out].map((c) => Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)));
  };
  const shade = { quantity: "displacement", low: 0, high: 2 };
  assert.deepEqual(hex(shade, 0), [0x44, 0x01, 0x54]);
  assert.deepEqual(hex(shade, 2), [0xfd, 0xe7, 0x25]);
  assert.deepEqual(hex(shade, 9), [0xfd, 0xe7, 0x25]);
  assert.deepEqual(hex({ quantity: "strain", low: -1, high: 1 }, 0), [0xdd, 0xdd, 0xdd]);
  assert.deepEqual(hex({ quantity: "strain", low: 0, high: 0 }, 0), [0xdd, 0xdd, 0xdd]);
  const joined = s.joined([{ quantity: "strain", low: -0.1, high: 0.3 }, { quantity: "displacement", low: 0, high: 1 }, shade]);
  assert.deepEqual(joined, [{ quantity: "displacement", low: 0, high: 2 }, { quantity: "strain", low: -0.3, high: 0.3 }]);
  assert.deepEqual(s.shadeUnit(shade), { unit: "m", factor: 1 });
  assert.equal(s.shadeUnit({ ...shade, high: 2e-5 }).unit, "µm");
});

test("a mode of a body alone: one period, the largest displacement a share of its size", async () => {
  const run = await one(rod());
  const { modes } = run.scene.bodies[0];
  const period = s.alone(run, run.scene.bodies[0]);
  s.shakeAlone(period, modes, 0, 0.2);
  const n = period.frames.time.length;
  near(period.frames.states[12], 0.2, 1e-6, "a quarter of 48 steps; the shape reaches 1 m per unit, the rod is 1 m long");
  near(period.frames.states[36], -0.2, 1e-6);
  assert.equal(period.frames.states[n], 0);
  const ranges = s.rangesOf(run, modes);
  near(ranges[0].max, 0.1, 1e-6);
  near(ranges[0].min, 0, 1e-6);
});

test("a body that a line draws has no default look beside it", () => {
  const { scene } = rod({ scene: { bent_lines: [{ ...strip().scene.bent_lines[0], body: 0 }] } });
  delete scene.bodies[0].modes;
  scene.bodies[0].shapes = [];
  assert.deepEqual(s.shapesOfBodies(scene, { model: 1, detail: 1 })[0], []);
  assert.notDeepEqual(s.shapesOfBodies({ ...scene, bent_lines: [] }, { model: 1, detail: 1 })[0], []);
});

test("the scene is as large as what bends in it, and one that leads nowhere is told", async () => {
  const run = await one(strip());
  const poses = s.createPoses(run);
  const level = s.levelOf([0, 0, -9.81]);
  const box = s.boundsOfRun(run, poses, s.knownBalls(run, poses), level);
  near(box.max.x, 1 + 0.05, 0.01);
  near(box.max.z, 1 - Math.cos(1) + 0.05, 0.02);
  const broken = (change) => {
    const { scene } = rod();
    change(scene.bodies[0].modes);
    return s.problemOf(scene);
  };
  assert.equal(broken(() => {}), "");
  assert.match(broken((modes) => (modes.lines[0] = [0, 9])), /entry 1 of bodies/);
  assert.match(broken((modes) => modes.shifts.pop()), /entry 1 of bodies/);
  const scene = strip().scene;
  scene.bent_lines[0].stations[3].slope = [999, 1];
  assert.match(s.problemOf(scene), /entry 1 of bent_lines/);
});
