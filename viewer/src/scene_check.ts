// Checks the scene of a result: what is not as types.ts promises would fail somewhere in the page.
import { areModes, isBentLine } from "./bent/bent_check";

type Fields = Record<string, unknown>;
type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const isText: Check = (value) => typeof value === "string";
const isWhole: Check = (value) => Number.isInteger(value);
const isNumbers =
  (count: number): Check =>
  (value) =>
    Array.isArray(value) && value.length === count && value.every((each) => typeof each === "number");

const vec = isNumbers(3);
const quat = isNumbers(4);
const shapes: Check = (value) =>
  Array.isArray(value) && value.every((each) => fits(each, { kind: isText, at: vec, quaternion: quat, size: vec }));
const ends = { from: isWhole, to: isWhole, at_from: vec, at_to: vec };

const lists: [string, Record<string, Check>][] = [
  ["bodies", { name: isText, com: vec, inertia: isNumbers(6), at: vec, quaternion: quat, shapes, modes: areModes }],
  ["markers", { name: isText, body: isWhole, at: vec, quaternion: quat }],
  ["joints", { name: isText, type: isText, axis: vec, coordinates: Array.isArray, ...ends }],
  ["rods", { name: isText, ...ends }],
  ["couplers", { name: isText, joints: Array.isArray }],
  ["forces", { name: isText, type: isText }],
];

function fits(item: unknown, checks: Record<string, Check>): boolean {
  return isObject(item) && Object.entries(checks).every(([key, check]) => check(item[key]));
}

/** What is wrong with it, "" if nothing is. */
export function problemOf(scene: unknown): string {
  if (!isObject(scene)) return "it is no object";
  if (!vec(scene.gravity)) return "gravity is no vector";
  if (!isObject(scene.ground) || !shapes(scene.ground.shapes)) return "ground has no list of shapes";
  for (const [name, checks] of lists) {
    const list = scene[name];
    if (!Array.isArray(list)) return `${name} is no list`;
    const bad = list.findIndex((item) => !fits(item, checks));
    if (bad >= 0) return `entry ${bad + 1} of ${name} is incomplete`;
  }
  const bent = Array.isArray(scene.bent_lines) ? scene.bent_lines.findIndex((line) => !isBentLine(line)) : scene.bent_lines === undefined ? -1 : 0;
  if (bent >= 0) return `entry ${bent + 1} of bent_lines is incomplete`;
  const joint = (scene.forces as Fields[]).findIndex((force) => !isWhole(force.joint) && !fits(force, ends));
  return joint >= 0 ? `entry ${joint + 1} of forces has no ends` : "";
}
