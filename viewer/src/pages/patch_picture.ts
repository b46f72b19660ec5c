// The contact patch of a wheel as FASTSIM sees it: cells that stick and cells that slide, with the tractions on the wheel. Seen from above, ahead is up.
import { svg } from "../dom";
import { short } from "../format";

type CellOf = [px: number, py: number, slides: number]; // tractions in per cent of the largest bound

export interface Patch {
  a: number; // m, semi-axis along
  b: number; // and across
  bound: number; // Pa
  sliding: number; // share of the area
  across: number; // slices
  along: number; // cells of a slice
  cells: CellOf[]; // slice by slice, from the leading edge on
}

export interface Box {
  x: number; // mm, ahead, of its middle
  y: number; // mm, to the field side
  length: number;
  width: number;
}

/** Slices are equal in an angle, as FASTSIM has them; cells are equal parts of a slice. */
export function boxOf(patch: Patch, slice: number, cell: number): Box {
  const sine = (k: number) => Math.sin(Math.PI * (k / patch.across - 0.5));
  const half = 1000 * patch.a * Math.cos(Math.PI * ((slice + 0.5) / patch.across - 0.5));
  const [y0, y1] = [1000 * patch.b * sine(slice), 1000 * patch.b * sine(slice + 1)];
  return { x: half * (1 - (2 * cell + 1) / patch.along), y: (y0 + y1) / 2, length: (2 * half) / patch.along, width: y1 - y0 };
}

export function patchText(patch: Patch | undefined): string {
  if (!patch || patch.cells.length === 0) return "no friction acts";
  const size = (x: number) => short(2000 * x, 3);
  return `${size(patch.a)} mm long, ${size(patch.b)} mm wide; ${Math.round(100 * patch.sliding)} % slides; bound of friction ${short(patch.bound / 1e6, 3)} MPa`;
}

const shown = 9; // mm to each side of the middle
const arrow = 1.6; // mm of the picture, a traction at the bound
const largest = 4; // times its size: small patches are enlarged, and stay smaller than others

export class PatchPicture {
  readonly element = svg("svg", { class: "wr-picture wr-patch", viewBox: `${-shown} ${-shown} ${2 * shown} ${2 * shown}`, role: "img", "aria-label": "contact patch" });

  constructor(private readonly side: 1 | -1) {}

  show(patch: Patch | undefined): void {
    const zoom = patch && patch.cells.length > 0 ? Math.min(largest, (0.85 * shown) / (1000 * Math.max(patch.a, patch.b))) : 1;
    const long = arrow / zoom;
    const group = svg("g", { transform: `scale(${zoom.toFixed(4)})` });
    patch?.cells.forEach(([px, py, slides], k) => {
      const box = boxOf(patch, Math.floor(k / patch.along), k % patch.along);
      const [x, y] = [-this.side * box.y, -box.x]; // to the left of the page is y of a left wheel
      group.append(
        svg("rect", {
          class: slides ? "wr-slides" : "wr-sticks",
          x: (x - box.width / 2).toFixed(3),
          y: (y - box.length / 2).toFixed(3),
          width: (box.width + 0.02).toFixed(3),
          height: (box.length + 0.02).toFixed(3),
        }),
      );
      if (Math.floor(k / patch.along) % 2 === 1 && (k % patch.along) % 2 === 1)
        group.append(svg("line", { class: "wr-traction", x1: x, y1: y, x2: x - (this.side * long * py) / 100, y2: y - (long * px) / 100, "stroke-width": (0.1 / zoom).toFixed(4) }));
    });
    // lines over cells
    group.append(...group.querySelectorAll("line"));
    this.element.replaceChildren(group);
  }
}
