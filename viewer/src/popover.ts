// A box that opens below a button.
import { el } from "./dom";

/** A button with a box that opens below it and closes at a click elsewhere. */
export function popover(text: string, title: string, content: HTMLElement, className = ""): HTMLElement {
  const details = el(
    "details",
    { class: `popover ${className}` },
    el("summary", { class: "tool", title }, text),
    el("div", { class: "popover-box" }, content),
  );
  document.addEventListener("pointerdown", (event) => {
    if (!details.contains(event.target as Node)) details.open = false;
  });
  return details;
}
