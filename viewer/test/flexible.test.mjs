// Reports of bodies that bend in a real browser: deformation and its scale, colours and legend, modes alone, modal coordinates.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { here, scratch } from "./bundle.mjs";
import { bendAt, rod, strip } from "./cantilever.mjs";
import { openFile } from "./chromium.mjs";
import { check, close, colourAt, open, setTime, slide, wide } from "./in_browser.mjs";

const isYellow = ([r, g, b]) => r > 90 && g > 80 && b < 0.6 * g; // the bright end of displacements
const isGrey = ([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) < 30;
const legend = (page) => page.$$eval(".shade", (list) => list.map((each) => each.innerText.replace(/\s+/g, " ")));

check("a body that bends is seen where it is, scaled by the slider, with a legend of displacements", wide, async (page) => {
  await open(page, [rod()]);
  await page.evaluate(() => window.skyhook.scene.setView("right"));
  assert.deepEqual(await legend(page), ["displacement [mm] 0 50 100"]);
  const tip = 0.99;
  await setTime(page, 0.5);
  const up = bendAt(0.5) * tip * tip;
  assert.ok(isYellow(await colourAt(page, [tip, 0, 0.5 + up])), `tip ${await colourAt(page, [tip, 0, 0.5 + up])}`);
  assert.ok(!isYellow(await colourAt(page, [tip, 0, 0.5])), "where it would be unbent");
  await slide(page, ".bend-scale", 4); // 1000^(4/40)
  assert.equal(await page.$eval(".bend-factor", (text) => text.textContent), "× 2");
  const factor = 1000 ** 0.1;
  assert.ok(!isYellow(await colourAt(page, [tip, 0, 0.5 + up])));
  assert.ok(isYellow(await colourAt(page, [tip - 0.02, 0, 0.5 + factor * bendAt(0.5) * (tip - 0.02) ** 2])));
  await slide(page, ".bend-scale", 0);
  await setTime(page, 0); // unbent it is dark all along
  const [r, g, b] = await colourAt(page, [tip, 0, 0.5]);
  assert.ok(g < 60 && r < 140 && b > g, `unbent ${[r, g, b]}`);
});

check("modes of a body alone, with their frequencies, and modal coordinates in step with the time", wide, async (page) => {
  await open(page, [rod()], "#flexible&t=0.5&mode=1");
  assert.deepEqual(await page.$$eval(".alone-modes button", (list) => list.map((each) => each.textContent)), ["mode_1  12.5 Hz", "mode_2  80 Hz"]);
  assert.equal(await page.$eval(".alone-title", (title) => title.textContent), "rod, mode_1: 12.5 Hz");
  const bar = () => page.$eval(".coordinate .coordinate-bar", ({ style }) => [parseFloat(style.left), parseFloat(style.width)]);
  const text = () => page.$$eval(".coordinate output", (list) => list.map((each) => each.textContent));
  assert.deepEqual(await bar(), [50, 50]); // the largest of the run
  assert.deepEqual(await text(), ["100 mm", "0 mm"]);
  await page.evaluate(() => window.skyhook.clock.set(1 / 6));
  const [left, width] = await bar();
  assert.equal(left, 50);
  close(width, 25, 0.05, "sin(pi/6) of it"); // straight between frames of 10 ms
  const lit = () =>
    page.evaluate(() => {
      const { scene } = window.skyhook.app.flexible;
      scene.draw();
      return scene.canvas.toDataURL();
    });
  const first = await lit();
  await page.evaluate(() => document.querySelectorAll(".alone-modes button")[1].click());
  assert.equal(await page.$eval(".alone-title", (title) => title.textContent), "rod, mode_2: 80 Hz");
  assert.notEqual(await lit(), first);
  const playing = () => page.$eval(".wheels-tools button", (button) => button.textContent);
  assert.equal(await playing(), "❚❚");
  await page.evaluate(() => [...document.querySelectorAll(".tab")].find((tab) => tab.textContent === "Scene").click());
  assert.equal(await playing(), "▶"); // nothing moves where nobody looks
});

check("a line that bends far has the colours of its strain, blue where it is pressed and red where it is pulled", wide, async (page) => {
  await open(page, [strip()]);
  assert.deepEqual(await legend(page), ["strain [%] −1 0 1"]); // half of 20 mm times 1/m
  assert.equal(await page.$(".bend-scale"), null);
  const middle = (up) => [Math.sin(0.5) - up * Math.sin(0.5), 0, 1 - Math.cos(0.5) + up * Math.cos(0.5)]; // on the circle about (0, 0, 1)
  await page.evaluate(() => window.skyhook.scene.setView("top"));
  await setTime(page, 1);
  const [r, , b] = await colourAt(page, middle(0.01));
  assert.ok(b > r + 40, `inside, above: ${r} ${b}`);
  await setTime(page, 0);
  assert.ok(isGrey(await colourAt(page, [0.5, 0, 0.01])), "unbent");
});

check("a result without modal coordinates says that nothing is bent", wide, async (page) => {
  const run = rod();
  delete run.frames.states;
  delete run.frames.state_names;
  await open(page, [run]);
  assert.match(await page.$eval(".stage-shades", (box) => box.textContent), /without deformation/);
  assert.deepEqual(await legend(page), []);
});

const app = process.env.SKYHOOK_APP;

// Reference: the joint. The rod's end, by its frame, shapes and modal coordinates in the page, is where the slider has its pin.
check("the program's own report of an elastic rod: its end stays on the slider", { skip: app ? false : "SKYHOOK_APP does not name the program" }, async (page) => {
  const folder = scratch();
  const [model, result, report] = ["crank.yaml", "crank.h5", "crank.html"].map((name) => join(folder, name));
  const text = readFileSync(join(here, "../../models/flexible/slider_crank.yaml"), "utf8");
  writeFileSync(model, text.replace("chord: [pin, wrist]\n", "\n").replace("until: 0.1 s", "until: 0.02 s")); // with mean axes both ends move
  execFileSync(app, ["run", model, "--quiet", "--out", result, "--report", report], { cwd: folder, stdio: "pipe" });
  await openFile(page, report, "#flexible");
  const { apart, moved, shapes } = await page.evaluate(() => {
    const { scene, frames } = window.skyhook.runs[0];
    const rod = scene.bodies.findIndex(({ name }) => name === "rod");
    const { modes } = scene.bodies[rod];
    const wrist = scene.joints.find(({ name }) => name === "wrist");
    const [end, other] = wrist.from === rod ? ["from", "to"] : ["to", "from"];
    const n = frames.time.length;
    const at = (body, point, f) => {
      const [w, x, y, z] = [0, 1, 2, 3].map((c) => frames.quaternions[(4 * body + c) * n + f]);
      const t = [2 * (y * point[2] - z * point[1]), 2 * (z * point[0] - x * point[2]), 2 * (x * point[1] - y * point[0])];
      const turned = [point[0] + w * t[0] + y * t[2] - z * t[1], point[1] + w * t[1] + z * t[0] - x * t[2], point[2] + w * t[2] + x * t[1] - y * t[0]];
      return turned.map((v, c) => v + frames.positions[(3 * body + c) * n + f]);
    };
    const k = modes.points.findIndex((point) => Math.hypot(...point.map((v, c) => v - wrist[`at_${end}`][c])) < 1e-9);
    let [apart, moved] = [0, 0];
    for (let f = 0; f < n; ++f) {
      const bent = [...modes.points[k]];
      modes.states.forEach((name, m) => {
        const z = frames.states[frames.state_names.indexOf(name) * n + f];
        modes.shifts[k][m].forEach((shift, c) => (bent[c] += z * shift));
      });
      const [a, b] = [at(rod, bent, f), at(wrist[other], wrist[`at_${other}`], f)];
      apart = Math.max(apart, Math.hypot(...a.map((v, c) => v - b[c])));
      moved = Math.max(moved, Math.hypot(...bent.map((v, c) => v - modes.points[k][c])));
    }
    return { apart, moved, shapes: scene.bodies[rod].shapes.map(({ kind, radius, length }) => [kind, radius, length]) };
  });
  assert.ok(moved > 1e-3, `${moved} m is no bending to see`);
  close(apart, 0, 3e-5, "m between rod and slider"); // quaternions are stored in 16 bits: 0.3 m times 1/32767, twice
  assert.deepEqual(shapes.map(([kind, radius, length]) => [kind, radius.toFixed(9), length.toFixed(9)]), [["rod", "0.003000000", "0.300000000"]]);
  assert.match(await page.$eval(".alone-title", (title) => title.textContent), /^rod, .*: [0-9.]+ Hz$/);
});
