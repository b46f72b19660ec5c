import "./style.css";
import { App } from "./app";
import { DataError, decode } from "./data";
import { el } from "./dom";
import { watchLive } from "./live";
import { Theme } from "./theme";

/** What the page says instead of a run. */
function showFailure(host: HTMLElement, error: unknown): void {
  new Theme();
  const text =
    error instanceof DataError
      ? error.message
      : `The page failed: ${error instanceof Error ? error.message : String(error)}`;
  const banner = el("div", { class: "banner" });
  host.textContent = ""; // replaceChildren may be what this browser lacks
  host.append(
    banner,
    el("div", { class: "failure", role: "alert" }, el("h1", {}, "This report cannot be shown"), el("p", {}, text)),
  );
  watchLive(banner, () => undefined);
  if (!(error instanceof DataError)) console.error(error);
}

async function main(): Promise<void> {
  const host = document.getElementById("app") as HTMLElement;
  try {
    const runs = await decode(document.getElementById("skyhook-data")?.textContent ?? "");
    const app = new App(host, runs);
    Object.assign(window, { skyhook: { runs, clock: app.clock, scene: app.scene, plots: app.plots, app } });
  } catch (error) {
    showFailure(host, error);
  }
}

document.getElementById("too-old")?.remove();
void main();
