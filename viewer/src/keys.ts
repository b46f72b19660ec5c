// The keyboard: what works anywhere but in a field that takes text.
import type { SceneControls } from "./scene_controls";
import { views } from "./scene_controls";
import type { Clock } from "./types";

function takesKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key === " " && target.closest("button, summary, input, label")) return true; // the space bar presses it
  if (target instanceof HTMLInputElement) return !["checkbox", "range"].includes(target.type);
  if (target.closest("[role=listbox]")) return true; // it has keys of its own
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** Whoever pressed a button with the mouse, or chose in a list, means the run with the next key. */
function releaseButtons(): void {
  window.addEventListener("click", (event) => {
    const focused = document.activeElement;
    const withMouse = event.detail > 0;
    if (
      withMouse &&
      focused instanceof HTMLElement &&
      focused.matches("button, summary, input[type=checkbox], input[type=range]")
    )
      focused.blur();
  });
  window.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement) target.blur();
  });
}

/** They act only while `active` says so: on the page of the run the arrow keys scroll. */
export function listenToKeys(clock: Clock, controls: SceneControls, active: () => boolean): void {
  releaseButtons();
  window.addEventListener("keydown", (event) => {
    if (!active() || event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target, event.key)) return;
    const frames = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => (clock.playing ? clock.pause() : clock.play()),
      ArrowLeft: () => clock.step(-frames),
      ArrowRight: () => clock.step(frames),
      Home: () => clock.set(clock.begin),
      End: () => clock.set(clock.end),
      "+": () => controls.changeArrows(2),
      "-": () => controls.changeArrows(-2),
    };
    const view = views[Number(event.key) - 1];
    const action = actions[event.key] ?? (view && (() => controls.setView(view)));
    if (!action) return;
    event.preventDefault();
    action();
  });
}
