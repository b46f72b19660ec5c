// The global axes in the corner of the picture.
import { type PerspectiveCamera, Vector3 } from "three";
import type { Theme } from "./theme";

export interface Triad {
  update(camera: PerspectiveCamera): void;
  setTheme(theme: Theme): void;
}

const axes: [string, string, Vector3][] = [
  ["x", "#d9480f", new Vector3(1, 0, 0)],
  ["y", "#2b8a3e", new Vector3(0, 1, 0)],
  ["z", "#1c7ed6", new Vector3(0, 0, 1)],
];

function svg(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export function createTriad(container: HTMLElement): Triad {
  const frame = svg("svg", { width: "84", height: "84", viewBox: "-42 -42 84 84", "aria-hidden": "true" });
  frame.setAttribute("style", "position: absolute; left: 8px; bottom: 8px; pointer-events: none");
  container.append(frame);
  const arms = axes.map(([name, colour, axis]) => {
    const line = svg("line", { stroke: colour, "stroke-width": "2.5", "stroke-linecap": "round", x1: "0", y1: "0" });
    const text = svg("text", { fill: colour, "text-anchor": "middle", "dominant-baseline": "central", font: "600 12px sans-serif" });
    text.setAttribute("style", "font: 600 12px system-ui, sans-serif");
    text.textContent = name;
    const arm = svg("g", {});
    arm.append(line, text);
    return { axis, arm, line, text };
  });
  const seen = new Vector3();

  return {
    update(camera) {
      const depths = arms.map(({ axis, arm, line, text }) => {
        seen.copy(axis).transformDirection(camera.matrixWorldInverse);
        line.setAttribute("x2", String(26 * seen.x));
        line.setAttribute("y2", String(-26 * seen.y));
        text.setAttribute("x", String(35 * seen.x));
        text.setAttribute("y", String(-35 * seen.y));
        return { arm, depth: seen.z };
      });
      // The arm that points to the viewer lies over the others.
      frame.replaceChildren(...depths.sort((a, b) => a.depth - b.depth).map(({ arm }) => arm));
    },
    setTheme(theme) {
      frame.style.filter = theme.shadow > 0.3 ? "brightness(1.35)" : "";
    },
  };
}
