// The page in a real browser: what a reader sees and does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { here, scratch } from "./bundle.mjs";
import { openFile, ready } from "./chromium.mjs";
import { encoded, filled } from "./fixture.mjs";
import { check, close, open, pageTemplate, setTime, settled } from "./in_browser.mjs";
import { centroidOfRed, project } from "./pixels.mjs";
import { empty, gaps, hostile, many, mechanism, oneSample, redBall, redPath } from "./runs.mjs";

/** Where a plot is drawn, as soon as it is: under load a page is there some frames before its plots. */
const plotBox = async (page, panel) => {
  const plot = await page.waitForFunction(
    (index) => document.querySelectorAll(".panel")[index]?.querySelector(".u-over"),
    {},
    panel,
  );
  return plot.evaluate((over) => {
    const { left, top, width, height } = over.getBoundingClientRect();
    return { left, top, width, height };
  });
};

check("a body is at the right pixel at three times, and scrubbing moves it", {}, async (page) => {
  await open(page, [redBall()]);
  await page.evaluate(() => {
    window.skyhook.scene.follow(-1);
    window.skyhook.scene.setView("iso");
  });
  await page.addStyleTag({ content: ".stage > :not(canvas) { visibility: hidden; }" });
  const seen = [];
  for (const t of [0, 0.7, 1.6]) {
    await setTime(page, t);
    const camera = await page.evaluate(() => window.skyhook.scene.camera());
    const expected = project(camera, redPath(t));
    const { x, y, pixels } = await centroidOfRed(page);
    assert.ok(pixels > 30, `only ${pixels} red pixels at ${t} s`);
    close(x, expected.x, 3, `x at ${t} s`);
    close(y, expected.y, 3, `y at ${t} s`);
    seen.push([x, y]);
  }
  assert.ok(Math.hypot(seen[0][0] - seen[1][0], seen[0][1] - seen[1][1]) > 20, "the body does not move");
  await page.$eval(".time-slider", (slider) => {
    slider.value = 0;
    slider.dispatchEvent(new Event("input"));
    window.skyhook.scene.draw();
  });
  const { x, y } = await centroidOfRed(page);
  close(x, seen[0][0], 1, "x after scrubbing back");
  close(y, seen[0][1], 1, "y after scrubbing back");
  assert.equal(await page.evaluate(() => window.skyhook.clock.t), 0);
});

check("a click in a plot sets the time, and values under the cursor are right", {}, async (page) => {
  await open(page, [redBall()]);
  const box = await plotBox(page, 0);
  const left = Math.round(box.left + 0.25 * box.width);
  await page.mouse.click(left, box.top + box.height / 2);
  const t = await page.evaluate(() => window.skyhook.clock.t);
  close(t, (2 * (left - box.left)) / box.width, 1e-3, "time");
  await page.mouse.move(5, 5); // away from the plot: values at the present time
  const values = (await page.evaluate(() => window.skyhook.plots.cursorValues()))[0];
  assert.deepEqual(
    values.map((each) => each.name),
    ["ball.x", "ball.y", "ball.z"],
  );
  values.forEach(({ value }, i) => close(value, redPath(t)[i], 2e-3, `axis ${i}`)); // between samples 0.02 s apart
  const texts = await page.$$eval(".panel:first-child .value", (cells) =>
    cells.map((cell) => Number(cell.textContent.replace("−", "-"))),
  );
  texts.forEach((value, i) => close(value, values[i].value, 1e-4, "legend"));
});

check("warnings are counted on every page, told in full, and are no events", {}, async (page) => {
  await open(page, [mechanism()]);
  await page.click("header button.badge");
  const told = await page.$$eval(".warnings li", (items) => items.map((item) => item.textContent));
  assert.equal(told.length, 1);
  assert.match(told[0], /^(m\.yaml:3:1: parameter "k" is used nowhere\. ){4}/);
  const cut = await page.$$eval(".warnings li", (items) => items.some((item) => item.scrollWidth > item.clientWidth + 1));
  assert.equal(cut, false);
  assert.equal(await page.$eval("header button.badge", (button) => button.textContent), "1 warning");
  assert.ok((await page.$$eval(".card h2", (titles) => titles.map((t) => t.textContent))).includes("Events (3)"));
});

check("the keyboard plays, steps and turns the view", {}, async (page) => {
  await open(page, [redBall()]);
  const clock = () => page.evaluate(() => ({ t: window.skyhook.clock.t, playing: window.skyhook.clock.playing }));
  await page.keyboard.press("ArrowRight");
  close((await clock()).t, 0.02, 1e-9);
  await page.keyboard.press("End");
  assert.equal((await clock()).t, 2);
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  assert.equal((await clock()).playing, true);
  await page.waitForFunction(() => window.skyhook.clock.t > 0);
  await page.keyboard.press("Space");
  assert.equal((await clock()).playing, false);
  await page.keyboard.press("4");
  const { position, target } = await page.evaluate(() => window.skyhook.scene.camera());
  assert.ok(
    position[2] > target[2] &&
      Math.hypot(position[0] - target[0], position[1] - target[1]) < 0.1 * (position[2] - target[2]),
    "view from top",
  );
  await page.evaluate(() => document.querySelectorAll(".tab")[2].click());
  const { t } = await clock();
  for (const key of ["Space", "Home", "ArrowRight"]) await page.keyboard.press(key);
  assert.deepEqual(await clock(), { t, playing: false }, "keys of the scene act on the page of the run");
  await page.evaluate(() => document.querySelectorAll(".tab")[0].click());
  await page.select(".speed", "0.5");
  await page.keyboard.press("ArrowRight");
  assert.ok((await clock()).t > t, "a key after the choice of a speed");
});

check("channels are chosen by the keyboard", {}, async (page) => {
  await open(page, [mechanism()]);
  await page.evaluate(() => window.skyhook.plots.showBrowser(true));
  const curves = () => page.evaluate(() => window.skyhook.plots.panels()[0].curves);
  const before = await curves();
  await page.type(".browser input", "energy");
  await page.keyboard.press("Enter");
  assert.deepEqual(await curves(), [...before, "energy.kinetic"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  assert.deepEqual(await curves(), [...before, "energy.kinetic", "energy.total"]);
  assert.equal(await page.$eval(".browser .current", (row) => row.getAttribute("aria-selected")), "true");
  await page.keyboard.press("Enter");
  assert.deepEqual(await curves(), [...before, "energy.kinetic"]);
  await page.keyboard.press("End");
  assert.equal(await page.evaluate(() => window.skyhook.clock.t), 0, "keys in the list are the list's");
});

check("search finds by words, marks them, and a click adds the channel", {}, async (page) => {
  await open(page, [mechanism()]);
  await page.evaluate(() => window.skyhook.plots.showBrowser(true));
  await page.type(".browser input", "end coup*");
  const names = await page.$$eval(".browser-channel", (rows) => rows.map((row) => row.title));
  assert.deepEqual(names, ["coupler.end.x [m]", "coupler.end.z [m]"]);
  await page.$eval(".browser input", (input) => {
    input.value = "force";
    input.dispatchEvent(new Event("input"));
  });
  assert.deepEqual(await page.$$eval(".browser-channel mark", (marks) => marks.map((mark) => mark.textContent)), [
    "force",
  ]);
  await page.click(".browser-channel .name");
  const panels = await page.evaluate(() => window.skyhook.plots.panels());
  assert.ok(panels[0].curves.includes("spring.force"));
  assert.equal(await page.$$eval(".browser-channel.chosen", (rows) => rows.length), 1);
});

check("a drag zooms all panels, a double click shows all", {}, async (page) => {
  await open(page, [mechanism()]);
  const limits = () =>
    page.evaluate(() => window.skyhook.plots.panels().map((_, i) => window.skyhook.plots.panel(i).xLimits()));
  const box = await plotBox(page, 0);
  const y = box.top + box.height / 2;
  await page.mouse.move(box.left + 0.25 * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.left + 0.75 * box.width, y, { steps: 3 });
  await page.mouse.up();
  await settled(page);
  const range = await page.evaluate(() => window.skyhook.plots.xRange());
  close(range[0], 0.75, 0.02);
  close(range[1], 2.25, 0.02);
  const zoomed = await limits();
  assert.equal(zoomed.length, 2);
  for (const each of zoomed) assert.deepEqual(each, range);
  assert.equal(await page.evaluate(() => window.skyhook.clock.t), 0, "a drag must not set the time");
  await page.mouse.click(box.left + 0.5 * box.width, y, { clickCount: 2 });
  await settled(page);
  for (const each of await limits()) assert.deepEqual(each, [0, 3]);
  assert.equal(await page.evaluate(() => window.skyhook.clock.t), 0, "a double click must not set the time");
});

check("x-y plots, degrees, statistics and a second run", {}, async (page) => {
  await open(page, [mechanism(), mechanism(0.1)]);
  await page.evaluate(() => {
    const { plots, clock } = window.skyhook;
    plots.panel(0).setX("coupler.end.x");
    plots.addChannel(0, "coupler.end.z");
    clock.set(1);
  });
  assert.equal((await page.evaluate(() => window.skyhook.plots.panels()))[0].x, "coupler.end.x");
  const dots = await page.$$eval(".panel:first-child .chart-dot", (list) => list.length);
  assert.equal(dots, 6); // three curves, two runs
  const limits = await page.evaluate(() => window.skyhook.plots.panel(0).xLimits());
  assert.ok(limits[0] < -0.29 && limits[0] > -0.4 && limits[1] > 0.29);
  await page.evaluate(() => window.skyhook.plots.panel(1).setX("slider.x"));
  await page.click(".panel:nth-child(2) .tool[title^='x and y']");
  const wide = await page.evaluate(() => window.skyhook.plots.panel(1).xLimits());
  const area = await plotBox(page, 1);
  assert.ok((wide[1] - wide[0]) / area.width >= 1.09 / area.height, "x must not be finer than y"); // y spans -0.3 to 0.8
  await page.evaluate(() => window.skyhook.plots.panel(0).setX(null));
  await page.click(".panel:first-child .tool[title='Angles in degrees']");
  const angle = (await page.evaluate(() => window.skyhook.plots.cursorValues()))[0].filter(
    ({ name }) => name === "crank.angle",
  );
  close(angle[0].value, (3 * 180) / Math.PI, 0.01);
  close(angle[1].value, (3.3 * 180) / Math.PI, 0.01);
  await page.click(".panel:first-child .tool[title='Statistics']");
  const row = await page.$$eval(".panel:first-child .stats tbody tr:first-child td", (cells) =>
    cells.map((cell) => cell.textContent),
  );
  assert.equal(row[0], "crank.angle");
  close(Number(row[5]), (9 * 180) / Math.PI, 0.1, "maximum"); // name, run, unit, min, at, max
  assert.match(await page.$eval(".panel-stats .panel-note", (note) => note.textContent), /all samples/);
  await page.evaluate(() => window.skyhook.plots.zoom([1, 2]));
  assert.match(await page.$eval(".panel-stats .panel-note", (note) => note.textContent), /between 1 s and 2 s/);
});

check("downloads hold what the panel shows", {}, async (page) => {
  const folder = scratch();
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await open(page, [redBall()]);
  for (const kind of ["CSV", "SVG", "PNG"]) await page.click(`.panel:first-child .tool[title$="as ${kind}"]`);
  const wanted = ["ball.x.csv", "ball.x.png", "ball.x.svg"];
  for (let i = 0; i < 100 && !wanted.every((name) => existsSync(join(folder, name))); ++i)
    await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual(readdirSync(folder).sort(), wanted);
  const rows = readFileSync(join(folder, "ball.x.csv"), "utf8").trimEnd().split("\r\n");
  assert.equal(rows[0], "time [s],ball.x [m],ball.y [m],ball.z [m]");
  assert.equal(rows.length, 102);
  const numbers = rows[51].split(",").map(Number);
  [1, ...redPath(1)].forEach((value, i) => close(numbers[i], value, 1e-6));
  assert.match(readFileSync(join(folder, "ball.x.svg"), "utf8"), /^<svg .*<\/svg>$/s);
  assert.deepEqual([...readFileSync(join(folder, "ball.x.png")).subarray(1, 4)], [...Buffer.from("PNG")]);
});

check("dark as the system says, light as the reader says, and it is remembered", { theme: "dark" }, async (page) => {
  const background = () =>
    page.$eval("body", (body) => getComputedStyle(body).backgroundColor.match(/\d+/g).map(Number));
  const corner = () =>
    page.evaluate(() => {
      const { canvas } = window.skyhook.scene;
      window.skyhook.scene.draw();
      const copy = document.createElement("canvas");
      copy.width = copy.height = 1;
      copy.getContext("2d").drawImage(canvas, 5, 5, 1, 1, 0, 0, 1, 1);
      return [...copy.getContext("2d").getImageData(0, 0, 1, 1).data.subarray(0, 3)];
    });
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  await open(page, [mechanism()]);
  assert.ok(mean(await background()) < 60);
  assert.ok(mean(await corner()) < 90);
  await page.click(".tool[title='Light or dark']");
  assert.ok(mean(await background()) > 200);
  assert.ok(mean(await corner()) > 180);
  await page.reload();
  await ready(page);
  assert.ok(mean(await background()) > 200);
  await page.click(".tool[title='Light or dark']");
  await page.evaluate(() => localStorage.clear());
});

check("pages of model and run, a jump to an event, and the address", {}, async (page) => {
  await open(page, [mechanism()], "#model&t=1.25");
  assert.equal(await page.evaluate(() => window.skyhook.clock.t), 1.25);
  assert.equal(await page.$$eval(".graph .node", (nodes) => nodes.length), 4);
  assert.equal(await page.$$eval(".graph .edge.cut", (edges) => edges.length), 1);
  assert.match(await page.$eval(".view:not([hidden])", (view) => view.textContent), /Total mass 7\.7 kg/);
  await page.evaluate(() => [...document.querySelectorAll(".tab")].find((tab) => tab.textContent === "Run").click());
  await settled(page);
  assert.equal(await page.$$eval(".view:not([hidden]) .chart canvas", (charts) => charts.length), 4);
  await page.$$eval(".jump", (buttons) => buttons[2].click());
  assert.equal(await page.evaluate(() => window.skyhook.clock.t), 2.4);
  assert.equal(await page.$eval(".tab.on", (tab) => tab.textContent), "Scene");
  await page.waitForFunction(() => location.hash === "#scene&t=2.4");
  await page.reload();
  await ready(page);
  await settled(page);
  const line = await page.$eval(".panel .chart-now", (element) => element.getBoundingClientRect().left);
  const area = await plotBox(page, 0);
  close((line - area.left) / area.width, 2.4 / 3, 0.005, "place of the time line");
});

check("hostile names are shown as text and run nothing", {}, async (page) => {
  await open(page, [hostile(), hostile()]);
  for (const tab of [0, 1, 2, 0]) {
    await page.evaluate((index) => document.querySelectorAll(".tab")[index].click(), tab);
    await settled(page);
  }
  await page.evaluate(() => {
    const { plots, runs, clock, scene } = window.skyhook;
    for (const channel of runs[0].channels) plots.addChannel(0, channel.name);
    scene.show("names", true);
    clock.set(0.5);
    for (const details of document.querySelectorAll("details")) details.open = true;
    plots.panel(0).svg();
  });
  await settled(page);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.$$eval("img, #app script, #app b", (elements) => elements.length), 0);
  assert.equal(
    await page.$eval(".model", (element) => element.textContent),
    "</script><script>window.hacked = 1</script>",
  );
  assert.match(await page.evaluate(() => document.body.textContent), /onerror="window\.hacked=1"/);
});

check("empty runs, one sample, gaps and broken data", { width: 1000, height: 420 }, async (page) => {
  await open(page, [empty()]);
  assert.match(await page.$eval(".badge", (badge) => badge.textContent), /failed.*no initial position/);
  await open(page, [oneSample()]);
  assert.equal((await page.evaluate(() => window.skyhook.plots.cursorValues()))[0][0].value, 3);
  await open(page, [gaps()]);
  const at = async (t) => {
    await page.evaluate((time) => window.skyhook.clock.set(time), t);
    return page.$eval(".panel .value", (cell) => cell.textContent);
  };
  assert.equal(await at(0.5), "–");
  assert.equal(await at(0.8), "−8.0000");
  assert.equal(await page.$$eval(".event-tick", (ticks) => ticks.length), 1);
  await open(page, [{ ...gaps(), thinned: 7 }]);
  assert.equal(await at(0.8), "≈\u202f−8.0000");
  await open(page, [{ ...mechanism(), scene: { bodies: 3 } }]);
  assert.match(await page.$eval(".stage-note", (note) => note.textContent), /broken \(gravity/);
  assert.equal(await page.$("#too-old"), null);
  await open(page, "bm90IGEgcmVwb3J0");
  assert.match(await page.$eval(".failure", (failure) => failure.textContent), /broken.*Make the report again/s);
});

check("a browser that cannot read the program is told so", {}, async (page, errors) => {
  const file = join(scratch(), "old.html");
  writeFileSync(file, filled(pageTemplate().replace("<script>", "<script>what a syntax;"), encoded([gaps()])));
  await page.goto(`file://${file}`);
  assert.match(await page.$eval("#too-old", (note) => note.innerText), /too old/);
  assert.equal(errors.splice(0).length, 1);
});

check("a thousand bodies and two thousand channels", { width: 1240, height: 420 }, async (page) => {
  await open(page, [many()]);
  await page.evaluate(() => window.skyhook.plots.showBrowser(true));
  const milliseconds = await page.$eval(".browser input", (input) => {
    const start = performance.now();
    for (const query of ["b", "body", "body_9", "body_99 .y"]) {
      input.value = query;
      input.dispatchEvent(new Event("input"));
    }
    return performance.now() - start;
  });
  assert.ok(milliseconds < 1000, `${milliseconds} ms for four searches`);
  assert.equal(await page.$eval(".browser-info", (info) => info.textContent), "11 of 2000 channels");
  assert.ok((await page.$$eval(".browser-rows > *", (rows) => rows.length)) < 60);
  await page.evaluate(() => document.querySelectorAll(".tab")[1].click());
  assert.equal(await page.$$eval(".graph .node", (nodes) => nodes.length), 1001);
});

check("served live it shows errors, reloads for a newer run and keeps what was chosen", {}, async (page, errors) => {
  let state = { version: 3, state: "ready", message: "" };
  const data = encoded([mechanism()]);
  let loads = 0;
  const server = createServer((request, response) => {
    if (request.url.startsWith("/state"))
      response.setHeader("content-type", "application/json").end(JSON.stringify(state));
    else {
      // The first page is older than the state already: its model was saved while it was loaded.
      const live = `state;${++loads === 1 ? 2 : state.version}`;
      response.setHeader("content-type", "text/html; charset=utf-8").end(filled(pageTemplate(), data, { live }));
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  server.unref(); // a failed test must end all the same
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const shows3 = () => window.skyhook && document.querySelector('meta[name="skyhook-live"]').content === "state;3";
  await page.waitForFunction(shows3, { timeout: 30000 });
  await page.evaluate(() => {
    window.skyhook.plots.addPanel({ curves: ["spring.force"], x: null, stats: false });
    window.skyhook.clock.set(1.5);
  });
  await new Promise((done) => setTimeout(done, 700)); // one question at least
  assert.equal(loads, 2);
  state = { version: 4, state: "error", message: "car.yaml:3: <b>no</b> such body" };
  await page.waitForSelector(".banner.error", { timeout: 30000 });
  assert.equal(await page.$eval(".banner", (banner) => banner.textContent), state.message);
  state = { version: 1, state: "ready", message: "" }; // of a watch that was started again
  // The page of version 4 is left too: only that of version 1 stays.
  const shows1 = () => window.skyhook && document.querySelector('meta[name="skyhook-live"]').content === "state;1";
  await page.waitForFunction(shows1, { timeout: 30000 });
  const kept = await page.evaluate(() => ({ t: window.skyhook.clock.t, panels: window.skyhook.plots.panels() }));
  assert.equal(kept.t, 1.5);
  assert.deepEqual(kept.panels[2].curves, ["spring.force"]);
  server.close();
  server.closeAllConnections();
  await page.waitForSelector(".banner.lost", { timeout: 30000 });
  errors.splice(0, errors.length, ...errors.filter((error) => !/ERR_CONNECTION/.test(error))); // the browser tells of the lost server
});

const app = process.env.SKYHOOK_APP;
const model = join(here, "../../models/mechanisms/pendulum.yaml");

check("a report that the program made", { skip: app ? false : "SKYHOOK_APP does not name the program" }, async (page) => {
  const folder = scratch();
  const result = join(folder, "pendulum.h5");
  execFileSync(app, ["run", model, "--out", result], { cwd: folder, stdio: "pipe" });
  execFileSync(app, ["report", result, "--out", join(folder, "pendulum.html")], { cwd: folder, stdio: "pipe" });
  await openFile(page, join(folder, "pendulum.html"));
  const shown = await page.evaluate(() => {
    const { runs, clock, scene } = window.skyhook;
    clock.set((clock.begin + clock.end) / 2);
    scene.draw();
    const { frames, info, channels, times } = runs[0];
    const turn = [0, 1, 2, 3].map((i) => frames.quaternions[i * frames.time.length + 7]);
    return {
      info,
      begin: clock.begin,
      end: clock.end,
      turn,
      bodies: runs[0].scene.bodies.length,
      channels: channels.length,
      last: times[0].at(-1),
    };
  });
  assert.ok(shown.bodies >= 1 && shown.channels > 0);
  assert.equal(shown.begin, shown.info.t_start);
  close(shown.end, shown.info.t_reached, 1e-9, "last frame");
  close(shown.last, shown.info.t_reached, 1e-9, "last sample");
  close(Math.hypot(...shown.turn), 1, 1e-4, "length of a quaternion"); // stored with 16 bits
  for (const tab of [1, 2, 0]) {
    await page.evaluate((index) => document.querySelectorAll(".tab")[index].click(), tab);
    await settled(page);
  }
  if (process.env.SKYHOOK_PICTURES)
    writeFileSync(join(process.env.SKYHOOK_PICTURES, "pendulum.png"), await page.screenshot());
});
