// Takes a picture of a report in headless Chromium, for the documentation.
//   node screenshot.mjs REPORT.html PICTURE.png [--hash "scene&t=4.3"] [--size 1400x860] [--dark] [--choose TEXT]... [--slide SELECTOR=VALUE]... [--press TEXT]...
// --hash is what the address has behind the #: tab and time. --choose takes the choice with this text from its list, --slide moves a slider, and
// --press presses the button with this text, before the picture is taken. The colours are reduced by pngquant.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { launch, newPage, openFile } from "./test/chromium.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hash: { type: "string", default: "scene" },
    size: { type: "string", default: "1400x860" },
    dark: { type: "boolean", default: false },
    choose: { type: "string", multiple: true, default: [] },
    slide: { type: "string", multiple: true, default: [] },
    press: { type: "string", multiple: true, default: [] },
  },
});
const [report, picture] = positionals;
if (!picture) {
  console.error("screenshot.mjs needs the names of a report and of a picture.");
  process.exit(2);
}

function press(text) {
  const button = [...document.querySelectorAll("button")].find((each) => each.textContent.trim() === text);
  if (!button) throw new Error(`no button ${text}`);
  button.click();
}

function choose(text) {
  const option = [...document.querySelectorAll("option")].find((each) => each.textContent.trim() === text);
  if (!option) throw new Error(`no choice ${text}`);
  const select = option.closest("select");
  select.value = option.value;
  select.dispatchEvent(new Event("change"));
}

function slide(text) {
  const [selector, value] = text.split("=");
  const slider = document.querySelector(selector);
  if (!slider) throw new Error(`no slider ${selector}`);
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}

const browser = await launch();
try {
  const [width, height] = values.size.split("x").map(Number);
  const { page, errors } = await newPage(browser, { width, height, theme: values.dark ? "dark" : "light" });
  await openFile(page, resolve(report), `#${values.hash}`);
  for (const text of values.choose) await page.evaluate(choose, text);
  for (const text of values.slide) await page.evaluate(slide, text);
  for (const text of values.press) await page.evaluate(press, text);
  await new Promise((done) => setTimeout(done, 1500)); // the scene is drawn when the browser gets to it
  await page.screenshot({ path: picture });
  if (errors.length > 0) throw new Error(errors.join("\n"));
} finally {
  await browser.close();
}
execFileSync("pngquant", ["--force", "--strip", "--ext", ".png", "256", picture]);
