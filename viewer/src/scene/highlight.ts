// Bodies that are selected or under the pointer stand out by colour.
import { Color } from "three";
import type { Bent } from "../bent/bent";
import type { Batch } from "./batch";
import { colours } from "./theme";

export interface Highlight {
  select(body: number): void;
  hover(body: number): boolean; // whether anything changed
}

export function createHighlight(batch: Batch, bent: Bent | null): Highlight {
  const accent = new Color(colours.highlight);
  let selected = -1;
  let hovered = -1;

  function paint() {
    const share = (body: number) => (body === selected ? 0.8 : body === hovered ? 0.45 : 0);
    batch.paint((item, out) => void (item.body >= 0 && out.lerp(accent, share(item.body))));
    bent?.highlight(share);
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
