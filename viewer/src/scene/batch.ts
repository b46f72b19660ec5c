// Many parts in few draw calls: all that share a geometry are instances of one mesh.
import { Color, Group, InstancedMesh, type Material, Matrix4 } from "three";
import type { Geometries } from "./geometries";
import type { Poses } from "./poses";

export interface Item {
  geometry: string;
  colour: Color;
  body: number; // that it belongs to: the ground or none is -1
  place(out: Matrix4): boolean; // false: it is not to be seen
}

export interface Batch {
  readonly group: Group;
  update(): void;
  /** Gives every item the colour that the function makes of its own. */
  paint(colourOf: (item: Item, out: Color) => void): void;
  itemOf(mesh: InstancedMesh, instance: number): Item | undefined;
}

const hidden = new Matrix4().makeScale(0, 0, 0);

/** A part that a body carries. */
export function carried(poses: Poses, body: number, geometry: string, colour: Color, local: Matrix4): Item {
  const place = (out: Matrix4) => {
    const pose = poses.matrix(body);
    if (pose) out.multiplyMatrices(pose, local);
    return pose !== null;
  };
  return { geometry, colour, body, place };
}

function byGeometry(items: Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.geometry);
    if (group) group.push(item);
    else groups.set(item.geometry, [item]);
  }
  return groups;
}

/** The same instances once more in another material. */
function twin(mesh: InstancedMesh, material: Material): InstancedMesh {
  const other = new InstancedMesh(mesh.geometry, material, mesh.count);
  other.instanceMatrix = mesh.instanceMatrix;
  other.instanceColor = mesh.instanceColor;
  other.frustumCulled = false;
  return other;
}

/** With a material `behind`, parts are drawn with it where others hide them. */
export function createBatch(items: Item[], geometries: Geometries, material: Material, behind?: Material): Batch {
  const group = new Group();
  const itemsOf = new Map<InstancedMesh, Item[]>();
  for (const [name, list] of byGeometry(items)) {
    const mesh = new InstancedMesh(geometries.get(name), material, list.length);
    mesh.frustumCulled = false; // its bounds would have to be computed at each time
    list.forEach((item, i) => mesh.setColorAt(i, item.colour));
    itemsOf.set(mesh, list);
    group.add(mesh);
    if (behind) group.add(twin(mesh, behind));
  }
  const matrix = new Matrix4();

  function update() {
    for (const [mesh, list] of itemsOf) {
      list.forEach((item, i) => mesh.setMatrixAt(i, item.place(matrix) ? matrix : hidden));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // picking makes it anew
    }
  }

  function paint(colourOf: (item: Item, out: Color) => void) {
    const colour = new Color();
    for (const [mesh, list] of itemsOf) {
      list.forEach((item, i) => {
        colourOf(item, colour.copy(item.colour));
        mesh.setColorAt(i, colour);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  return { group, update, paint, itemOf: (mesh, instance) => itemsOf.get(mesh)?.[instance] };
}
