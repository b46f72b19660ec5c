// What tests in a real browser share: one browser and one page for all files of a process, a tab for each test.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { template as makeTemplate } from "./bundle.mjs";
import { executablePath, launch, newPage, open as openWith } from "./chromium.mjs";
import { encoded } from "./fixture.mjs";
import { project } from "./pixels.mjs";

export const missing = executablePath ? false : "there is no Chromium: install it to run the browser tests";
let browser;
let template;

before(async () => {
  if (missing) return;
  template = makeTemplate();
  browser = await launch();
});

after(() => browser?.close());

/** The page without data. */
export const pageTemplate = () => template;

/** A test in a tab of its own, which must end without an error; `options`: of newPage(), `skip` why it cannot be run. */
export function check(name, { skip = false, ...options }, body) {
  test(name, { skip: missing || skip }, async () => {
    const { page, errors } = await newPage(browser, options);
    try {
      await body(page, errors);
      assert.deepEqual(errors, []);
    } finally {
      await page.evaluate(() => localStorage.clear()).catch(() => {}); // units and the theme are remembered
      await page.close();
    }
  });
}

/** A size at which channels are listed beside the plots. */
export const wide = { width: 1400, height: 800 };

export const open = (page, runs, hash = "") => openWith(page, template, typeof runs === "string" ? runs : encoded(runs), hash);

export const close = (a, b, tolerance = 1e-6, what = "") => assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);

export const setTime = (page, t) =>
  page.evaluate((time) => {
    window.skyhook.clock.set(time);
    window.skyhook.scene.draw();
  }, t);

export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30))));

/** The scene as a picture, to compare. */
export const picture = (page) =>
  page.evaluate(() => {
    window.skyhook.scene.draw();
    return window.skyhook.scene.canvas.toDataURL();
  });

export const slide = (page, selector, value) =>
  page.$eval(
    selector,
    (slider, place) => {
      slider.value = String(place);
      slider.dispatchEvent(new Event("input"));
    },
    value,
  );

/** Colour of the scene where a point of the world is seen. */
export async function colourAt(page, point) {
  const camera = await page.evaluate(() => {
    window.skyhook.scene.draw();
    return window.skyhook.scene.camera();
  });
  const { x, y } = project(camera, point);
  assert.ok(x >= 0 && x < camera.width && y >= 0 && y < camera.height, `${point} is not in the picture`);
  return page.evaluate(
    ([px, py]) => {
      const { canvas } = window.skyhook.scene;
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      return [...context.getImageData(Math.round(px), Math.round(py), 1, 1).data].slice(0, 3);
    },
    [x, y],
  );
}
