// Names over the canvas. They come from model files: only ever set as text.
import { type PerspectiveCamera, Vector3 } from "three";
import type { Theme } from "./theme";

export interface Label {
  text: string;
  /** Global point; false where it has none. */
  place(out: Vector3): boolean;
}

export interface Labels {
  show(on: boolean): void;
  /** The name next to the pointer; null: none. */
  hint(text: string | null, x: number, y: number): void;
  setTheme(theme: Theme): void;
  update(camera: PerspectiveCamera, width: number, height: number): void;
}

const most = 300;
const lineHeight = 18;

function tag(layer: HTMLElement): HTMLElement {
  const element = document.createElement("div");
  Object.assign(element.style, {
    position: "absolute", left: "0", top: "0", padding: "1px 6px", borderRadius: "4px", display: "none",
    font: "12px/16px system-ui, sans-serif", whiteSpace: "nowrap", maxWidth: "40ch", overflow: "hidden",
    textOverflow: "ellipsis", willChange: "transform",
  });
  layer.append(element);
  return element;
}

function createLayer(container: HTMLElement): HTMLElement {
  const layer = document.createElement("div");
  layer.className = "scene-labels";
  layer.setAttribute("aria-hidden", "true");
  Object.assign(layer.style, { position: "absolute", inset: "0", overflow: "hidden", pointerEvents: "none" });
  container.append(layer);
  return layer;
}

interface Box {
  x: number;
  y: number;
  width: number;
}

function overlaps(a: Box, b: Box): boolean {
  return Math.abs(a.y - b.y) < lineHeight && a.x < b.x + b.width && b.x < a.x + a.width;
}

/** Where a label begins: right of the point, or left of it where the edge would clip it. */
export function besides(x: number, gap: number, label: number, width: number): number {
  return x + gap + label <= width ? x + gap : Math.max(0, x - gap - label);
}

export function createLabels(container: HTMLElement, labels: Label[]): Labels {
  const layer = createLayer(container);
  const hintTag = tag(layer);
  const shown = labels.slice(0, most);
  let tags: HTMLElement[] = [];
  let widths: number[] = [];
  let on = false;
  let theme: Theme | null = null;

  const dress = (element: HTMLElement) => {
    if (theme) Object.assign(element.style, { color: theme.text, background: theme.plate });
  };

  // Only when names are asked for: a page of a thousand bodies need not have them all.
  function makeTags() {
    tags = shown.map((label) => {
      const element = tag(layer);
      element.textContent = label.text;
      element.style.display = "block";
      dress(element);
      return element;
    });
    widths = tags.map((element) => element.offsetWidth);
    layer.append(hintTag); // over the others
  }

  function put(element: HTMLElement, x: number, y: number) {
    element.style.display = "block";
    element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  const point = new Vector3();
  let edge = Infinity; // width of the canvas

  function update(camera: PerspectiveCamera, width: number, height: number) {
    edge = width;
    if (!on) return;
    const taken: Box[] = [];
    shown.forEach((label, i) => {
      tags[i].style.display = "none";
      if (!label.place(point)) return;
      point.project(camera);
      if (Math.abs(point.z) > 1) return;
      const box = {
        x: besides((width * (1 + point.x)) / 2, 8, widths[i], width),
        y: (height * (1 - point.y)) / 2 - 20,
        width: widths[i],
      };
      if (taken.some((other) => overlaps(box, other))) return;
      taken.push(box);
      put(tags[i], box.x, box.y);
    });
  }

  return {
    update,
    show(wanted) {
      on = wanted;
      if (on && tags.length === 0) makeTags();
      if (!on) for (const element of tags) element.style.display = "none";
    },
    hint(text, x, y) {
      if (text === null) hintTag.style.display = "none";
      else {
        hintTag.textContent = text;
        hintTag.style.display = "block"; // else it has no width
        put(hintTag, besides(x, 14, hintTag.offsetWidth, edge), y + 12);
      }
    },
    setTheme(next) {
      theme = next;
      [hintTag, ...tags].forEach(dress);
    },
  };
}
