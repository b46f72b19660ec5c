// What the page computes, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { load, template } from "./bundle.mjs";
import { body, channel, container, encoded, run, scene, Stored, times } from "./fixture.mjs";
import { gaps, mechanism, many } from "./runs.mjs";

const page = await load(
  "data",
  "search",
  "curve",
  "live",
  "scene_check",
  "format",
  "plots/figure",
  "plots/library",
  "plots/csv",
  "plots/svg_drawing",
  "plots/ticks",
  "pages/graph",
  "pages/graph_edges",
);
const close = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test("a plot over time marks events, each time once, and none where they are too many", () => {
  const within = (times) => page.eventsWithin({ events: times.map((t) => ({ t, name: "e", detail: "" })) }, [1, 3]);
  assert.deepEqual(within([0.5, 1, 2, 2, 3, 3.1]), [1, 2, 3]);
  assert.deepEqual(within(Array.from({ length: 101 }, (_, i) => 1 + i / 100)), []);
  assert.deepEqual(page.eventsWithin(undefined, [0, 1]), []);
  const axis = { min: 0, max: 4, label: "", log: false };
  const drawing = page.svgDrawing({ x: axis, ys: [axis], lines: [], events: [2] }, ["one"]);
  assert.equal(drawing.match(/stroke-dasharray="2 3"/g).length, 1);
});

test("arrays of every kind come back from the container", async () => {
  const time = new Stored("f8", [0, 0.5, 1, 1.5], { shuffled: true });
  const quantised = new Stored("i2", [1, NaN, -3, 4], { scale: 0.5, shuffled: true });
  const blocks = new Stored("i2", [1, 2, 300, 400], { scales: [1, 100] });
  const [result] = await page.decode(
    encoded([
      run({
        times: [time],
        channels: [
          { ...channel("a", "m", [], []), values: quantised },
          { ...channel("b", "m", [], []), values: blocks },
        ],
        steps: {
          t: time,
          h: new Stored("f4", [1, 2, 3, 4]),
          order: new Stored("i4", [1, -2, 3, 70000]),
          dominant: new Int32Array(4),
        },
      }),
    ]),
  );
  assert.ok(result.times[0] instanceof Float64Array);
  assert.deepEqual([...result.times[0]], [0, 0.5, 1, 1.5]);
  assert.ok(result.channels[0].values instanceof Float32Array);
  assert.deepEqual([...result.channels[0].values], [1, NaN, -3, 4]);
  assert.deepEqual([...result.channels[1].values], [1, 2, 300, 400]);
  assert.deepEqual([...result.steps.h], [1, 2, 3, 4]);
  assert.deepEqual([...result.steps.order], [1, -2, 3, 70000]);
});

test("the binary part begins at a multiple of eight, however long the description is", async () => {
  for (const label of ["", "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "ü", "日本"]) {
    const [result] = await page.decode(encoded([run({ label, times: [times(3, 1)] })]));
    assert.deepEqual([...result.times[0]], [0, 0.5, 1]);
  }
});

test("null numbers are NaN, and what is missing is empty", async () => {
  const [result] = await page.decode(
    gzipSync(container([{ info: { tolerance: null, model: "m" } }])).toString("base64"),
  );
  assert.ok(Number.isNaN(result.info.tolerance));
  assert.ok(Number.isNaN(result.info.seconds));
  assert.equal(result.info.model, "m");
  assert.deepEqual([result.channels, result.events, result.scene, result.thinned], [[], [], null, 1]);
});

test("broken data say what is wrong", async () => {
  const zipped = (bytes) => gzipSync(bytes).toString("base64");
  const good = container([run()]);
  const cases = [
    ["", /holds no data/],
    ["%SKYHOOK_" + "DATA%", /holds no data/],
    ["???", /no base64/],
    ["aGVsbG8=", /unpacked/],
    [zipped(Buffer.from("short")), /too short/],
    [zipped(Buffer.concat([Buffer.from("NOTHING!"), good.subarray(8)])), /begin with SKYHOOK1/],
    [zipped(good.subarray(0, 100)), /longer than the data/],
    [zipped(container([run()], 2)), /version 2/],
    [zipped(container([])), /no run/],
    [encoded([run({ times: [{ at: 0, n: 5, type: "f8" }] })]), /do not lie in them/],
    [encoded([run({ times: [{ at: -8, n: 1, type: "f8" }] })]), /do not lie in them/],
    [encoded([run({ times: [times(3, 1)], channels: [channel("a", "m", [0], [0])] })]), /differ in length/],
    [encoded([run({ times: [Float64Array.of(0, 1, 0.5)] })]), /must not decrease, but number 3 is 0.5 after 1/],
    [encoded([run({ times: [Float64Array.of(NaN)] })]), /must be numbers/],
    [encoded([run({ frames: { ...run().frames, time: Float64Array.of(0, NaN, 2) } })]), /number 2 is NaN/],
  ];
  for (const [text, message] of cases) await assert.rejects(page.decode(text), message);
});

test("search takes words in any order, wildcards and case", () => {
  const names = ["front.left.wheel.z", "front.right.wheel.z", "rear.left.spring.force", "a+b(c)"];
  const found = (query) => page.search(names, query).map((match) => match.index);
  assert.deepEqual(found(""), [0, 1, 2, 3]);
  assert.deepEqual(found("wheel LEFT"), [0]);
  assert.deepEqual(found("fr*wheel"), [0, 1]);
  assert.deepEqual(found("left*z force"), []);
  assert.deepEqual(found("a+b("), [3]);
  assert.deepEqual(found("*"), [0, 1, 2, 3]);
  assert.deepEqual(page.search(names, "left ft.wh")[0].marks, [[6, 13]]); // "left" and "ft.wh" overlap
  assert.equal(page.owner("front.left.z"), "front.left");
  assert.equal(page.owner("time"), "");
});

test("values lie on the line between samples, behind a jump, and nowhere in a gap", () => {
  const {
    times: [time],
    channels: [{ values }],
  } = gaps();
  const at = (t) => page.valueAt({ time, values }, t);
  close(at(0.25), 2.5);
  assert.equal(at(0.8), -8);
  close(at(0.75), 7.5);
  close(at(0.85), -8.5);
  assert.ok(Number.isNaN(at(0.45)));
  assert.ok(Number.isNaN(at(-0.1)));
  assert.ok(Number.isNaN(at(1.1)));
  assert.equal(at(1), -10);
  assert.equal(at(1 + 5e-8), -10); // the clock may end a little after rounded times
  assert.equal(at(-5e-8), 0);
  assert.ok(Number.isNaN(at(1 + 2e-7)));
});

test("the address of the live state may tell the version of the page", () => {
  assert.deepEqual(page.liveAddress("version;7"), { url: "version", version: 7 });
  assert.deepEqual(page.liveAddress("version"), { url: "version", version: null });
  assert.deepEqual(page.liveAddress(""), { url: "", version: null });
  assert.deepEqual(page.liveAddress("%SKYHOOK_" + "LIVE%"), { url: "", version: null });
});

test("a broken scene is left out and the rest of the run stays", async () => {
  const good = mechanism();
  assert.equal(page.problemOf(good.scene), "");
  const body = good.scene.bodies[0];
  const cases = [
    [{}, /gravity/],
    [[], /no object/],
    ["text", /no object/],
    [{ ...good.scene, ground: null }, /ground/],
    [{ ...good.scene, bodies: { length: 3 } }, /bodies is no list/],
    [{ ...good.scene, bodies: [body, { ...body, com: [0, 0] }] }, /entry 2 of bodies/],
    [{ ...good.scene, bodies: [{ ...body, shapes: [null] }] }, /entry 1 of bodies/],
    [{ ...good.scene, forces: [{ name: "f", type: "spring_damper" }] }, /forces has no ends/],
  ];
  for (const [scene, problem] of cases) {
    const [result] = await page.decode(encoded([{ ...good, scene }]));
    assert.equal(result.scene, null);
    assert.match(result.sceneProblem, problem);
    assert.equal(result.channels.length, good.channels.length);
  }
  assert.equal((await page.decode(encoded([good])))[0].sceneProblem, "");
});

test("statistics of a straight line are those of calculus", () => {
  // v = t on [0, 2] with uneven samples: mean 1, rms sqrt(4/3). Exact for the line between samples.
  const time = Float64Array.of(0, 0.1, 0.5, 1.9, 2);
  const values = Float32Array.from(time);
  const all = page.statistics({ time, values }, 0, 2);
  close(all.mean, 1);
  close(all.rms, Math.sqrt(4 / 3));
  assert.deepEqual([all.first, all.last, all.t_min, all.t_max], [0, 2, 0, 2]);
  const part = page.statistics({ time, values }, 0.3, 1.95);
  close(part.mean, 1.2);
  close(part.min, 0.5);
  const none = page.statistics({ time, values }, 5, 6);
  assert.ok(Number.isNaN(none.mean) && Number.isNaN(none.min));
});

test("statistics leave out gaps and keep both sides of a jump", () => {
  const {
    times: [time],
    channels: [{ values }],
  } = gaps();
  const s = page.statistics({ time, values }, 0, 1);
  assert.deepEqual([s.min, s.max, s.t_min, s.t_max], [-10, 8, 1, 0.8]);
  // Areas: [0, 0.4] 0.8, [0.6, 0.8] 1.4, [0.8, 1] -1.8; over 0.8 s.
  close(s.mean, 0.4 / 0.8);
});

const figure = (runs, choice, range = [-Infinity, Infinity]) =>
  page.figureOf(new page.Library(runs), { curves: [], x: null, stats: false, ...choice }, range);

test("curves share an axis by unit, and degrees have their own", () => {
  const one = figure([mechanism()], { curves: ["slider.x", "coupler.end.z", "spring.force", "crank.angle"] }, [0, 3]);
  assert.deepEqual(
    one.ys.map((axis) => axis.label),
    ["m", "N", "rad"],
  );
  assert.deepEqual(
    one.lines.map((line) => line.axis),
    [0, 0, 1, 2],
  );
  const turned = figure([mechanism()], { curves: ["crank.angle", "crank.speed"], units: ["deg"] }, [0, 3]);
  assert.deepEqual(
    turned.ys.map((axis) => axis.label),
    ["deg", "deg/s"],
  );
  close(turned.lines[0].ys[300], (9 * 180) / Math.PI, 1e-3);
});

test("an x-y figure of two runs takes each run's own x", () => {
  const xy = figure([mechanism(), mechanism(0.1)], { curves: ["coupler.end.z"], x: "coupler.end.x" }, [0, 3]);
  assert.equal(xy.lines.length, 2);
  assert.equal(xy.overTime, false);
  close(xy.lines[0].xs[0], 0.3);
  close(xy.lines[1].xs[0], 0.3 * Math.cos(0.3));
  assert.ok(xy.x.min < -0.29 && xy.x.max > 0.29);
});

test("to the same scale, a circle is a circle", () => {
  const time = times(100, 2 * Math.PI);
  const circle = run({
    times: [time],
    channels: [
      channel("x", "m", time, time.map(Math.cos)),
      channel("y", "m", time, time.map(Math.sin)),
      channel("f", "N", time, time),
    ],
  });
  const choice = { curves: ["y"], x: "x", equal: true };
  const drawn = figure([circle], choice, [0, 7]);
  page.equalise(drawn, 600, 300);
  close((drawn.x.max - drawn.x.min) / 600, (drawn.ys[0].max - drawn.ys[0].min) / 300, 1e-12);
  assert.ok(drawn.ys[0].min < -1 && drawn.ys[0].max > 1 && drawn.x.min < -1);
  assert.equal(figure([circle], { ...choice, curves: ["y", "f"] }, [0, 7]).equal, false); // another unit
});

test("CSV keeps every sample, gaps empty, names quoted, times of its own for another clock", () => {
  const slow = times(3, 1);
  const runWithTwo = gaps();
  runWithTwo.times.push(slow);
  runWithTwo.channels.push(channel('quoted "name", with comma', "N", slow, [1, 2.5, 3], 1));
  const text = page.csv(figure([runWithTwo], { curves: ["a.b", 'quoted "name", with comma'] }), ["one"]);
  const rows = text.trimEnd().split("\r\n");
  assert.equal(rows[0], 'time [s],a.b [m],time [s],"quoted ""name"", with comma [N]"');
  assert.equal(rows.length, 13);
  assert.equal(rows[2], "0.1,1,0.5,2.5");
  assert.equal(rows[6], "0.5,,,");
  assert.deepEqual(rows.slice(9, 11), ["0.8,8,,", "0.8,-8,,"]);
});

test("the SVG drawing breaks at gaps, and names cannot leave their text", () => {
  const hostile = '</text><script>alert(1)</script>"&\u0007';
  const bad = gaps();
  bad.channels[0].name = hostile;
  const drawing = page.svgDrawing(figure([bad], { curves: [hostile] }, [0, 1]), ["one"]);
  assert.ok(!drawing.includes("<script"));
  assert.ok(drawing.includes("&lt;/text&gt;&lt;script&gt;"));
  assert.ok(!drawing.includes("\u0007"));
  const path = drawing.match(/<path d="(M[^"]*)" fill="none"/)[1];
  assert.equal(path.split("M").length - 1, 2); // one gap, two parts
  assert.equal(path.split("L").length - 1, 4 + 5);
  assert.ok(!/NaN|Infinity/.test(drawing));
});

test("ticks are round numbers within the limits", () => {
  assert.deepEqual(page.ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(page.tickLabels([0, 0.2, 0.4]), ["0.0", "0.2", "0.4"]);
  assert.deepEqual(page.tickLabels([-1e6, 0, 1e6]), ["−1e6", "0", "1e6"]);
  assert.deepEqual(page.logTicks(1e-6, 1e-2, 5), [1e-6, 1e-5, 1e-4, 1e-3, 1e-2]);
  assert.deepEqual(page.ticks(1, 1, 5), []);
  assert.deepEqual(page.ticks(NaN, 1, 5), []);
});

test("numbers are written short, and missing ones as a dash", () => {
  assert.equal(page.short(1234.5678), "1234.6");
  assert.equal(page.short(-0.00001234), "−1.234e−5");
  assert.equal(page.short(NaN), "–");
  assert.equal(page.short(Infinity), "∞");
  assert.equal(page.fileName("../../etc/pass wd"), "etc_pass_wd");
  assert.equal(page.fileName(""), "skyhook");
});

test("the graph stands in columns by depth and no boxes overlap", () => {
  for (const graph of [
    page.layout(mechanism().scene),
    page.layout(many(400).scene),
    page.layout(scene(Array.from({ length: 90 }, (_, i) => body(`b${i}`)))),
  ]) {
    const overlap = (a, b) => Math.abs(a.x - b.x) < page.box.width && Math.abs(a.y - b.y) < page.box.height;
    graph.nodes.forEach((a, i) =>
      graph.nodes.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${a.name} and ${b.name}`)),
    );
  }
  const { nodes, edges } = page.layout(mechanism().scene);
  assert.ok(nodes[0].x < nodes[1].x && nodes[1].x < nodes[2].x && nodes[3].x === nodes[1].x);
  assert.deepEqual(
    edges.map((edge) => edge.kind),
    ["tree", "tree", "tree", "cut", "force"],
  );
});

test("labels of the graph leave out what their neighbours share", () => {
  assert.equal(page.withoutOwner("front.left.lower_pivot", "front.left.lower_arm"), "lower_pivot");
  assert.equal(page.withoutOwner("front.left", "front.left.lower_arm"), "left");
  assert.equal(page.withoutOwner("bearing", "crank"), "bearing");
  const long = "front.right.lower_arm.bushing_";
  assert.equal(page.shortened(long + "1", 20).length, 20);
  assert.notEqual(page.shortened(long + "1", 20), page.shortened(long + "2", 20));
  assert.equal(page.shortened("short", 20), "short");
});

test("an edge past a column of the graph runs between its rows", () => {
  const columnWidth = page.box.width + page.gap.column;
  const rowHeight = page.box.height + page.gap.row;
  const to = { x: 2 * columnWidth, y: 3 * rowHeight };
  const { path } = page.edgePath({ x: 0, y: 0 }, to, { kind: "rod" });
  const lane = to.y + page.box.height + page.gap.row / 2;
  assert.match(path, new RegExp(`${columnWidth - 20} ${lane}H`)); // it has arrived before the column begins
});

test("the graph survives a chain of ten thousand and parents in a circle", () => {
  const chain = Array.from({ length: 10000 }, (_, i) =>
    body(`b${i}`, { tree: { parent: i - 1, joint: -1, reversed: false, depth: i + 1 } }),
  );
  assert.equal(page.layout(scene(chain)).nodes.length, 10001);
  const circle = [0, 1].map((i) => body(`b${i}`, { tree: { parent: 1 - i, joint: 7, reversed: false, depth: 1 } }));
  assert.equal(page.layout(scene(circle)).nodes.length, 3);
});

test("the page is one file that asks for nothing, with each placeholder once", () => {
  const html = template();
  for (const name of ["TITLE", "LIVE", "DATA"]) assert.equal(html.split(`%SKYHOOK_${name}%`).length - 1, 1);
  assert.ok(html.length < 940e3, `${html.length} characters`);
  assert.match(html, /default-src 'none'/);
  assert.equal(html.match(/<script/g).length - (html.match(/["'`]<script/g)?.length ?? 0), 4);
  assert.ok(!/<(script|link|img)[^>]+(src|href)="(?!data:)/.test(html.replace(/<script>[\s\S]*<\/script>/, "")));
  assert.match(html, /Leon Sorokin/); // its licence asks for that
  assert.match(html, /three\.js authors/);
});
