// Bodies that are selected or under the pointer stand out by colour.
import { Color } from "three";
import type { Batch } from "./batch";
import { colours } from "./theme";

export interface Highlight {
  select(body: number): void;
  hover(body: number): boolean; // whether anything changed
}

export function createHighlight(batch: Batch): Highlight {
  const accent = new Color(colours.highlight);
  let selected = -1;
  let hovered = -1;

  function paint() {
    batch.paint((item, out) => {
      if (item.body < 0) return;
      if (item.body === selected) out.lerp(accent, 0.8);
      else if (item.body === hovered) out.lerp(accent, 0.45);
    });
  }

  return {
    select(body) {
      selected = body;
      paint();
    },
    hover(body) {
      if (body === hovered) return false;
      hovered = body;
      paint();
      return true;
    },
  };
}
