// The page while `skyhook watch` serves it: asks for the state of the model and reloads when there is a newer run.
import { el } from "./dom";
import { recall, remember } from "./storage";

interface Answer {
  version: number;
  state: "running" | "ready" | "error";
  message?: string;
}

const interval = 500; // ms
const reloadKey = "skyhook-reload";

/** "address;7": where to ask and the version of this page; null where the page does not tell it or is not live. */
export function liveAddress(content: string): { url: string; version: number | null } {
  const [url, version = ""] = content.startsWith("%") ? [""] : content.split(";");
  return { url, version: /^\d+$/.test(version) ? Number(version) : null };
}

/** Whether to load again for another version; not twice in vain, should a page tell another one than its server. */
function shouldReload(shown: number, offered: number): boolean {
  const change = `${shown} ${offered}`;
  const again = shown !== offered && recall("sessionStorage", reloadKey) !== change;
  if (again || shown === offered) remember("sessionStorage", reloadKey, again ? change : null);
  return again;
}

export function watchLive(banner: HTMLElement, beforeReload: () => void): void {
  const { url, version } = liveAddress(
    document.querySelector<HTMLMetaElement>('meta[name="skyhook-live"]')?.content ?? "",
  );
  if (url === "") return;
  let shown = version; // else the first one that is told
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
    // A watch that was started again counts from 1. A failed run has a page too: what it reached.
    if (shouldReload(shown, answer.version)) {
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
