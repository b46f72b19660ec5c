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

function wheelParts(shape: Shape, colour: Color): Part[] {
  const scale: Vec = [shape.radius, shape.length, shape.radius];
  const part = (geometry: string, of: Color): Part => ({ geometry, colour: of, at: [0, 0, 0], scale });
  const rim = shape.colour === "" ? new Color(colours.rim) : colour;
  return [
    part("tyre", new Color(colours.tyre)),
    part("mark", new Color(colours.mark)),
    part("rim", rim),
    part("hub", colour),
  ];
}

function partsOf(shape: Shape, colour: Color, geometries: Geometries): Part[] {
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
    case "wheel": return wheelParts(shape, colour);
    case "mesh": {
      const geometry = geometries.mesh(shape.vertices ?? [], shape.corners ?? []);
      return [{ geometry, colour, at, scale: shape.size }];
    }
  }
}

/** Items of the shapes of one body (-1: the ground). */
export function shapeItems(shapes: Shape[], body: number, poses: Poses, geometries: Geometries): Item[] {
  return shapes.flatMap((shape) => {
    const frame = shapeMatrix(shape);
    const colour = colourOr(shape.colour, bodyColour(body));
    return partsOf(shape, colour, geometries).map((part) => {
      const local = new Matrix4().makeTranslation(...part.at).scale(new Vector3(...part.scale)).premultiply(frame);
      return carried(poses, body, part.geometry, part.colour, local);
    });
  });
}
