// Chromium for the tests, headless with WebGL in software, in a profile of its own.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { scratch } from "./bundle.mjs";
import { filled } from "./fixture.mjs";

export const executablePath = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

const flags =
  "--headless=new --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --disable-background-networking " +
  "--disable-component-update --disable-sync --no-first-run --disable-quic --force-device-scale-factor=1";

export const launch = () =>
  puppeteer.launch({
    executablePath,
    userDataDir: join(scratch(), "profile"),
    args: flags.split(" "),
    protocolTimeout: 120000,
  });

/** A page and what went wrong in it. */
export async function newPage(browser, { width = 1240, height = 560, theme = "light" } = {}) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(`page error: ${error}`));
  page.on("console", (message) => message.type() === "error" && errors.push(`console: ${message.text()}`));
  page.on(
    "request",
    (request) =>
      !/^(file|data|blob|about|http:\/\/127\.0\.0\.1)/.test(request.url()) && errors.push(`asked for ${request.url()}`),
  );
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  return { page, errors };
}

const folder = scratch();
let count = 0;

/** Opens a report from disk, as its reader does. */
export async function open(page, template, data, hash = "") {
  const file = join(folder, `report_${++count}.html`);
  writeFileSync(file, filled(template, data, { title: `report ${count}` }));
  await openFile(page, file, hash);
}

export async function openFile(page, file, hash = "") {
  await page.goto(pathToFileURL(file).href + hash);
  await ready(page);
}

export const ready = (page) =>
  page.waitForFunction("window.skyhook || document.querySelector('.failure')", { timeout: 180000 });
