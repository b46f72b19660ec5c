// Reports of trains in a real browser: the line, the camera, wheels in cross-section, what is evaluated.
import assert from "node:assert/strict";
import { check as checkIn, close, colourAt, open, picture, setTime, slide, wide } from "./in_browser.mjs";
import { evaluation, evaluationOfWheels, place, train } from "./train.mjs";

const check = (name, body) => checkIn(name, wide, body);
const brightness = ([r, g, b]) => (r + g + b) / 3;

check("the camera chases the coach along the line, and rails, bed and ground are where they should be", async (page) => {
  await open(page, [train({ deviations: false })]);
  assert.equal(await page.$eval(".scene-tools .tool.on", (button) => button.textContent), "chase");
  assert.equal(await page.$eval(".stage-speed", (note) => note.textContent), "72.0 km/h");
  const heading = async (t) => {
    await setTime(page, t);
    const { position, target } = await page.evaluate(() => window.skyhook.scene.camera());
    return Math.atan2(target[1] - position[1], target[0] - position[0]);
  };
  const first = await heading(0);
  close((await heading(4)) - first, place(100)[2], 1e-3, "it turns with the line");
  await page.evaluate(() => window.skyhook.scene.setView("top"));
  await setTime(page, 4);
  // Behind the coach: the left rail is darker than the bed beside it, and beyond the bed there is the pale ground.
  const across = (s, y, z) => {
    const [x0, y0, angle] = place(s);
    return [x0 - y * Math.sin(angle), y0 + y * Math.cos(angle), z];
  };
  const [rail, bed, ground] = [await colourAt(page, across(88.3, 0.75, 0)), await colourAt(page, across(88.3, 1.55, -0.25)), await colourAt(page, across(88.3, 4.3, -0.8))];
  assert.ok(brightness(rail) < brightness(ground) - 40, `rail ${rail} on ground ${ground}`);
  assert.ok(brightness(bed) < brightness(ground) - 20, `bed ${bed} on ground ${ground}`);
});

check("irregularities are exaggerated by the slider, and only where there are some", async (page) => {
  await open(page, [train()]);
  await setTime(page, 3);
  const plain = await picture(page);
  await slide(page, ".deviation-scale", 16);
  assert.notEqual(await picture(page), plain);
  assert.match(await page.$eval(".deviation-scale + .hint", (note) => note.textContent), /^251 times$/); // 1000^(16/20)
  await slide(page, ".deviation-scale", 0);
  assert.equal(await picture(page), plain);
  await open(page, [train({ deviations: false })]);
  assert.equal(await page.$(".deviation-scale"), null);
  assert.equal(await page.$("[data-id=left-out]"), null);
  await open(page, [train({ left_out: 3400 })]);
  const told = await page.$eval("[data-id=left-out]", (hint) => hint.textContent);
  assert.equal(told, "irregularities of line: drawn up to 400 m, every 0.5 m; left out on the last 3.4 km of 200 m passed"); // as the fixture has it
});

check("a wheel in cross-section moves with the time, in the corner of the scene", async (page) => {
  await open(page, [train()]);
  assert.equal(await page.$(".stage-section .wr-picture"), null);
  await page.select(".section-wheel", "0");
  const outline = () => page.$eval(".stage-section .wr-wheel", (path) => path.getAttribute("d"));
  const first = () => outline().then((d) => Number(d.slice(1).split(" ")[0])); // x of the first point, mm, to the right
  await setTime(page, 0);
  const before = await first();
  await setTime(page, Math.PI / 2);
  // 4 mm to the field side, which is to the left, and 1 mrad of roll at 0.46 m pushes the flange by as much again
  close(before - (await first()), 4 + 0.46, 0.03, "shift of the outline");
  assert.equal(await page.$$eval(".stage-section polygon", (heads) => heads.length), 2); // N and T
  await page.select(".section-zoom", "10");
  const [, , width] = (await page.$eval(".stage-section .wr-picture", (svg) => svg.getAttribute("viewBox"))).split(" ").map(Number);
  close(width, 17, 1e-6, "mm");
});

check("the page of the wheels: axles, both sides, forces over time or the way", async (page) => {
  await open(page, [train()], "#wheels&t=2");
  assert.equal(await page.$$eval(".view:not([hidden]) .wr-picture", (list) => list.length), 2);
  const values = () => page.$$eval(".view:not([hidden]) .wr-values", (lists) => lists.map((list) => list.innerText.replace(/\s+/g, " ")));
  assert.match((await values())[0], /N 52 kN/);
  assert.match((await values())[0], /way 60\.0 m/);
  await page.select(".axle-select", "3");
  assert.match(await page.$eval(".view:not([hidden]) .card h2", (title) => title.textContent), /^left_4: left wheel/);
  await page.select(".wheels-x", "s");
  await page.waitForSelector(".view:not([hidden]) .chart-dot", { timeout: 60000 }); // points at the present place
  await open(page, [train({ recorded: false })], "#wheels");
  assert.match(await page.$eval(".view:not([hidden])", (view) => view.innerText), /Not recorded: left_1\.lateral.*--report/);
});

check("what a run evaluates: bars against limits, curves over the distance, sections", async (page) => {
  await open(page, [train({ found: { rail: evaluation() } })], "#evaluation&t=5");
  const text = await page.$eval(".view:not([hidden])", (view) => view.innerText);
  assert.match(text, /Ride and safety: rail/);
  assert.match(text, /sum of Y, 99\.85 %\s+12 kN\s+limit 40 kN/);
  assert.match(text, /curve 400-600 m/);
  assert.equal(await page.$$eval(".limit-part.bad", (list) => list.length), 1); // Y/Q
  assert.equal(await page.$$eval(".limit-part.good", (list) => list.length), 1);
  assert.equal(await page.$$eval(".view:not([hidden]) .run-chart", (list) => list.length), 2);
  assert.ok(!text.includes("abscissa"), "curves are drawn, not listed");
});

check("the legend of forty wheels: a key for each coach and each wheel, which hides its curves", async (page) => {
  await open(page, [train({ found: { rail: evaluationOfWheels(5) } })], "#evaluation&t=5");
  await page.waitForSelector(".view:not([hidden]) .chart-dot", { timeout: 60000 });
  const dots = () => page.$$eval(".view:not([hidden]) .chart-dot", (list) => list.filter((dot) => !dot.hidden && dot.style.display !== "none").length);
  const press = (text) => page.evaluate((name) => [...document.querySelectorAll(".view:not([hidden]) .switch")].find((key) => key.textContent === name).click(), text);
  assert.equal(await page.$$eval(".view:not([hidden]) .switch", (list) => list.length), 14);
  assert.equal(await dots(), 40);
  await press("coach[2]");
  assert.equal(await dots(), 32);
  await press("front.rear.left");
  assert.equal(await dots(), 28);
  await press("coach[2]");
  assert.equal(await dots(), 35);
});
