// Formulas, units, spectra and weightings, without a browser: against exact solutions, closed formulas and the standards' tables.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";
import { channel, run, times } from "./fixture.mjs";

const s = await load(
  "units", "speed_note", "formula/parse", "formula/dimension", "formula/evaluate", "formula/calculus", "signal/fft", "signal/spectrum",
  "signal/weighting", "curve", "plots/library", "plots/figure", "plots/views", "plots/csv", "plots/page_text", "plots/handling", "plots/ellipse", "plots/palette", "pages/sweep_page", "search",
);
const near = (a, b, tolerance = 1e-9, what = "") => assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);
const turn = 2 * Math.PI;

const time = times(201, 2);
function drive(more = {}) {
  const values = (f) => Array.from(time, f);
  return run({
    info: { abscissa: "time", abscissa_unit: "s" },
    times: [time],
    channels: [
      channel("front_left.tyre.fz", "N", time, values((t) => 3000 + 500 * t)),
      channel("front_right.tyre.fz", "N", time, values((t) => 3000 - 500 * t)),
      channel("chassis.vx", "m/s", time, values((t) => 10 + t)),
      channel("chassis.yaw_rate", "rad/s", time, values((t) => 0.1 * t)),
      channel("steer.angle", "rad", time, values((t) => 0.02 * t)),
      channel("tyre[1].fy", "N", time, values((t) => 100 * t)),
      channel("a", "m/s^2", time, values((t) => t * t)),
      channel("ratio", "-", time, values(() => 0.5)),
    ],
    ...more,
  });
}

function value(text, t, runs = [drive()]) {
  const library = new s.Library(runs);
  const name = library.define(text);
  const { time: at, values } = library.samples(0, name);
  return { value: values[at.findIndex((each) => Math.abs(each - t) < 1e-9)], unit: library.unit(name), name };
}

test("formulas have the values and units of calculus", () => {
  const cases = [
    ["front_left.tyre.fz - front_right.tyre.fz", 1, 1000, "N"],
    ["0.5*(front_left.tyre.fz + front_right.tyre.fz)", 1.5, 3000, "N"],
    ["abs(front_right.tyre.fz - front_left.tyre.fz)", 1, 1000, "N"],
    ["-tyre[1].fy^2 / 2", 1, -5000, "kg^2.m^2/s^4"],
    ["diff(chassis.vx)", 1, 1, "m/s^2"],
    ["diff(a)", 2, 4, "m/s^3"], // a parabola, and its end
    ["int(chassis.vx)", 2, 22, "m"],
    ["integral(chassis.vx)", 2, 22, "m"],
    ["chassis.vx*chassis.yaw_rate", 2, 2.4, "m/s^2"],
    ["2*steer.angle", 1, 0.04, "rad"],
    ["diff(steer.angle)", 1, 0.02, "rad/s"],
    ["int(chassis.yaw_rate)", 2, 0.2, "rad"],
    ["chassis.vx/20[km/h]", 0, 1.8, ""],
    ["front_left.tyre.fz - 2[kN]", 0, 1000, "N"],
    ["sqrt(chassis.vx^2)", 0, 10, "m/s"],
    ["max(chassis.vx, 11[m/s])", 0, 11, "m/s"],
    ["sin(pi*ratio)", 1, 1, ""],
    ["chassis.vx - mean(chassis.vx)", 1, 0, "m/s"],
    ["t*chassis.vx", 2, 24, "m"],
    ["rms(ratio)", 1, 0.5, ""],
    ["max(chassis.vx) - min(chassis.vx)", 1, 2, "m/s"],
    ["running_rms(ratio, 0.5 s)", 1, 0.5, ""],
    ["percentile(chassis.vx, 75)", 1, 11.5, "m/s"],
    ["butterworth(ratio, 2, low, 10 Hz)", 1, 0.5, ""], // an offset passes a low pass and no high pass
    ["butterworth(ratio, 4, high, 1[Hz])", 1, 0, ""],
    ["2^3^2*ratio", 0, 256, ""], // to the right
    ["-2^2*ratio", 0, -2, ""],
    ["`tyre[1].fy`*2", 1, 200, "N"],
  ];
  for (const [text, t, wanted, unit] of cases) {
    const got = value(text, t);
    near(got.value, wanted, 1e-4 * Math.max(1, Math.abs(wanted)), text);
    assert.equal(got.unit, unit, text);
  }
  assert.equal(value("load = front_left.tyre.fz + front_right.tyre.fz", 1).name, "load");
});

test("a formula of formulas, and of runs that lack a channel", () => {
  const without = drive();
  without.channels = without.channels.filter(({ name }) => name !== "front_right.tyre.fz");
  const library = new s.Library([drive(), without]);
  library.define("difference = front_left.tyre.fz - front_right.tyre.fz");
  library.define("half = difference/2");
  near(library.samples(0, "half").values[100], 500, 1e-3);
  assert.equal(library.samples(1, "half"), null);
  assert.deepEqual(library.typed(), ["difference = front_left.tyre.fz - front_right.tyre.fz", "half = difference/2"]);
});

test("wrong formulas say what is wrong", () => {
  const fails = (text, pattern) => assert.throws(() => value(text, 0), (error) => error instanceof s.FormulaError && pattern.test(error.message), text);
  fails("front_left.tire.fz", /There is no channel "front_left\.tire\.fz"\. Did you mean front_left\.tyre\.fz/);
  fails("fz", /Did you mean front_left\.tyre\.fz or front_right\.tyre\.fz/);
  fails("chassis.vx + tyre[1].fy", /\+ do not have the same unit: m\/s and N/);
  fails("chassis.vx + 3", /same unit.*3\[m\/s\]/);
  fails("sin(chassis.vx)", /takes a number or an angle, not m\/s/);
  fails("wobble(a)", /There is no function "wobble"/);
  fails("abs(a, a)", /takes 1 argument, not 2/);
  fails("(a", /"\)" is missing/);
  fails("a +", /ends too early/);
  fails("a ? a", /"\?" at place 3/);
  fails("3*4", /names no channel/);
  fails("a = ratio", /There is a channel "a" already/);
  fails("x = x", /There is no channel "x"/);
  fails("butterworth(a, 2, ratio, 3 Hz)", /third argument of butterworth\(\) is low, high or band/);
  fails("butterworth(a, 3, low, 3 Hz)", /even number/);
  fails("butterworth(a, 2, low, 3)", /A frequency is a number in Hz/);
  fails("butterworth(a, 2, low, 3 Hz, zero_phase)", /the program has zero_phase too/);
  fails("butterworth(a, 2, band, 3 Hz)", /takes two frequencies/);
  fails("percentile(a, 120)", /from 0 to 100/);
  fails("2[furlong]*a", /"furlong" is no unit/);
});

test("curves of other times meet on all of both, with the jumps of each", () => {
  const first = { time: Float64Array.of(0, 1, 1, 2), values: Float32Array.of(0, 1, 5, 6) };
  const second = { time: Float64Array.of(0, 0.5, 2), values: Float32Array.of(0, 1, 4) };
  const all = s.commonTime([first, second]);
  assert.deepEqual([...all], [0, 0.5, 1, 1, 2]);
  assert.deepEqual([...s.onTime(first, all)], [0, 0.5, 1, 5, 6]);
  assert.deepEqual([...s.onTime(second, all)], [0, 1, 2, 2, 4]);
  assert.equal(s.commonTime([first, { ...first }]), first.time);
});

test("derivatives end at jumps and gaps and are exact for parabolas on uneven times", () => {
  const uneven = [0, 0.1, 0.35, 0.5, 0.5, 1.2, 1.3, 2];
  const values = uneven.map((t, i) => (i < 4 ? 3 * t * t - t : 7 - t * t));
  const slopes = s.derivative(uneven, values);
  uneven.forEach((t, i) => near(slopes[i], i < 4 ? 6 * t - 1 : -2 * t, 1e-12));
  const gap = s.derivative([0, 1, 2, 3, 4, 5], [0, 1, NaN, 3, 5, 7]);
  assert.deepEqual([...gap], [1, 1, NaN, 2, 2, 2]);
  const area = s.integral(uneven, uneven.map((t) => 2 * t));
  uneven.forEach((t, i) => near(area[i], t * t, 1e-12));
});

test("the running rms of a sine over whole periods is its amplitude over the root of two", () => {
  const at = Array.from({ length: 4001 }, (_, i) => i / 1000);
  const values = at.map((t) => 3 * Math.sin(turn * 5 * t));
  const rms = s.runningRms(at, values, 1);
  for (const i of [1000, 2345, 4000]) near(rms[i], 3 / Math.SQRT2, 3e-4);
  near(rms[0], 0, 1e-12);
  const constant = s.runningRms([0, 0.3, 1, 2.5], [2, 2, 2, 2], 0.5);
  constant.forEach((each) => near(each, 2, 1e-12));
});

test("cubics between samples take a sine's error from the second order to the fourth", () => {
  const error = (n) => {
    const at = Float64Array.from({ length: n + 1 }, (_, i) => i / n);
    const fine = s.refined(at, at.map((t) => Math.sin(turn * t)), 8);
    const inner = (i) => i > n / 4 * 8 && i < 3 * n / 4 * 8; // ends have slopes of second order on one side
    return Math.max(...Array.from(fine.time, (t, i) => (inner(i) ? Math.abs(fine.values[i] - Math.sin(turn * t)) : 0)));
  };
  const order = Math.log2(error(64) / error(128));
  assert.ok(order > 2.9, `order ${order}`); // slopes by differences have an error of the second order in h, times h
  const jump = s.refined([0, 1, 1, 2], [0, 0, 1, 1], 2);
  assert.deepEqual([...jump.values], [0, 0, 0, 0.5, 1, 1, 1]);
  assert.deepEqual([...s.atSamples(jump.values, 2)], [0, 0, 1, 1]);
});

test("units: each kind has its own choice, angles lead rates, and a panel's own units win", () => {
  const units = new s.Units();
  assert.deepEqual(units.shown("m"), { unit: "m", factor: 1 });
  units.choose("mm", "kN", "km/h", "g", "deg");
  assert.deepEqual(units.shown("m"), { unit: "mm", factor: 1000 });
  assert.equal(units.shown("N").unit, "kN");
  near(units.shown("m/s").factor, 3.6);
  near(9.80665 * units.shown("m/s^2").factor, 1, 1e-12);
  near(units.shown("m/s²").factor, 1 / 9.80665, 1e-12);
  near(Math.PI * units.shown("rad/s").factor, 180, 1e-9);
  assert.equal(units.shown("rad/s^2").unit, "deg/s^2");
  assert.deepEqual(units.shown("-"), { unit: "", factor: 1 });
  assert.deepEqual(units.shown("kg"), { unit: "kg", factor: 1 });
  units.choose("rpm");
  assert.equal(units.shown("rad/s").unit, "rpm");
  near(units.shown("rad/s").factor * turn, 60, 1e-9);
  assert.equal(units.shown("rad").unit, "deg");
  assert.equal(units.shown("m", ["m"]).unit, "m");
  assert.equal(units.shown("rad/s^2", ["rad"]).unit, "rad/s^2");
  units.choose("m");
  assert.equal(units.shown("m").factor, 1);
  assert.deepEqual(units.kindsAmong(["N", "m", "kg"]).map(({ name }) => name), ["length", "force"]);
});

test("figures, tables and statistics follow the units of the page and say them", () => {
  const library = new s.Library([drive()]);
  s.units.choose("kN");
  try {
    const choice = { curves: ["front_left.tyre.fz"], x: null, stats: false };
    const figure = s.figureOf(library, choice, [0, 2]);
    assert.equal(figure.ys[0].label, "kN");
    near(figure.lines[0].ys[200], 4, 1e-6);
    assert.match(s.csv(figure, ["one"]), /^time \[s\],front_left\.tyre\.fz \[kN\]\r\n0,3\r\n/);
    const all = library.statistics(0, "front_left.tyre.fz", [], null);
    near(all.max, 4, 1e-6);
    near(all.mean, 3.5, 1e-6);
    near(library.statistics(0, "front_left.tyre.fz", ["N"], [0, 1]).max, 3500, 1e-3);
    assert.equal(s.figureOf(library, { ...choice, view: "psd" }, [0, 2]).ys[0].label, "kN^2/Hz");
    assert.equal(s.figureOf(library, { ...choice, units: ["N"] }, [0, 2]).ys[0].label, "N");
  } finally {
    s.units.reset();
  }
  assert.equal(s.speedText(10), "36.0 km/h");
});

test("the transform of any length is the sum that defines it, and inverse lengths keep Parseval's sum", () => {
  for (const n of [8, 12, 15, 17, 64]) {
    const values = Array.from({ length: n }, (_, i) => Math.sin(1 + 3 * i) + 0.1 * i);
    const { re, im } = s.fft(values);
    for (let k = 0; k < n; ++k) {
      near(re[k], values.reduce((sum, x, i) => sum + x * Math.cos((turn * k * i) / n), 0), 1e-9, `re ${k} of ${n}`);
      near(im[k], -values.reduce((sum, x, i) => sum + x * Math.sin((turn * k * i) / n), 0), 1e-9, `im ${k} of ${n}`);
    }
  }
});

const even = (n, rate, f) => ({ step: 1 / rate, values: Float64Array.from({ length: n }, (_, i) => f(i / rate)) });

test("the amplitude spectrum of a sine at a line is its amplitude, that of an offset nothing", () => {
  const { frequency, values } = s.amplitude(even(1000, 200, (t) => 5 + 3 * Math.sin(turn * 20 * t) + 0.5 * Math.cos(turn * 44 * t)));
  const at = (f) => values[frequency.findIndex((each) => Math.abs(each - f) < 1e-9)];
  near(at(20), 3, 1e-9);
  near(at(44), 0.5, 1e-9);
  near(at(0), 0, 1e-9);
  near(at(60), 0, 1e-9);
});

test("the area of a density is the variance, and white noise is flat at variance over bandwidth", () => {
  const area = ({ frequency, values }) => values.reduce((sum, x) => sum + x * (frequency[1] - frequency[0]), 0);
  near(area(s.density(even(4096, 100, (t) => 2 + 3 * Math.sin(turn * 12.5 * t)), 256)), 4.5, 1e-9);
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647; // Park and Miller
  const noise = even(1 << 16, 100, () => Math.sqrt(12) * (random() - 0.5));
  const { frequency, values } = s.density(noise, 256);
  near(area({ frequency, values }), 1, 0.02);
  for (let band = 0; band < 4; ++band) {
    const part = values.slice(2 + band * 31, 2 + (band + 1) * 31);
    near(part.reduce((sum, x) => sum + x, 0) / part.length, 1 / 50, 0.0012); // 511 segments, 31 lines: 1 %, five times that
  }
  assert.equal(s.segmentLength(4096), 512);
  assert.equal(s.segmentLength(10), 8);
});

test("weightings have the tabulated factors of ISO 2631-1 to a unit of their third digit", () => {
  const wk = { 0.5: 0.418, 1: 0.482, 2: 0.531, 4: 0.967, 8: 1.036, 16: 0.768, 31.5: 0.405 };
  const wd = { 0.5: 0.853, 1: 1.011, 2: 0.89, 4: 0.512, 8: 0.253, 16: 0.125 };
  for (const [f, factor] of Object.entries(wk)) near(s.gainOf(s.weightings.wk, Number(f)), factor, 0.001, `Wk at ${f} Hz`);
  for (const [f, factor] of Object.entries(wd)) near(s.gainOf(s.weightings.wd, Number(f)), factor, 0.001, `Wd at ${f} Hz`);
});

test("other weightings have the sizes of ISO 2631-1, annex A", () => {
  // Band limit, transition and upward step by their squared sizes, as the standard writes them.
  const size = (f, { f1, f2, f3, f4, q4, f5, q5, f6, q6 }) => {
    const part = (f0, q) => f ** 4 * q * q + f * f * f0 * f0 * (1 - 2 * q * q) + f0 ** 4 * q * q;
    let square = (f ** 4 / (f ** 4 + f1 ** 4)) * (f2 ** 4 / (f ** 4 + f2 ** 4));
    if (f4) square *= ((f3 ? (f * f + f3 * f3) / (f3 * f3) : 1) * f4 ** 4 * q4 * q4) / part(f4, q4);
    if (f5) square *= ((q6 / q5) ** 2 * part(f5, q5)) / part(f6, q6);
    return Math.sqrt(square);
  };
  const constants = {
    we: { f1: 0.4, f2: 100, f3: 1, f4: 1, q4: 0.63 },
    wj: { f1: 0.4, f2: 100, f5: 3.75, q5: 0.91, f6: 5.32, q6: 0.91 },
    wf: { f1: 0.08, f2: 0.63, f4: 0.25, q4: 0.86, f5: 0.0625, q5: 0.8, f6: 0.1, q6: 0.8 },
  };
  for (const [name, each] of Object.entries(constants))
    for (const f of [0.1, 0.25, 0.5, 1, 4, 16]) near(s.gainOf(s.weightings[name], f), size(f, each), 1e-12, `${name} at ${f} Hz`);
});

test("Butterworth filters are flat, 3 dB down at their frequency, and fall by their order", () => {
  for (const order of [2, 4, 8]) {
    for (const [pass, sign] of [["low", 1], ["high", -1]]) {
      const filter = s.butterworth(order, pass, 5);
      for (const f of [0.5, 2, 5, 9, 40]) near(s.gainOf(filter, f), 1 / Math.sqrt(1 + (f / 5) ** (2 * order * sign)), 1e-12, `${pass} ${order} at ${f}`);
    }
  }
  near(s.gainOf(s.butterworth(4, "band", 1, 10), 3), 1 / Math.sqrt((1 + (1 / 3) ** 8) * (1 + 0.3 ** 8)), 1e-12);
});

test("percentiles of the line through the samples", () => {
  const saw = { time: Float64Array.from([0, 1, 1, 3, 4]), values: Float64Array.from([0, 4, 10, 10, NaN]) }; // one second up to 4, two at 10
  near(s.percentile(saw, 25), 3, 1e-9);
  near(s.percentile(saw, 100 / 6), 2, 1e-9);
  near(s.percentile(saw, 90), 10, 1e-9);
});

test("a sine through a weighting comes out with the factor of its frequency, on uneven samples too", () => {
  for (const [name, f] of [["wk", 4], ["wd", 1], ["wc", 8], ["wb", 6]]) {
    let t = 0;
    const at = Array.from({ length: 12001 }, (_, i) => (t += i % 3 === 0 ? 0.0005 : 0.00125));
    const out = s.weighted(s.weightings[name], at, at.map((each) => 2 * Math.sin(turn * f * each)));
    const tail = at.findIndex((each) => each > 8);
    let largest = 0;
    for (let i = tail; i < at.length; ++i) largest = Math.max(largest, Math.abs(out[i]));
    near(largest / (2 * s.gainOf(s.weightings[name], f)), 1, 2e-3, name); // lines between samples: (pi f h)^2/3
  }
  const still = s.weighted(s.weightings.wk, [0, 1, 2], [9.81, 9.81, 9.81]);
  still.forEach((each) => near(each, 0, 1e-9)); // an offset makes no transient
});

test("a step through two sections is the exact solution, however long the steps", () => {
  // High pass of order 2 at 0.4 Hz alone: e^-x (cos x - sin x), x = w t/sqrt(2).
  const [highPass] = s.weightings.wk;
  const at = [0, 0.5, 0.5, 0.6, 0.9, 1.7, 2.1];
  const out = s.weighted([highPass], at, at.map((_, i) => (i < 2 ? 0 : 1)));
  at.forEach((t, i) => {
    const x = (turn * 0.4 * (t - 0.5)) / Math.SQRT2;
    near(out[i], i < 2 ? 0 : Math.exp(-x) * (Math.cos(x) - Math.sin(x)), 1e-12);
  });
});

test("weighted values of a sine: rms, largest running rms and dose", () => {
  const at = Float64Array.from({ length: 20001 }, (_, i) => i / 1000);
  const samples = { time: at, values: at.map((t) => Math.sin(turn * 8 * t)) };
  const found = s.weightedValues("rms", samples, [0, 20]);
  near(found.rms, Math.SQRT1_2, 2e-5); // lines of a quarter of the step: (w h/4)^2/12
  near(found.largest, Math.SQRT1_2, 1e-2);
  near(found.dose, (20 * 3 / 8) ** 0.25, 1e-3);
  const wk = s.weightedValues("wk", samples, [10, 20]);
  near(wk.rms, 1.036 * Math.SQRT1_2, 1e-3);
  assert.equal(s.weightedValues("curves", samples, [0, 20]), null);
});

test("pages of a model file and back", () => {
  const library = new s.Library([drive()]);
  const page = {
    name: "loads",
    panels: [
      { title: "Left and right", curves: ["front_left.tyre.fz", "=front_left.tyre.fz - front_right.tyre.fz"], units: ["kN"] },
      { curves: ["mean_load = 0.5*(front_left.tyre.fz + front_right.tyre.fz)"], x: "chassis.vx", view: "psd" },
      { curves: ["missing.x"] },
    ],
  };
  const { panels, problems } = s.panelsOf(page, library);
  assert.deepEqual(panels[0].curves, ["front_left.tyre.fz", "front_left.tyre.fz - front_right.tyre.fz"]);
  assert.deepEqual(panels[1].curves, ["mean_load"]);
  assert.equal(panels[1].x, "chassis.vx");
  assert.equal(problems.length, 1);
  assert.match(problems[0], /missing\.x: There is no channel/);
  const text = s.pageText("loads", panels, (name) => library.formula(name));
  assert.equal(
    text,
    [
      "plots:",
      "  loads:",
      '    - title: "Left and right"',
      '      curves: [front_left.tyre.fz, "=front_left.tyre.fz - front_right.tyre.fz"]',
      "      units: [kN]",
      '    - curves: ["mean_load = 0.5*(front_left.tyre.fz + front_right.tyre.fz)"]',
      "      x: chassis.vx",
      "      view: psd",
      "",
    ].join("\n"),
  );
});

test("the handling diagram guesses its channels and computes understeer", () => {
  const library = new s.Library([drive()]);
  const found = s.guess(library.names);
  assert.deepEqual([found.steering, found.acceleration, found.speed, found.yawRate], ["steer.angle", "", "chassis.vx", "chassis.yaw_rate"]);
  const choice = s.handlingChoice(library, { ...found, wheelbase: 2.5, ratio: 2 });
  const at = (name) => library.samples(0, name).values[100]; // 1 s: v = 11, yaw rate 0.1, steering 0.02
  near(at(choice.x), 1.1, 1e-6);
  near(at(choice.curves[0]), 0.02 / 2 - (2.5 * 0.1) / 11, 1e-7);
  assert.equal(library.unit(choice.x), "m/s^2");
});

test("the x axis has the units of its panel, but not those of a curve of the same quantity unless the scale is the same", () => {
  const library = new s.Library([drive()]);
  const labelOf = (choice) => s.figureOf(library, { stats: false, ...choice }, [0, 2]).x;
  const units = ["kN", "km/h"];
  assert.equal(labelOf({ curves: ["front_left.tyre.fz"], x: "chassis.vx", units }).label, "chassis.vx [km/h]");
  assert.equal(labelOf({ curves: ["front_left.tyre.fz"], x: "front_right.tyre.fz", units }).label, "front_right.tyre.fz [N]");
  assert.ok(labelOf({ curves: ["front_left.tyre.fz"], x: "front_right.tyre.fz", units }).max > 1000);
  const equal = labelOf({ curves: ["front_left.tyre.fz"], x: "front_right.tyre.fz", units, equal: true });
  assert.equal(equal.label, "front_right.tyre.fz [kN]");
  assert.ok(equal.max < 10);
});

test("many runs: colours tell runs and dashes curves, and a run that is off is not drawn", () => {
  const library = new s.Library([drive(), drive(), drive()]);
  const choice = { curves: ["chassis.vx", "a"], x: null, stats: false };
  const looks = () => s.figureOf(library, choice, [0, 2]).lines.map(({ run: r, colour, dash }) => [r, colour, dash]);
  assert.deepEqual(looks(), [[0, 0, 0], [1, 1, 0], [2, 2, 0], [0, 0, 1], [1, 1, 1], [2, 2, 1]]);
  library.shown[1] = false;
  library.colourByRun = false;
  assert.deepEqual(looks(), [[0, 0, 0], [2, 0, 2], [0, 1, 0], [2, 1, 2]]);
});

test("forces of tyres over their loads, from channels or from the arrows of the scene", async () => {
  const at = times(11, 1);
  const still = (x) => Array.from(at, () => x);
  const n = at.length;
  const quarter = Math.SQRT1_2; // the wheel heads along y
  const series = (...rows) => Float32Array.from(rows.flatMap((x) => still(x)));
  const scene = {
    gravity: [0, 0, -9.81], ground: { shapes: [] }, bodies: [{ name: "w", mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0], at: [0, 0, 0], quaternion: [1, 0, 0, 0], shapes: [] }],
    markers: [], joints: [], rods: [], couplers: [],
    forces: [{ name: "tyre", type: "tyre", from: -1, to: 0, at_from: [0, 0, 0], at_to: [0, 0, 0], track: 0.3, friction: [1.1, 0.9] }],
  };
  const frames = { time: at, positions: series(0, 0, 0), quaternions: series(quarter, 0, 0, quarter), reactions: new Float32Array(0), forces: series(-200, 300, 1000), moments: new Float32Array(3 * n) };
  const bare = run({ scene, frames });
  const [tyre] = s.tyresOf(new s.Library([bare]), 0);
  near(tyre.x[5], 0.3, 1e-6); // along y
  near(tyre.y[5], 0.2, 1e-6); // left of it is -x
  const recorded = run({ scene, frames, times: [at], channels: ["fx", "fy", "fz"].map((name, i) => channel(`tyre.${name}`, "N", at, still([500, -100, 1000][i]))) });
  const figure = s.ellipseFigure(new s.Library([recorded]), [0, 1]);
  const trace = figure.lines.find((line) => !line.still);
  near(trace.xs[3], 0.5, 1e-6);
  near(trace.ys[3], -0.1, 1e-6);
  const limit = figure.lines.find((line) => line.still);
  near(Math.max(...limit.xs), 1.1, 1e-9);
  near(Math.max(...limit.ys), 0.9, 1e-9);
  assert.equal(figure.equal, true);
});

test("a sweep becomes families of curves over the parameter that is chosen", () => {
  const points = [1, 2].flatMap((m) => [100, 200, 300].map((k) => ({ k, m, status: k === 300 && m === 2 ? "failed" : "finished", "max(x)": k === 300 && m === 2 ? null : m / k, steps: 10 })));
  const sweep = s.sweepOf({ found: { units: { k: "N/m", m: "kg", "max(x)": "m" }, points } });
  assert.deepEqual([sweep.axes, sweep.measures], [["k", "m"], ["max(x)"]]);
  const over = s.sweepFigure([sweep], "max(x)", "k");
  assert.deepEqual(over.lines.map(({ name }) => name), ["m = 1 kg", "m = 2 kg"]);
  assert.deepEqual([...over.lines[1].xs], [100, 200, 300]);
  near(over.lines[1].ys[1], 0.01, 1e-12);
  assert.ok(Number.isNaN(over.lines[1].ys[2]));
  assert.equal(over.x.label, "k [N/m]");
  assert.deepEqual(s.sweepFigure([sweep], "max(x)", "m").lines.map(({ name }) => name), ["k = 100 N/m", "k = 200 N/m", "k = 300 N/m"]);
  assert.equal(s.sweepOf({ found: null }), null);
});

test("keys of curves show their dashes", () => {
  assert.equal(s.inkOf("red", 0), "background:red");
  assert.equal(s.inkOf("red", 1), "background:repeating-linear-gradient(90deg,red 0px 6px,transparent 6px 10px)");
  assert.equal(s.inkOf("red", 3), "background:repeating-linear-gradient(90deg,red 0px 9px,transparent 9px 12px,red 12px 14px,transparent 14px 17px)");
});
