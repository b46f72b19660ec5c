// The symbols of joints.
import { Color, Matrix4, Quaternion, Vector3 } from "three";
import type { Scene, Vec } from "../types";
import type { Item } from "./batch";
import { type Poses, vector } from "./poses";
import { colours } from "./theme";

type Joint = Scene["joints"][number];

interface Symbol {
  geometry: string;
  scale: Vec; // over the size of joints, z along the joint's axis
  turn?: Quaternion;
  end?: "from" | "to"; // whose point carries it
  colour?: string;
}

const acrossX = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
const acrossY = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI / 2);

const rail: Symbol = { geometry: "cylinder", scale: [0.28, 0.28, 16], end: "from", colour: colours.rail };

const symbols: Record<string, Symbol[]> = {
  revolute: [{ geometry: "cylinder", scale: [1.15, 1.15, 4.2] }, { geometry: "cylinder", scale: [0.55, 0.55, 5.4] }],
  prismatic: [{ geometry: "box", scale: [2.2, 2.2, 3.6] }, rail],
  cylindrical: [{ geometry: "cylinder", scale: [1.3, 1.3, 3.6] }, rail],
  universal: [
    { geometry: "cylinder", scale: [0.65, 0.65, 4.2] },
    { geometry: "cylinder", scale: [0.65, 0.65, 4.2], turn: acrossX },
    { geometry: "sphere", scale: [1, 1, 1] },
  ],
  spherical: [{ geometry: "sphere", scale: [1.5, 1.5, 1.5] }],
  fixed: [{ geometry: "box", scale: [1.9, 1.9, 1.9] }],
  planar: [{ geometry: "box", scale: [7, 7, 0.4] }],
  free: [],
  track: [], // the line is there to see
};
const symbolsOf = new Map(Object.entries(symbols)); // a type may be called "constructor"

const other: Symbol[] = [{ geometry: "sphere", scale: [1, 1, 1] }];

// A ring round the joint, twice, so that it is seen from all sides.
const cut: Symbol[] = [
  { geometry: "hoop", scale: [2.4, 2.4, 2.4], colour: colours.cut },
  { geometry: "hoop", scale: [2.4, 2.4, 2.4], turn: acrossY, colour: colours.cut },
];

function alongAxis(axis: Vec): Quaternion {
  const direction = vector(axis);
  if (!(direction.lengthSq() > 0)) return new Quaternion();
  return new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), direction.normalize());
}

/** The axis belongs to `from`; the point is that of either body. */
function symbolItem(joint: Joint, symbol: Symbol, size: number, poses: Poses): Item {
  const [body, at] = symbol.end === "from" ? [joint.from, joint.at_from] : [joint.to, joint.at_to];
  const turn = alongAxis(joint.axis).multiply(symbol.turn ?? new Quaternion());
  const local = new Matrix4().compose(new Vector3(), turn, vector(symbol.scale).multiplyScalar(size));
  const point = new Vector3();
  const place = (out: Matrix4) => {
    const axes = poses.matrix(joint.from);
    if (!axes || !poses.point(body, at, point)) return false;
    out.multiplyMatrices(axes, local).setPosition(point);
    return true;
  };
  return { geometry: symbol.geometry, colour: new Color(symbol.colour ?? colours.joint), body: -1, place };
}

export function jointItems(joints: Joint[], size: number, poses: Poses): Item[] {
  return joints.flatMap((joint) => {
    const all = [...(symbolsOf.get(joint.type) ?? other), ...(joint.cut ? cut : [])];
    return all.map((symbol) => symbolItem(joint, symbol, size, poses));
  });
}
