// Formulas as HTML, made when the site is built, so that its pages need no script and no network.
//
//   node typeset.mjs --styles FOLDER < formulas.json      [{"tex": "G^T", "display": false}, ...]
//
// prints a JSON list of HTML in the same order, and copies the style sheet and its fonts to FOLDER. A formula that KaTeX
// cannot read ends the program with its text.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import katex from "katex";

const styles = process.argv[process.argv.indexOf("--styles") + 1];
const dist = join(dirname(createRequire(import.meta.url).resolve("katex/package.json")), "dist");
mkdirSync(join(styles, "fonts"), { recursive: true });
for (const font of readdirSync(join(dist, "fonts"))) {
  if (font.endsWith(".woff2")) cpSync(join(dist, "fonts", font), join(styles, "fonts", font));
}
// Every browser of today reads woff2: the other kinds are left out, and so are their names.
const sheet = readFileSync(join(dist, "katex.min.css"), "utf8").replace(/,url\([^)]*\.(woff|ttf)\) format\("[a-z]*"\)/g, "");
writeFileSync(join(styles, "katex.css"), sheet);

const formulas = JSON.parse(readFileSync(0, "utf8"));
const rendered = formulas.map(({ tex, display, place }) => {
  try {
    return katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: "error", output: "html" });
  } catch (error) {
    console.error(`${place}: ${error.message}\n  ${tex}`);
    process.exitCode = 1;
    return "";
  }
});
process.stdout.write(JSON.stringify(rendered));
