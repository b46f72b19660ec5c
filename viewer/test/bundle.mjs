// Modules of the page for tests in node, and the whole page in a folder of its own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const here = dirname(fileURLToPath(import.meta.url));

/** A folder that goes away with the process. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "skyhook-viewer-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Imports modules of src/, by their paths without ending, as one object. */
export async function load(...modules) {
  const out = join(scratch(), "modules.mjs");
  const contents = modules.map((name) => `export * from "./${name}";`).join("\n");
  await build({
    stdin: { contents, resolveDir: join(here, "../src"), loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node18",
    outfile: out,
    logLevel: "warning",
  });
  return import(pathToFileURL(out).href);
}

/** The page as it is built for the program: what $SKYHOOK_PAGE names, else built anew. */
export function template() {
  if (process.env.SKYHOOK_PAGE) return readFileSync(process.env.SKYHOOK_PAGE, "utf8");
  const file = join(scratch(), "viewer.html");
  execFileSync(process.execPath, [join(here, "../build.mjs"), "--out", file]);
  return readFileSync(file, "utf8");
}
