// Pages of analyses that are no runs: what they compute in node, and what a reader sees and does in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ballShapes, equilibrium, kinematic, linearSystem, locus, modes, response, wheelrail } from "./analyses.mjs";
import { load } from "./bundle.mjs";
import { encoded } from "./fixture.mjs";
import { check as checkIn, close, open } from "./in_browser.mjs";
import { centroidOfRed, project } from "./pixels.mjs";

const page = await load("data", "modes/mode", "modes/period", "plots/library", "plots/ticks", "pages/locus_page", "pages/response_page", "pages/wheelrail_page", "rail/section_picture", "pages/patch_picture");
const decoded = async (...runs) => page.decode(encoded(runs));

/** Where the centre of the ball is at a phase, by hand: it stands at (0.4, 0, 0.8). */
function ballAt(mode, phase, amplitude) {
  const { displacement, rotation } = ballShapes[mode];
  const part = ([re, im]) => amplitude * (re * Math.cos(phase) - im * Math.sin(phase));
  return { centre: [0.4, 0, 0.8].map((x, k) => x + part(displacement[k])), turn: part(rotation[2]) };
}

test("a period of a mode moves bodies by Re(shape e^(i phase)) about their centres of mass", async () => {
  const [run] = await decoded(modes());
  const period = page.asPeriod(run);
  const list = page.modesOf(run);
  assert.equal(list.length, 3);
  const n = period.frames.time.length;
  [0, 1, 2].forEach((index) => {
    page.shake(period, run, list[index], 0.2);
    for (const f of [0, 5, 12, 31, n - 1]) {
      const { centre, turn } = ballAt(index, 2 * Math.PI * period.frames.time[f], 0.2);
      const at = [0, 1, 2].map((c) => period.frames.positions[c * n + f]);
      // The ball's own origin is 0.1 m from its centre of mass, along its x axis, which turns.
      close(at[0], centre[0] - 0.1 * Math.cos(turn), 1e-6, `x of mode ${index}`);
      close(at[1], centre[1] - 0.1 * Math.sin(turn), 1e-6, `y of mode ${index}`);
      close(at[2], centre[2], 1e-6, `z of mode ${index}`);
      const [w, , , z] = [0, 1, 2, 3].map((c) => period.frames.quaternions[c * n + f]);
      close(Math.abs(w), Math.abs(Math.cos(turn / 2)), 1e-6);
      close(z * Math.sign(w), Math.sin(turn / 2) * Math.sign(Math.cos(turn / 2)), 1e-6);
    }
  });
});

// Reference: Re(z e^(i phase)) about where the state stands; a state that the mode does not name stays there.
test("states by which bodies bend move with the mode about where they stand", async () => {
  const [run] = await decoded(modes());
  const samples = run.frames.time.length;
  run.frames.state_names = ["rod.mode_1", "rod.mode_2"];
  run.frames.states = Float32Array.from([...new Array(samples).fill(0.02), ...new Array(samples).fill(-0.01)]);
  const period = page.asPeriod(run);
  const mode = { ...page.modesOf(run)[0], bend: new Map([["rod.mode_1", [0.3, -0.4]]]) };
  page.shake(period, run, mode, 0.1);
  const n = period.frames.time.length;
  for (const f of [0, 7, 20, n - 1]) {
    const phase = 2 * Math.PI * period.frames.time[f];
    close(period.frames.states[f], 0.02 + 0.1 * (0.3 * Math.cos(phase) + 0.4 * Math.sin(phase)), 1e-7);
    close(period.frames.states[n + f], -0.01, 1e-9);
  }
  page.shake(period, run, null, 0.1);
  close(period.frames.states[7], 0.02, 1e-9);
});

// Reference: e^(lambda t), with t by the phase of the mode; the largest of a period is as far as the slider says.
test("with damping a mode decays or grows as its eigenvalue says, and what creeps does not turn", () => {
  const mode = (real, imag, more = {}) => ({ real, imag, oscillates: imag !== 0, rigid: false, ...more });
  for (const phase of [0, 1, 2, 5]) {
    const [size, turned] = page.damped(mode(-3, 12), phase);
    close(size, Math.exp((-3 * phase) / 12), 1e-12);
    close(turned, phase, 1e-12);
    close(page.damped(mode(3, 12), phase)[0], Math.exp((3 * (phase - 2 * Math.PI)) / 12), 1e-12);
    assert.deepEqual(page.damped(mode(-40, 0), phase), [Math.exp(-phase), 0]);
    assert.deepEqual(page.damped(mode(0, 0, { rigid: true }), phase), [1, phase]);
  }
});

test("modes of two results are paired by their shapes, each once", async () => {
  const [a, b] = await decoded(modes(), modes({ stiffer: 3, reversed: true }));
  const [first, second] = [page.modesOf(a), page.modesOf(b)];
  const pairs = page.paired(first, second);
  pairs.forEach((mode, i) => close(mode.frequency, 3 * first[i].frequency));
  close(page.likeness(first[0], first[1]), 0.5, 1e-12, "of a line and the circle through it"); // by the formula
  close(page.likeness(first[0], first[2]), 0, 1e-12);
});

test("the complex plane of a root locus has the branches of both results, and the crossing on the axis", async () => {
  const runs = await decoded(locus(), locus({ shift: 0.5 }));
  const figure = page.planeFigure(new page.Library(runs));
  assert.equal(figure.lines.length, 2);
  assert.deepEqual(figure.lines.map((line) => [line.run, line.name]), [[0, "1: ball"], [1, "1: ball"]]);
  close(figure.lines[0].xs[0], -1);
  close(figure.lines[1].xs[0], -0.5);
  assert.deepEqual([figure.lines[0].shade[0], figure.lines[0].shade[20]], [0, 1]);
  close(figure.marks[0].y, 11);
  assert.equal(figure.marks[0].x, 0);
});

test("gain is drawn on logarithmic axes, phase in degrees, one figure for each unit", async () => {
  const runs = await decoded(response());
  const library = new page.Library(runs);
  const [gain, ...more] = page.responseFigures(library, "gain", ["slow", "fast"], true, [0.01, 10]);
  assert.equal(more.length, 0);
  assert.ok(gain.x.log && gain.ys[0].log);
  const [phase] = page.responseFigures(library, "phase", ["fast"], false, [0.01, 10]);
  assert.equal(phase.ys[0].label, "deg");
  close(phase.lines[0].ys[20], (-180 / Math.PI) * Math.atan(0.2 * Math.PI * 0.1), 1e-4);
});

test("marks of an axis are round in the unit that is written", () => {
  const axis = { log: false, factor: 1000 };
  const marks = page.marksOf(axis, -0.083, 0.083, 5);
  assert.deepEqual(page.labelsOf(axis, marks), ["−50", "0", "50"]);
  close(marks[0], -0.05, 1e-15);
});

const check = (name, body) => checkIn(name, {}, body);
const texts = (tab, selector) => tab.$$eval(selector, (list) => list.map((each) => each.textContent.trim()));
const shown = (tab) => tab.$eval(".tab.on", (each) => each.textContent);

check("a mode that is picked moves the bodies with its shape, as far as the slider says", async (tab) => {
  await open(tab, [modes()]);
  assert.equal(await shown(tab), "Modes");
  await tab.addStyleTag({ content: ".stage > :not(canvas) { visibility: hidden; }" });
  const red = async (phase) => {
    await tab.evaluate((t) => {
      window.skyhook.clock.set(t);
      window.skyhook.scene.draw();
    }, phase);
    return { ...(await centroidOfRed(tab)), camera: await tab.evaluate(() => window.skyhook.scene.camera()) };
  };
  for (const [mode, amplitude] of [[0, 0.08], [1, 0.08], [1, 0.04]]) {
    await tab.evaluate(
      (index, size) => {
        const { app, clock } = window.skyhook;
        document.querySelectorAll("tr.mode")[index].click();
        clock.pause();
        app.modes.setAmplitude(size);
      },
      mode,
      amplitude,
    );
    for (const phase of [0, 0.25, 0.6]) {
      const { x, y, pixels, camera } = await red(phase);
      assert.ok(pixels > 30, `only ${pixels} red pixels`);
      // Between frames (1/48 of a period) the page goes straight: it is off by 0.08 m (1 - cos(pi/48)) at most. The amplitude is about the usual one, for which the camera stands.
      const expected = project(camera, ballAt(mode, 2 * Math.PI * phase, amplitude).centre);
      close(x, expected.x, 3, `x of mode ${mode} at ${phase}`);
      close(y, expected.y, 3, `y of mode ${mode} at ${phase}`);
    }
  }
});

check("a click on a mode plays it without end, and tells what moves, holds and damps it", async (tab) => {
  await open(tab, [modes()], "#modes&mode=3");
  assert.equal(await tab.$eval("tr.mode.on td", (cell) => cell.textContent), "3");
  await tab.click("tr.mode:nth-child(2)");
  const { playing, loop } = await tab.evaluate(() => ({ playing: window.skyhook.clock.playing, loop: window.skyhook.clock.loop }));
  assert.ok(playing && loop);
  assert.deepEqual(await texts(tab, ".mode-share:nth-child(1) bdi"), ["ball", "block"]);
  assert.deepEqual(await texts(tab, ".mode-share:nth-child(2) .n"), ["120 %", "−20 %"]);
  assert.deepEqual(await texts(tab, ".mode-share:nth-child(3) bdi"), ["damper"]);
  assert.match((await texts(tab, ".mode-details dd"))[0], /2: ball, grows/);
  await tab.$eval("input[aria-label=Speed]", (slider) => {
    slider.value = 9;
    slider.dispatchEvent(new Event("input"));
  });
  assert.equal(await tab.evaluate(() => window.skyhook.clock.speed), 10);
  assert.equal(await tab.$eval("select.speed", (select) => select.value), "10");
  assert.match(await tab.$eval("input[aria-label=Speed] + output", (each) => each.textContent), /2\.5 periods\/s, 1\.3 of real time/);
});

check("two results of modes: the ghost and the numbers are those of the mode that is alike", async (tab) => {
  await open(tab, [modes(), modes({ stiffer: 2, reversed: true, label: "stiff" })]);
  const cells = await texts(tab, "tr.mode td:nth-child(2)");
  assert.deepEqual(cells, ["1 (2)", "2 (4)", "3 (6)"]);
});

check("a root locus is drawn, with its crossing told to nine digits", async (tab) => {
  await open(tab, [locus()]);
  assert.equal(await shown(tab), "Root locus");
  const cards = await texts(tab, ".view:not([hidden]) .card h2");
  assert.deepEqual(cards, ["Root locus", "Crossings of the imaginary axis", "Frequency", "Damping"]);
  assert.deepEqual((await texts(tab, ".view:not([hidden]) td")).slice(0, 3), ["1", "1.7507", "ball"]);
  await tab.waitForFunction(() => document.querySelectorAll(".view:not([hidden]) .u-over").length === 3);
});

check("a response has gain, phase and density; one output can be chosen", async (tab) => {
  await open(tab, [response(), response("other")]);
  assert.equal(await shown(tab), "Response");
  assert.deepEqual(await texts(tab, ".view:not([hidden]) .card h2"), ["Random vibration", "Gain", "Phase", "Spectral density"]);
  assert.equal((await texts(tab, ".view:not([hidden]) .chip")).length, 6); // two outputs in three charts
  await tab.select(".output-select", "1");
  assert.deepEqual(await texts(tab, ".view:not([hidden]) .chip"), ["fast", "fast", "fast"]);
});

check("equilibrium, linear system and kinematics have their pages", async (tab) => {
  await open(tab, [equilibrium(), equilibrium(20, "heavier")]);
  assert.equal(await shown(tab), "Equilibrium");
  const body = (await texts(tab, ".view:not([hidden])"))[0];
  assert.match(body, /roller\.angle/);
  assert.match(body, /spring\.force9\.8120N/); // both beside each other
  await open(tab, [linearSystem()]);
  assert.deepEqual(await texts(tab, ".view:not([hidden]) .matrix:first-of-type th"), ["", "x", "v", "", "push", "", "x", "v", "", "push", "", "x"]);
  await open(tab, [kinematic()]);
  assert.equal(await shown(tab), "Kinematics");
  assert.match(await tab.$eval(".time-end", (each) => each.textContent), /\/ 80\.0+ mm/);
});

// Reference: by hand. The wheel shifts to the left, so does its outline, which is to smaller x on the screen; the contact stays on the rail.
test("wheels of wheelrail stand where shift, roll and height put them", () => {
  const { found } = wheelrail();
  const stance = page.stanceAt(found.rows, 0.0025);
  close(stance.shift, 0.0025, 1e-12);
  close(stance.height, 0.46 + 0.0001 * 0.0025, 1e-12);
  assert.equal(page.stanceAt(found.rows, 0.9).nearest, found.rows[12]);
  assert.equal(page.stanceAt(found.rows, -0.9).nearest, found.rows[0]);
  const turned = { shift: 0.001, roll: 0.01, height: 0.5 };
  const [field, z] = page.onTrack([0.02, 0.002], found.drawing, page.stanceOfWheel(-1, found.drawing, turned)); // right: (-0.77, -0.458) turned
  const y = -(field + found.drawing.right_rail_y); // from the rail to the field side, in the mirror
  close(y, 0.001 - 0.77 * Math.cos(0.01) + 0.458 * Math.sin(0.01), 1e-12);
  close(z, 0.5 - 0.77 * Math.sin(0.01) - 0.458 * Math.cos(0.01), 1e-12);
});

test("cells of a contact patch fill the ellipse", () => {
  const patch = { a: 0.006, b: 0.004, across: 40, along: 20, cells: [] };
  let area = 0;
  for (let slice = 0; slice < patch.across; ++slice)
    for (let cell = 0; cell < patch.along; ++cell) {
      const box = page.boxOf(patch, slice, cell);
      area += box.length * box.width;
    }
  close(area, Math.PI * 6 * 4, 0.05, "mm^2");
  const first = page.boxOf(patch, 20, 0);
  assert.ok(first.x > 5.6, "the first cell is at the leading edge");
});

check("the page of wheelrail moves its wheels with the shift", async (tab) => {
  await open(tab, [wheelrail()]);
  assert.equal(await shown(tab), "Wheel and rail");
  const start = () => tab.$eval(".view:not([hidden]) .wr-wheel", (path) => Number(/^M(-?[\d.]+)/.exec(path.getAttribute("d"))[1]));
  const at = async (shift) => {
    await tab.evaluate((t) => window.skyhook.clock.set(t), shift);
    return start();
  };
  const [left, right] = [await at(0.004), await at(-0.002)];
  close(right - left, 6, 0.01, "mm on the screen");
  assert.match(await tab.$eval(".wr-numbers", (each) => each.textContent), /shift−2 mm/);
  assert.equal((await tab.$$(".view:not([hidden]) .wr-picture:not(.wr-patch)")).length, 2);
  const zones = async (shift) => {
    await at(shift);
    return [(await tab.$$(".view:not([hidden]) .wr-slides")).length, (await tab.$$(".view:not([hidden]) .wr-sticks")).length];
  };
  assert.deepEqual(await zones(0.004), [8, 24]);
  assert.match(await tab.$eval(".view:not([hidden])", (each) => each.textContent), /12 mm long, 8 mm wide; 50 % slides; bound of friction 300 MPa/);
  assert.deepEqual(await zones(-0.002), [0, 32]);
  assert.match(await tab.$eval(".view:not([hidden])", (each) => each.textContent), /Equivalent conicity/);
});
