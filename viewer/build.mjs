// Bundles the page into one HTML file: node build.mjs --out FILE [--debug]
// `skyhook report` fills the placeholders %SKYHOOK_TITLE%, %SKYHOOK_LIVE% and %SKYHOOK_DATA%.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const placeholders = ["%SKYHOOK_TITLE%", "%SKYHOOK_LIVE%", "%SKYHOOK_DATA%"];

function options(args) {
  const known = { out: "", debug: false };
  for (let i = 0; i < args.length; ++i) {
    if (args[i] === "--out" && i + 1 < args.length) known.out = resolve(args[++i]);
    else if (args[i] === "--debug") known.debug = true;
    else throw new Error(`unknown option ${args[i]}. Use: node build.mjs --out FILE [--debug]`);
  }
  if (!known.out) throw new Error("no --out FILE. Use: node build.mjs --out FILE [--debug]");
  return known;
}

async function bundle(debug) {
  const result = await build({
    entryPoints: { viewer: join(here, "src/main.ts") },
    bundle: true,
    write: false,
    outdir: here,
    minify: !debug,
    sourcemap: debug ? "inline" : false,
    format: "iife",
    target: "es2020",
    charset: "utf8",
    legalComments: "none", // the licences stand in the page as a whole
    logLevel: "warning",
  });
  const text = (end) => result.outputFiles.find((file) => file.path.endsWith(end))?.text ?? "";
  return { js: text(".js"), css: text(".css") };
}

async function licences() {
  const texts = await Promise.all(
    ["three", "uplot"].map(async (name) => {
      const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
      return `${name}\n\n${text.trim()}\n`;
    }),
  );
  return `This page contains:\n\n${texts.join("\n")}`;
}

// A script ends at "</script" wherever it stands, and "<!--" opens a state in which it would not end at all.
// Both can occur only inside strings and regular expressions, where \x3c means the same.
const inScript = (text) => text.replace(/<(?=\/script|!--)/gi, "\\x3c");
const inStyle = (text) => text.replace(/<\/style/gi, "<\\/style");

function fill(template, parts) {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

function check(page) {
  for (const name of placeholders) {
    const count = page.split(name).length - 1;
    if (count !== 1) throw new Error(`${name} stands ${count} times in the page, not once`);
  }
}

async function main() {
  const { out, debug } = options(process.argv.slice(2));
  const [template, { js, css }, notice] = await Promise.all([
    readFile(join(here, "src/page.html"), "utf8"),
    bundle(debug),
    licences(),
  ]);
  const page = fill(template, { css: inStyle(css), js: inScript(js), licences: notice });
  check(page);
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, page);
}

main().catch((error) => {
  console.error(`viewer/build.mjs: ${error.message}`);
  process.exit(1);
});
