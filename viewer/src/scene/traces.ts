// The ways of markers and body origins through the run: faint as a whole, bright up to now, with a dot at the present.
import { Color, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Run, Vec } from "../types";
import type { Poses } from "./poses";
import { bodyColour } from "./theme";

export interface Traces {
  readonly group: Group;
  set(number: number, on: boolean): void;
  update(): void;
}

interface Trace {
  group: Group;
  update(): void;
}

export interface Way {
  points: number[]; // two ends of each piece
  frames: number[]; // at which each piece ends
}

/** The pieces between neighbouring frames that both have a place. */
export function wayOf(run: Run, poses: Poses, body: number, at: Vec): Way {
  const way: Way = { points: [], frames: [] };
  const [before, now] = [new Vector3(), new Vector3()];
  let known = false;
  for (let frame = 0; frame < run.frames.time.length; ++frame) {
    poses.setFrame(frame);
    const found = poses.point(body, at, now);
    if (known && found) {
      way.points.push(...before.toArray(), ...now.toArray());
      way.frames.push(frame);
    }
    known = found;
    before.copy(now);
  }
  return way;
}

function line(points: number[], colour: Color, opacity: number, width: number): LineSegments2 {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(points);
  const material = new LineMaterial({ color: colour.getHex(), linewidth: width, transparent: opacity < 1, opacity });
  const lines = new LineSegments2(geometry, material);
  lines.frustumCulled = false;
  return lines;
}

function createTrace(way: Way, poses: Poses, body: number, at: Vec, colour: Color, size: number): Trace {
  const group = new Group();
  const dot = new Mesh(new SphereGeometry(0.009 * size, 16, 12), new MeshBasicMaterial({ color: colour }));
  group.add(dot);
  if (way.frames.length === 0) return { group, update: () => void (dot.visible = poses.point(body, at, dot.position)) };
  const past = line(way.points, colour, 1, 2.5);
  group.add(line(way.points, colour, 0.3, 1.5), past);

  function update() {
    dot.visible = poses.point(body, at, dot.position);
    let pieces = 0;
    while (pieces < way.frames.length && way.frames[pieces] <= poses.now.index) ++pieces;
    past.visible = pieces > 0;
    past.geometry.instanceCount = pieces;
  }
  return { group, update };
}

/** Where wheels touch their roads, over the whole run; a little above, so that the road does not hide it. */
export function tracksOf(run: Run, scratch: Poses): number[][] {
  const above = 0.01;
  return (run.scene?.forces ?? []).flatMap((force) => {
    if (!("to" in force) || force.track === undefined) return [];
    const { points } = wayOf(run, scratch, force.to, force.at_to);
    const drop = force.track - above;
    return [points.map((value, i) => (i % 3 === 2 ? value - drop : value))];
  });
}

/** Numbers: first the markers of the scene, then the origins of the bodies. */
export function tracePoint(run: Run, number: number): { body: number; at: Vec } {
  const markers = run.scene?.markers ?? [];
  if (number < markers.length) return markers[number];
  return { body: number - markers.length, at: [0, 0, 0] };
}

/** `scratch` are poses of the same run that may be moved. */
export function createTraces(run: Run, poses: Poses, scratch: Poses, size: number): Traces {
  const group = new Group();
  const traces = new Map<number, Trace>();
  tracksOf(run, scratch).forEach((points, i) => {
    if (points.length > 0) group.add(line(points, new Color(bodyColour(i)), 0.8, 2));
  });

  function make(number: number): Trace {
    const { body, at } = tracePoint(run, number);
    const colour = new Color(bodyColour(number));
    const trace = createTrace(wayOf(run, scratch, body, at), poses, body, at, colour, size);
    traces.set(number, trace);
    group.add(trace.group);
    return trace;
  }

  return {
    group,
    set(number, on) {
      const trace = traces.get(number) ?? (on ? make(number) : undefined);
      if (trace) trace.group.visible = on;
    },
    update: () => traces.forEach((trace) => trace.update()),
  };
}
