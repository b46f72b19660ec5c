// The line between scene and plots: a drag (or arrow keys on it) shares the room anew.
import { el } from "./dom";

const least = 0.15;

export function splitter(first: HTMLElement, resized: () => void): HTMLElement {
  const bar = el("div", {
    class: "splitter",
    role: "separator",
    tabindex: "0",
    "aria-label": "Share of the scene",
    title: "Drag to resize",
  });
  let share = 0.5;
  const apply = (value: number) => {
    share = Math.min(1 - least, Math.max(least, value));
    first.style.flexBasis = `${100 * share}%`;
    resized();
  };
  const shareAt = (event: PointerEvent) => {
    const { left, top, width, height } = bar.parentElement!.getBoundingClientRect();
    const stacked = getComputedStyle(bar.parentElement!).flexDirection === "column";
    return stacked ? (event.clientY - top) / height : (event.clientX - left) / width;
  };
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  bar.addEventListener("pointermove", (event) => {
    if (bar.hasPointerCapture(event.pointerId)) apply(shareAt(event));
  });
  bar.addEventListener("keydown", (event) => {
    const change = { ArrowLeft: -0.05, ArrowUp: -0.05, ArrowRight: 0.05, ArrowDown: 0.05 }[event.key];
    if (change === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    apply(share + change);
  });
  return bar;
}
