// All that bends in a run.
import { Color, Group, type MeshPhongMaterial } from "three";
import type { Poses } from "../scene/poses";
import { colours } from "../scene/theme";
import type { Run, Shade } from "../types";
import { type BentPart, createBentBody, isDrawn } from "./bent_body";
import { createBentLine } from "./bent_line";
import { joined } from "./shades";

export interface Bent {
  readonly group: Group;
  readonly shades: Shade[]; // one for each quantity
  update(): void;
  measure(): void; // the frames have changed: finds the shades anew
  highlight(share: (body: number) => number): void; // 0: none, 1: all highlight
}

/** Null where nothing bends. `scratch` are poses of the run that may be moved; `material` makes one for each part. */
export function createBent(run: Run, poses: Poses, scratch: Poses, material: () => MeshPhongMaterial): Bent | null {
  const bodies = (run.scene?.bodies ?? []).flatMap(({ modes, shapes }, i): BentPart[] => (isDrawn(modes) ? [createBentBody(run, i, modes, shapes, material())] : []));
  const lines = (run.scene?.bent_lines ?? []).map((line) => createBentLine(run, line, scratch, material()));
  const parts = [...bodies, ...lines];
  if (parts.length === 0) return null;
  const shades = joined(parts.map(({ shade }) => shade));
  const scales = parts.map(({ shade }) => shades.find(({ quantity }) => quantity === shade.quantity) ?? shade);
  const group = new Group();
  for (const { mesh, body } of parts) {
    mesh.userData.body = body;
    group.add(mesh);
  }
  const accent = new Color(colours.highlight);
  return {
    group,
    shades,
    measure() {
      for (const part of parts) part.measure();
      for (const now of joined(parts.map(({ shade }) => shade))) Object.assign(shades.find(({ quantity }) => quantity === now.quantity) ?? {}, now);
    },
    update: () => parts.forEach((part, i) => part.update(poses, scales[i])),
    highlight(share) {
      for (const { mesh, body } of parts) (mesh.material as MeshPhongMaterial).emissive.copy(accent).multiplyScalar(body < 0 ? 0 : 0.6 * share(body));
    },
  };
}
