// Geometries of unit size that all parts of a kind share, so that they are drawn in one call.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, Curve, CylinderGeometry, LatheGeometry, SphereGeometry,
  TorusGeometry, TubeGeometry, Vector2, Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { mergeGeometries, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Vec } from "../types";

/** Makes and keeps geometries by name. */
export interface Geometries {
  get(name: string): BufferGeometry;
  box(size: Vec): { name: string; scale: Vec };
  mesh(vertices: number[], corners: number[]): string;
}

class Helix extends Curve<Vector3> {
  constructor(private readonly turns: number, private readonly length: number) {
    super();
  }
  override getPoint(t: number, out = new Vector3()): Vector3 {
    const angle = 2 * Math.PI * this.turns * t;
    return out.set(Math.cos(angle), Math.sin(angle), this.length * t);
  }
}

const coilLengths = [4, 6, 9, 13, 19, 28]; // over the radius

/** The coil whose wire is about round at a length of so many radii; stretched further it gets flat. */
export function coilName(length: number): string {
  const best = coilLengths.reduce((a, b) => (Math.abs(Math.log(b / length)) < Math.abs(Math.log(a / length)) ? b : a));
  return `coil ${best}`;
}

function coil(length: number): BufferGeometry {
  const turns = Math.min(14, Math.max(5, Math.round(0.9 * length)));
  return new TubeGeometry(new Helix(turns, length), 24 * turns, 0.17, 8).scale(1, 1, 1 / length);
}

function alongZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

// A wheel turns about y, has radius and width 1.
/** Half of a tyre's cross-section as (radius, y), from the bead to the middle of the tread: a superellipse, which is
 *  round at the shoulders and flat at tread and side walls. */
function tyreProfile(): [number, number][] {
  const power = 2 / 3.2;
  const bent = (x: number) => Math.sign(x) * Math.abs(x) ** power;
  return Array.from({ length: 17 }, (_, i) => {
    const angle = -1.1 + (i / 16) * (Math.PI / 2 + 1.1);
    return [0.82 + 0.18 * bent(Math.sin(angle)), 0.5 * bent(Math.cos(angle))];
  });
}

function mirrored(profile: [number, number][]): Vector2[] {
  const upper = [...profile].reverse().map(([r, y]) => new Vector2(r, y));
  return [...profile.map(([r, y]) => new Vector2(r, -y)), ...upper];
}

function rim(): BufferGeometry {
  const barrel = new LatheGeometry(mirrored([[0.68, 0.43], [0.62, 0.36], [0.58, 0.2]]), 40);
  const spokes = Array.from({ length: 5 }, (_, i) =>
    new BoxGeometry(0.5, 0.3, 0.13).translate(0.36, 0, 0).rotateY((2 * Math.PI * i) / 5),
  );
  return mergeGeometries([barrel, ...spokes]);
}

// A stripe on the tyre, a little above it: it shows that the wheel turns.
function mark(): BufferGeometry {
  const raised = tyreProfile().map(([r, y]): [number, number] => [0.82 + 1.012 * (r - 0.82), 1.012 * y]);
  return new LatheGeometry(mirrored(raised.slice(3)), 3, Math.PI / 2 - 0.035, 0.07);
}

function makeNamed(name: string, around: number): BufferGeometry {
  switch (name) {
    case "box": return new BoxGeometry(1, 1, 1);
    case "sphere": return new SphereGeometry(1, around, Math.round(0.6 * around));
    case "cylinder": return alongZ(new CylinderGeometry(1, 1, 1, around));
    case "bar": return alongZ(new CylinderGeometry(1, 1, 1, Math.min(around, 20))).translate(0, 0, 0.5); // from 0 to 1
    case "cone": return alongZ(new ConeGeometry(1, 1, 24)).translate(0, 0, 0.5);
    case "ring": return new TorusGeometry(1, 0.22, 12, 36);
    case "hoop": return new TorusGeometry(1, 0.11, 10, 40);
    case "tyre": return new LatheGeometry(mirrored(tyreProfile()), 56);
    case "rim": return rim();
    case "hub": return new CylinderGeometry(0.2, 0.2, 0.44, 28);
    case "mark": return mark();
    default:
      if (name.startsWith("coil ")) return coil(Number(name.slice(5)));
      throw new Error(`no geometry is called ${name}`);
  }
}

function makeMesh(vertices: number[], corners: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(vertices), 3));
  if (corners.length > 0) geometry.setIndex(corners);
  return toCreasedNormals(geometry, 0.7); // smooth below 40 degrees
}

/** Fine: balls and boxes rounder than one would draw a thousand of. */
export function createGeometries(options: { fine: boolean }): Geometries {
  const known = new Map<string, BufferGeometry>();
  const meshes = new Map<number[], string>();
  const roundBoxes = new Set<string>();
  const most = options.fine ? 40 : 0; // sizes of round boxes: each is a call of its own to draw

  const keep = (name: string, geometry: BufferGeometry) => (known.set(name, geometry), geometry);

  return {
    get: (name) => known.get(name) ?? keep(name, makeNamed(name, options.fine ? 28 : 12)),
    box(size) {
      const name = `box ${size.map((edge) => edge.toPrecision(3)).join(" ")}`;
      if (!roundBoxes.has(name)) {
        if (roundBoxes.size >= most) return { name: "box", scale: size };
        roundBoxes.add(name);
        keep(name, new RoundedBoxGeometry(...size, 2, 0.09 * Math.min(...size)));
      }
      return { name, scale: [1, 1, 1] };
    },
    mesh(vertices, corners) {
      const name = meshes.get(vertices) ?? `mesh ${meshes.size}`;
      if (!known.has(name)) keep(name, makeMesh(vertices, corners));
      meshes.set(vertices, name);
      return name;
    },
  };
}
