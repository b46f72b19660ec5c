// The parts that draw shapes.
import { Color, Matrix4, Vector3 } from "three";
import type { Shape, Vec } from "../types";
import { carried, type Item } from "./batch";
import type { Geometries } from "./geometries";
import { shapeMatrix } from "./outline";
import type { Poses } from "./poses";
import { bodyColour, colourOr, colours } from "./theme";

interface Part {
  geometry: string;
  colour: Color;
  at: Vec; // in the shape's frame
  scale: Vec;
}

function rodParts(shape: Shape, colour: Color): Part[] {
  const r = shape.radius;
  const ends = [-shape.length / 2, shape.length / 2];
  const balls = ends.map((z): Part => ({ geometry: "sphere", colour, at: [0, 0, z], scale: [r, r, r] }));
  return [{ geometry: "cylinder", colour, at: [0, 0, 0], scale: [r, r, shape.length] }, ...balls];
}

/** The colour that a model gives a wheel is that of its tyre. */
function wheelParts(shape: Shape, body: number): Part[] {
  const scale: Vec = [shape.radius, shape.length, shape.radius];
  const part = (geometry: string, colour: Color): Part => ({ geometry, colour, at: [0, 0, 0], scale });
  return [
    part("tyre", colourOr(shape.colour, colours.tyre)),
    part("mark", new Color(colours.mark)),
    part("rim", new Color(colours.rim)),
    part("hub", new Color(bodyColour(body))),
  ];
}

function partsOf(shape: Shape, body: number, geometries: Geometries): Part[] {
  const colour = colourOr(shape.colour, bodyColour(body));
  const at: Vec = [0, 0, 0];
  const r = shape.radius;
  switch (shape.kind) {
    case "box": {
      const { name, scale } = geometries.box(shape.size);
      return [{ geometry: name, colour, at, scale }];
    }
    case "cylinder": return [{ geometry: "cylinder", colour, at, scale: [r, r, shape.length] }];
    case "sphere": return [{ geometry: "sphere", colour, at, scale: [r, r, r] }];
    case "rod": return rodParts(shape, colour);
    case "wheel": return wheelParts(shape, body);
    case "mesh": {
      const geometry = geometries.mesh(shape.vertices ?? [], shape.corners ?? []);
      return [{ geometry, colour, at, scale: shape.size }];
    }
    default: return []; // of a later version of the program
  }
}

/** Items of the shapes of one body (-1: the ground). */
export function shapeItems(shapes: Shape[], body: number, poses: Poses, geometries: Geometries): Item[] {
  return shapes.flatMap((shape) => {
    const frame = shapeMatrix(shape);
    return partsOf(shape, body, geometries).map((part) => {
      const local = new Matrix4().makeTranslation(...part.at).scale(new Vector3(...part.scale)).premultiply(frame);
      return carried(poses, body, part.geometry, part.colour, local);
    });
  });
}
