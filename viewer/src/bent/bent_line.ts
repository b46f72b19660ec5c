// A line with a cross-section whose places are linear in states (ANCF): a bent solid, coloured by the strain along its fibres.
import { Matrix3, type MeshPhongMaterial, Vector3 } from "three";
import type { Bracket } from "../scene/frames";
import type { Poses } from "../scene/poses";
import type { BentLine, Run, Shade, Vec } from "../types";
import { across } from "./beam";
import { type BentPart, bentMesh } from "./bent_body";
import { createStates } from "./coordinates";
import { paint } from "./shades";
import { arrayOf, changed, movingGeometry, newRing, outlineOf, type Ring, Tube } from "./tube";

/** The line at one time. */
export interface LineShape {
  readonly rings: Ring[];
  readonly slopes: Vector3[]; // dr/dx, of length 1 without strain
  set(poses: Poses, now: Bracket): void;
  /** Of the fibre through (y, z) of a section. */
  strain(ring: number, y: number, z: number): number;
}

function sum(terms: number[], vectors: Vector3[], out: Vector3): Vector3 {
  out.set(0, 0, 0);
  for (let i = 0; i + 1 < terms.length; i += 2) out.addScaledVector(vectors[terms[i]], terms[i + 1]);
  return out;
}

/** Rates of change along the line, by differences with the neighbours. */
function rates(list: Vector3[], s: number[], out: Vector3[]): void {
  const last = list.length - 1;
  out.forEach((rate, i) => {
    const [a, b] = [Math.max(0, i - 1), Math.min(last, i + 1)];
    rate.subVectors(list[b], list[a]).divideScalar(s[b] - s[a] || 1);
  });
}

export function createLineShape(run: Run, line: BentLine): LineShape {
  const states = createStates(run);
  const numbers = states.numbersOf(line.states);
  const values = new Float64Array(numbers.length);
  const vectors = line.vectors.map(() => new Vector3());
  const { stations } = line;
  const s = stations.map((station) => station.s);
  const rings = stations.map(newRing);
  const slopes = stations.map(() => new Vector3());
  const [rateY, rateZ] = [0, 1].map(() => stations.map(() => new Vector3()));
  const axes = new Matrix3();
  if (line.axes) axes.set(...(line.axes as Parameters<Matrix3["set"]>));
  const origin = new Vector3(...(line.origin ?? [0, 0, 0]));
  const direction = (terms: number[], out: Vector3) => sum(terms, vectors, out).applyMatrix3(axes);
  const [along, before, fibre] = [new Vector3(), new Vector3(), new Vector3()];

  function setVectors(poses: Poses, now: Bracket) {
    numbers.forEach((number, k) => (values[k] = states.at(number, now)));
    line.vectors.forEach(([sx, sy, sz, x, y, z, body, isDirection], v) => {
      vectors[v].set(x + (values[sx] ?? 0), y + (values[sy] ?? 0), z + (values[sz] ?? 0));
      const pose = body === undefined ? null : poses.matrix(body);
      if (pose && isDirection) vectors[v].applyMatrix3(rotation.setFromMatrix4(pose));
      else if (pose) vectors[v].applyMatrix4(pose);
    });
  }

  /** The next section does not turn about the line against the one before. */
  function carry(i: number) {
    along.copy(slopes[i]).normalize();
    before.copy(i === 0 ? new Vector3(...(line.up ?? ([0, 0, 1] as Vec))) : rings[i - 1].z);
    rings[i].z.copy(across(before, along));
    rings[i].y.crossVectors(rings[i].z, along);
  }

  function setRing(i: number) {
    const { position, slope, y, z } = stations[i];
    direction(position, rings[i].centre).add(origin);
    direction(slope, slopes[i]);
    if (!y && !z) return carry(i);
    along.copy(slopes[i]).normalize();
    if (y) direction(y, rings[i].y);
    if (z) direction(z, rings[i].z);
    if (!y) rings[i].y.crossVectors(rings[i].z, along);
    if (!z) rings[i].z.crossVectors(along, rings[i].y).normalize();
  }

  return {
    rings,
    slopes,
    set(poses, now) {
      setVectors(poses, now);
      stations.forEach((_, i) => setRing(i));
      rates(rings.map((ring) => ring.y), s, rateY);
      rates(rings.map((ring) => ring.z), s, rateZ);
    },
    strain: (ring, y, z) => fibre.copy(slopes[ring]).addScaledVector(rateY[ring], y).addScaledVector(rateZ[ring], z).length() - 1,
  };
}

const rotation = new Matrix3();
const looks = 200; // frames that a scale is made from, at most

/** Poses are moved. */
export function largestStrain(run: Run, shape: LineShape, tube: Tube, poses: Poses): number {
  const frames = run.frames.time.length;
  const step = Math.max(1, Math.ceil(frames / looks));
  let largest = 0;
  for (let frame = 0; frame < frames; frame += step) {
    poses.setFrame(frame);
    shape.set(poses, poses.now);
    tube.each(0, (_, ring, y, z) => (largest = Math.max(largest, Math.abs(shape.strain(ring, y, z)) || 0)));
  }
  return largest;
}

/** Poses are moved. */
export function createBentLine(run: Run, line: BentLine, poses: Poses, material: MeshPhongMaterial): BentPart {
  const shape = createLineShape(run, line);
  const [width, height, round] = line.section;
  const tube = new Tube(outlineOf(width, height, round === 1), line.stations.length);
  const geometry = movingGeometry(tube.vertices, tube.corners(0, round === 1));
  const mesh = bentMesh(geometry, material);
  const [positions, normals, colours] = ["position", "normal", "color"].map((name) => arrayOf(geometry, name));
  const reach = largestStrain(run, shape, tube, poses);
  const shade: Shade = { quantity: "strain", low: -reach, high: reach };
  return {
    mesh,
    body: line.body,
    shade,
    measure() {
      shade.high = largestStrain(run, shape, tube, poses);
      shade.low = -shade.high;
    },
    update(now, scale) {
      shape.set(now, now.now);
      tube.place(shape.rings, positions, normals, 0);
      tube.each(0, (vertex, ring, y, z) => paint(scale, shape.strain(ring, y, z), colours, 3 * vertex));
      changed(geometry);
    },
  };
}

/** Places of the line over the run, few of them: for the size of the scene. Poses are moved. */
export function placesOf(run: Run, line: BentLine, poses: Poses): Vector3[] {
  const shape = createLineShape(run, line);
  const frames = run.frames.time.length;
  const step = Math.max(1, Math.ceil(frames / 50));
  const out: Vector3[] = [];
  for (let frame = frames > 0 ? 0 : -1; frame < frames; frame += step) {
    poses.setFrame(frame);
    shape.set(poses, poses.now);
    out.push(...shape.rings.map((ring) => ring.centre.clone()));
  }
  return out;
}
