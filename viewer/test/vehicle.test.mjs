// Reports of vehicles in a real browser: camera, units, formulas, spectra, tyres, many runs, pages of the model.
import assert from "node:assert/strict";
import { check as checkIn, close, open, setTime, settled, wide } from "./in_browser.mjs";
import { car } from "./car.mjs";

const check = (name, body) => checkIn(name, wide, body);
const typeFormula = async (page, text) => {
  await page.$eval(".formula", (input) => (input.value = ""));
  await page.type(".formula", text);
  await page.keyboard.press("Enter");
};
const legend = (page, panel) =>
  page.evaluate((index) => [...document.querySelectorAll(".panel")[index].querySelectorAll(".chip")].map((chip) => chip.innerText.replace(/\s+/g, " ").trim()), panel);

check("the camera chases a car, turns with it and tells its speed", async (page) => {
  await open(page, [car()]);
  assert.equal(await page.$eval(".scene-tools .tool.on", (button) => button.textContent), "chase");
  const behind = async (t) => {
    await setTime(page, t);
    const { position, target } = await page.evaluate(() => window.skyhook.scene.camera());
    return Math.atan2(target[1] - position[1], target[0] - position[0]);
  };
  const first = await behind(0);
  close((await behind(2)) - first, 1, 0.01, "turned"); // 10 m/s on 20 m for 2 s
  assert.equal(await page.$eval(".stage-speed", (note) => note.textContent), "36.0 km/h");
  await page.click(".scene-tools .turn");
  const fixed = await behind(2);
  close(await behind(0), fixed, 1e-6, "fixed direction");
  await page.select(".follow", "-1");
  assert.equal(await page.$eval(".stage-speed", (note) => note.hidden), true);
  await page.keyboard.press("7");
  close((await behind(2)) - (await behind(0)), 1, 0.01, "chase by key");
});

check("units are chosen by kind, remembered, and followed by plots, tables and downloads", async (page) => {
  await open(page, [car()]);
  await page.evaluate(() => {
    const { plots } = window.skyhook;
    plots.addPanel({ curves: ["fl.tyre.fz", "chassis.vx", "chassis.ay"], x: null, stats: true });
    for (const details of document.querySelectorAll("details.units")) details.open = true;
  });
  const index = (await page.evaluate(() => window.skyhook.plots.panels().length)) - 1;
  assert.match((await legend(page, index))[0], /fl\.tyre\.fz 3000\.0 N/);
  await page.select("select[data-kind=force]", "kN");
  await page.select("select[data-kind=speed]", "km/h");
  await page.select("select[data-kind=acceleration]", "g");
  const texts = await legend(page, index);
  assert.match(texts[0], /fl\.tyre\.fz 3\.0000 kN/);
  assert.match(texts[1], /chassis\.vx 36\.000 km\/h/);
  assert.match(texts[2], /0\.50986 g/); // 5 m/s^2 over 9.80665
  assert.match(await page.evaluate((i) => window.skyhook.plots.panel(i).csv(), index), /fl\.tyre\.fz \[kN\],chassis\.vx \[km\/h\],chassis\.ay \[g\]/);
  assert.match(await page.evaluate((i) => window.skyhook.plots.panel(i).svg(), index), /fl\.tyre\.fz \[kN\]/);
  const cells = await page.$$eval(`.panel:nth-child(${index + 1}) .stats tbody tr:first-child td`, (list) => list.map((cell) => cell.textContent));
  assert.deepEqual([cells[0], cells[1], cells[4]], ["fl.tyre.fz", "kN", "3.5"]);
  assert.match(await page.$eval(".browser", (list) => list.textContent), /vxkm\/h/);
  await page.reload();
  await page.waitForFunction("window.skyhook");
  assert.equal(await page.evaluate(() => window.skyhook.plots.library.unit("fl.tyre.fz")), "kN");
});

check("formulas are typed, shown with name and unit, and wrong names get a message", async (page) => {
  await open(page, [car()]);
  await typeFormula(page, "fl.tyre.fz - fr.tyre.fz");
  assert.ok((await legend(page, 0)).some((text) => /^fl\.tyre\.fz - fr\.tyre\.fz/.test(text)));
  await typeFormula(page, "side = chassis.vx*chassis.yaw_rate");
  await setTime(page, 1);
  assert.ok((await legend(page, 0)).some((text) => /^side 5\.0000 m\/s\^2/.test(text)), String(await legend(page, 0)));
  await typeFormula(page, "fl.tire.fz*2");
  assert.match(await page.$eval(".formula-message", (note) => note.textContent), /There is no channel "fl\.tire\.fz"\. Did you mean fl\.tyre\.fz/);
  await page.evaluate(() => window.skyhook.plots.showBrowser(true));
  assert.match(await page.$eval(".browser", (list) => list.textContent), /\(formulas\)/);
  assert.equal(await page.evaluate(() => window.skyhook.clock.playing), false, "keys typed in the field are the field's");
});

check("spectra and weighted values of a channel", async (page) => {
  await open(page, [car()]);
  const index = await page.evaluate(() => window.skyhook.plots.addPanel({ curves: ["seat.az"], x: null, stats: false }));
  const panel = `.panel:nth-child(${index + 1})`;
  await page.select(`${panel} .view-select`, "amplitude");
  const rows = (await page.evaluate((i) => window.skyhook.plots.panel(i).csv(), index)).trim().split("\r\n");
  assert.equal(rows[0], "frequency [Hz],seat.az [m/s^2]");
  const peak = rows.slice(1).map((row) => row.split(",").map(Number)).reduce((a, b) => (b[1] > a[1] ? b : a));
  close(peak[0], 5, 1e-9, "frequency");
  close(peak[1], 2, 1e-5, "amplitude");
  await page.select(`${panel} .view-select`, "psd");
  assert.match(await page.$eval(`${panel} .panel-note`, (note) => note.textContent), /segments of \d+ samples under Hann windows/);
  await page.select(`${panel} .view-select`, "wk");
  const numbers = await page.$$eval(`${panel} .stats tbody td`, (cells) => cells.map((cell) => cell.textContent));
  close(Number(numbers[2]), 1.039 * Math.SQRT2, 0.03, "weighted rms"); // the factor of Wk at 5 Hz is 1.039
  await settled(page);
});

check("friction ellipses follow the time, and the handling diagram is guessed", async (page) => {
  await open(page, [car()]);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    [...document.querySelectorAll(".more-box button")].find((button) => button.textContent === "Friction ellipses").click();
  });
  await settled(page);
  const count = await page.evaluate(() => window.skyhook.plots.panels().length);
  const dots = () => page.$$eval(`.panel:nth-child(${count}) .chart-dot`, (list) => list.map((dot) => [dot.style.left, dot.style.top].map(parseFloat)));
  await setTime(page, 0);
  const before = await dots();
  assert.equal(before.length, 4);
  await setTime(page, 2);
  assert.ok(Math.hypot((await dots())[0][0] - before[0][0], (await dots())[0][1] - before[0][1]) > 5, "the point does not move");
  assert.equal(await page.$eval("select[data-role=steering]", (select) => select.value), "steering_wheel.angle");
  await page.evaluate(() => [...document.querySelectorAll(".handling-form button")][0].click());
  const [choice] = (await page.evaluate(() => window.skyhook.plots.panels())).slice(-1);
  assert.deepEqual([choice.curves, choice.x], [["steering_wheel.angle"], "chassis.ay"]);
});

check("five runs: one switch each, here and in the scene", async (page) => {
  await open(page, [0, 1, 2, 3, 4].map((k) => car({ label: `run ${k}`, shift: k })));
  assert.equal(await page.$$eval(".run-chip", (chips) => chips.length), 5);
  const lines = () => page.evaluate(() => window.skyhook.plots.cursorValues()[0].map(({ run }) => run));
  assert.deepEqual([...new Set(await lines())], [0, 1, 2, 3, 4]);
  const ink = async () => {
    await page.evaluate(() => window.skyhook.scene.draw());
    return page.evaluate(() => window.skyhook.scene.canvas.toDataURL().length);
  };
  const all = await ink();
  await page.click("input[data-run='2']");
  assert.deepEqual([...new Set(await lines())], [0, 1, 3, 4]);
  assert.notEqual(await ink(), all);
  assert.match(await page.$eval(".versus", (text) => text.textContent), /4 others/);
  assert.match(await page.evaluate(() => window.skyhook.plots.panel(0).csv().split("\r\n")[0]), /\(run 4\)/);
});

check("pages of the model open first, and a page becomes YAML", async (page) => {
  const plots = [
    { name: "loads", panels: [{ title: "Front", curves: ["fl.tyre.fz", "=fl.tyre.fz - fr.tyre.fz"], units: ["kN"] }, { curves: [], view: "ellipse" }] },
    { name: "motion", panels: [{ curves: ["chassis.vx", "nowhere.x"], x: "chassis.yaw_rate" }] },
    { name: "of another model", panels: [{ curves: ["nowhere.y"] }] },
  ];
  await open(page, [car({ plots })]);
  const offered = await page.$$eval(".page-select option", (list) => list.map((option) => [option.textContent, option.disabled]));
  assert.deepEqual(offered, [["loads", false], ["motion", false], ["of another model (not recorded)", true], ["overview", false]]);
  assert.equal(await page.$eval(".panel .panel-title", (title) => title.textContent), "Front");
  assert.equal(await page.$$eval(".panel", (list) => list.length), 2);
  assert.match((await legend(page, 0))[0], /3\.0000 kN/);
  await page.select(".page-select", "1");
  assert.match(await page.$eval(".formula-message", (note) => note.textContent), /nowhere\.x/);
  assert.deepEqual((await page.evaluate(() => window.skyhook.plots.panels()))[0].curves, ["chassis.vx"]);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    document.querySelector(".yaml-box button").click();
  });
  assert.equal(await page.$eval(".page-yaml", (text) => text.value), "plots:\n  motion:\n    - curves: [chassis.vx]\n      x: chassis.yaw_rate\n");
  await page.select(".page-select", "3");
  assert.ok((await page.evaluate(() => window.skyhook.plots.panels().length)) >= 1);
});
