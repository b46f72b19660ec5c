// The page while `skyhook watch` serves it: asks for the state of the model and reloads when there is a newer run.
import { el } from "./dom";

interface Answer {
  version: number;
  state: "running" | "ready" | "error";
  message?: string;
}

const interval = 500; // ms

export function watchLive(banner: HTMLElement, beforeReload: () => void): void {
  const url = document.querySelector<HTMLMetaElement>('meta[name="skyhook-live"]')?.content ?? "";
  if (url === "" || url.startsWith("%")) return;
  let shown: number | null = null; // the version that this page shows
  const show = (kind: string, text: string) => {
    banner.className = `banner ${kind}`;
    banner.replaceChildren(...(text === "" ? [] : [el("pre", {}, text)]));
  };
  const ask = async () => {
    let answer: Answer;
    try {
      const response = await fetch(url, { cache: "no-store" });
      if (!response.ok) throw new Error(String(response.status));
      answer = (await response.json()) as Answer;
    } catch {
      show("lost", "No connection to skyhook watch: is it still running?");
      return true;
    }
    shown ??= answer.version;
    if (answer.version > shown) { // a failed run has a page too: what it reached
      beforeReload();
      location.reload();
      return false;
    }
    if (answer.state === "error") show("error", answer.message ?? "The model has an error.");
    else show(answer.state, answer.state === "running" ? "Running …" : "");
    return true;
  };
  const next = async () => {
    if (await ask()) setTimeout(next, interval);
  };
  void next();
}
