// What a report holds (written by src/skyhook/io/report) and what the parts of the page know of each other.
// All numbers are SI. NaN stands in arrays where a sample has no value; in JSON it is null.
import type { ModelPage } from "./plots/page_text";

/** A run as the page holds it, arrays decoded. */
export interface Run {
  label: string; // "double_wishbone, travel"
  file: string; // of the result
  info: RunInfo;
  note?: string; // what its reader should know: rotations too fast for the frames, a damaged scene
  cost: [string, number][]; // "steps", "residuals", ... as `skyhook show --cost` tells them
  limits: { state: string; element: string; steps: number }[]; // what limited the step
  parameters: { name: string; value: string }[];
  report: string[]; // what `skyhook check` says of the model
  source: string; // the model file
  scene: Scene | null; // null: a result without one
  plots: ModelPage[]; // pages of plots that the model file has
  found: unknown; // what an analysis says with --json, an object; null of a run
  sceneProblem: string; // why it is null although the result has one, else ""
  frames: Frames;
  times: Float64Array[]; // of the channels
  channels: Channel[];
  thinned: number; // 1: every sample is here; k: about one of k, smallest and largest kept
  steps: { t: Float64Array; h: Float32Array; order: Int32Array; dominant: Int32Array }; // dominant: into states, -1 none
  states: string[];
  drift: { time: Float64Array; position: Float32Array; velocity: Float32Array }; // largest constraint residuals
  events: { t: number; name: string; detail: string; element: string; kind: string }[]; // element "": the run itself
}

export interface RunInfo {
  analysis: string; // "simulate", "modes", "response", ...
  model: string;
  model_file: string;
  experiment: string;
  formulation: string;
  solver: string;
  jacobian: string;
  tolerance: number;
  t_start: number;
  t_end: number;
  abscissa: string; // what t is: "time", of a kinematic analysis the travel, of a response the frequency
  abscissa_unit: string;
  created: string;
  skyhook_version: string;
  status: string; // finished, interrupted, failed, running
  reason: string;
  t_reached: number;
  seconds: number;
  integrator_seconds: number;
  energy_closure: number;
  position_residual: number;
  velocity_residual: number;
  samples: number; // of the result, before thinning
}

export interface Channel {
  name: string;
  unit: string; // "-" or "" where there is none
  time: number; // index into Run.times
  values: Float32Array;
  stats: { min: number; max: number; mean: number; rms: number; first: number; last: number; t_min: number; t_max: number };
}

/** Poses and forces at the times of the animation; series by series, so entry (item, component, frame) stands at
 *  (item * components + component) * time.length + frame. */
export interface Frames {
  time: Float64Array;
  positions: Float32Array; // bodies x 3
  quaternions: Float32Array; // bodies x 4: w x y z
  reactions: Float32Array; // joints x 3: force on `to` at the joint's point, global axes
  forces: Float32Array; // force elements x 3: force on `to` at its point, global axes
  moments: Float32Array; // force elements x 3
  state_names?: string[]; // of the states that bodies that bend are drawn by
  states?: Float32Array; // these x 1
}

export type Vec = [number, number, number];
export type Quat = [number, number, number, number]; // w x y z

/** See src/skyhook/simulation/scene.h. Points are in the frame of the body that carries them; -1 is the ground. */
export interface Scene {
  gravity: Vec;
  degrees_of_freedom: number;
  coordinates: number;
  constraints: number;
  redundant: number;
  ground: { shapes: Shape[] };
  moving_roads?: string[]; // drawn as at time 0
  tracks?: TrackShape[]; // railway tracks on which something stands or moves
  profiles?: { name: string; points: number[] }[]; // of wheels and rails, as left ones: y, z, y, z, ...; m
  bodies: {
    name: string;
    mass: number;
    com: Vec;
    inertia: [number, number, number, number, number, number]; // xx yy zz xy xz yz, body axes, about the centre of mass
    at: Vec;
    quaternion: Quat;
    shapes: Shape[];
    tree: { parent: number; joint: number; reversed: boolean; depth: number };
    modes?: BodyModes; // of a body that bends
  }[];
  bent_lines?: BentLine[];
  markers: { name: string; body: number; at: Vec; quaternion: Quat }[];
  joints: (Ends & { name: string; type: string; axis: Vec; cut: boolean; coordinates: string[] })[];
  rods: (Ends & { name: string })[];
  couplers: { name: string; joints: number[] }[];
  /** track: from at_to down to a road; friction: largest forces along and across over the load, of a tyre at its usual load */
  forces: ({ name: string; type: string; track?: number; friction?: [number, number]; rail?: RailWheel } & (Ends | { joint: number }))[];
}

/** How a body bends: point p is at points[p] + sum over k of states[k] shifts[p][k], in the body's frame. */
export interface BodyModes {
  states: string[];
  frequencies: number[]; // Hz; may be empty
  points: Vec[];
  shifts: Vec[][];
  turns?: Vec[][]; // rotations, small; there where there are lines
  lines: [number, number][];
  triangles: [number, number, number][];
}

/** A line with a cross-section whose places are linear in states: finite elements in absolute coordinates. */
export interface BentLine {
  name: string;
  body: number; // that a click selects; -1: none
  states: string[];
  vectors: number[][]; // three states (-1: none), x, y, z; of a node that a body carries also body, and 1 if it is a direction
  section: [number, number, number]; // width, height, 1 if round
  up: Vec;
  axes?: number[]; // rows of the rotation from the axes of the vectors to global ones; none: they are global
  origin?: Vec; // of these axes
  stations: BentStation[];
}

/** Sums of vectors, as number of the vector, weight, number, weight, ... */
export interface BentStation {
  s: number; // m along the unstrained line
  position: number[];
  slope: number[];
  y?: number[]; // directors of the section
  z?: number[];
}

/** A profile that follows along a line: from `begin` on, whole after `over`. */
export interface RailChange {
  begin: number; // m along the line
  over: number;
  profile: number;
  rail_y: number;
}

/** A railway track, see src/skyhook/simulation/track_scene.h. */
export interface TrackShape {
  name: string;
  body: number;
  at: Vec;
  quaternion: Quat;
  gauge: number;
  base: number;
  rail: number; // its profile, -1: not known
  rail_y: number; // from the middle to the origin of that, 0: not known
  passed: [number, number]; // m along the line
  length: number | null; // null: without end
  stations: number[]; // s, x, y, z, heading, climb, tilt, ...
  changes?: RailChange[]; // in order
  deviations?: { first: number; step: number; gauge: number[]; alignment: number[]; level: number[]; cross_level: number[]; left_out?: number }; // micrometres
}

/** How a wheel stands to its rail. */
export interface RailWheel {
  track: number;
  side: 1 | -1; // left, right
  radius: number; // of the tape circle
  half: number; // from the force's point to that along the axle
  rail_y: number; // from the middle of the track to the origin of the rail's profile
  wheel: number; // profiles
  profile: number; // of the rail
  changes?: RailChange[]; // those that follow, in order
}

export interface Ends {
  from: number;
  to: number;
  at_from: Vec;
  at_to: Vec;
}

export interface Shape {
  kind: "box" | "cylinder" | "sphere" | "wheel" | "rod" | "mesh";
  at: Vec; // centre (mesh: origin)
  quaternion: Quat; // cylinder and rod stretch along z, a wheel turns about y
  size: Vec; // box: edges; mesh: scale
  radius: number;
  length: number; // of cylinder and rod; width of a wheel
  colour: string; // "#rrggbb" or ""
  line?: boolean; // a curve that an element draws: the body has another look beside it
  vertices?: number[];
  corners?: number[];
}

/** The time that scene and plots share. */
export interface Clock {
  readonly t: number;
  readonly begin: number;
  readonly end: number;
  readonly playing: boolean;
  speed: number; // simulated seconds a second
  readonly pace: number; // what a second is of the abscissa at speed 1
  set(t: number): void; // clamped to [begin, end]
  play(): void; // from the beginning where it stands at the end
  pause(): void;
  step(frames: number): void; // to a frame of the first run (outside of it, of others), pausing
  onChange(listener: () => void): void; // time, playing or speed
}

/** What colours mean: a quantity from `low` to `high`, at the ends of the scale. */
export interface Shade {
  quantity: "displacement" | "strain";
  low: number; // m, or without unit
  high: number;
}

/** What tests and the rest of the page may ask of the 3D scene. */
export interface SceneView {
  readonly canvas: HTMLCanvasElement;
  /** Position, target and vertical field of view (rad) of the camera: a test computes pixels from it on its own. */
  camera(): { position: Vec; target: Vec; up: Vec; fov: number; width: number; height: number };
  setView(name: "iso" | "front" | "left" | "top" | "right" | "rear" | "chase"): void;
  follow(body: number): void; // -1: none
  turnWith(on: boolean): void; // the camera also turns with the followed body, about the vertical
  scaleArrows(factor: number): void; // 1: the largest of the run is a quarter of the model
  exaggerate(factor: number): void; // deviations of railway tracks; 1: as they are
  bend(factor: number): void; // deformations of bodies with modes; 1: as they are
  readonly shades: Shade[]; // what colours of bodies that bend mean
  readonly speed: number; // of the followed body, m/s; NaN: none is followed
  onFollow(listener: () => void): void; // another body is followed, or none
  select(body: number): void; // highlights it; -1: none
  trace(marker: number, on: boolean): void;
  show(what: "joints" | "springs" | "forces" | "tyres" | "reactions" | "ground" | "traces" | "names" | "ghost", on: boolean): void;
  showRun(run: number, on: boolean): void; // 0: the first; others are its ghosts
  setDark(dark: boolean): void;
  resize(): void;
  draw(): void; // now, not at the next frame
  refresh(): void; // the frames of the runs have changed
}
