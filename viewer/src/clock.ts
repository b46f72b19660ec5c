// The time that scene and plots share. It asks for animation frames only while it plays.
import type { Clock, Run } from "./types";

export interface LoopingClock extends Clock {
  loop: boolean; // start over at the end instead of stopping there
}

/** First and last time of a run: of its frames, else what it was asked for and reached. */
export function spanOf(run: Run): [number, number] {
  const time = run.frames.time;
  if (time.length > 0) return [time[0], time[time.length - 1]];
  const begin = finite(run.info.t_start, 0);
  return [begin, Math.max(begin, finite(run.info.t_reached, begin))];
}

/** Where `frames` further is from t, in a list of rising times. Equal times (both sides of an event) are one stop. */
export function steppedTime(time: ArrayLike<number>, t: number, frames: number): number {
  let now = t;
  for (let k = 0; k < Math.abs(frames); ++k) now = frames > 0 ? timeAfter(time, now) : timeBefore(time, now);
  return now;
}

/** Number of entries that are not after t. */
export function countUntil(time: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

function timeAfter(time: ArrayLike<number>, t: number): number {
  const i = countUntil(time, t);
  return i < time.length ? time[i] : t;
}

function timeBefore(time: ArrayLike<number>, t: number): number {
  let i = countUntil(time, t) - 1;
  while (i >= 0 && time[i] >= t) --i;
  return i >= 0 ? time[i] : t;
}

function finite(value: number, otherwise: number): number {
  return Number.isFinite(value) ? value : otherwise;
}

/** Frames of the first run, and of the others where it has none. */
function stopsOf(runs: Run[]): number[] {
  const [begin, end] = spanOf(runs[0]);
  const others = runs.slice(1).flatMap((run) => Array.from(run.frames.time).filter((t) => t < begin || t > end));
  return [...runs[0].frames.time, ...others].sort((a, b) => a - b);
}

export function createClock(...runs: Run[]): LoopingClock {
  const spans = runs.map(spanOf);
  const begin = Math.min(...spans.map((span) => span[0]));
  const end = Math.max(...spans.map((span) => span[1]));
  const stops = stopsOf(runs);
  // A second lasts a second; a travel is gone through in four of them.
  const pace = (runs[0].info?.abscissa ?? "time") === "time" ? 1 : (end - begin) / 4;
  const listeners: (() => void)[] = [];
  let t = begin;
  let speed = 1;
  let playing = false;
  let loop = false;
  let last = 0; // time stamp of the previous animation frame

  const tell = () => listeners.forEach((listener) => listener());
  const clamp = (value: number) => Math.min(end, Math.max(begin, finite(value, begin)));

  const overrun = (next: number) => (loop && end > begin ? begin + ((next - begin) % (end - begin)) : end);

  function tick(stamp: number) {
    if (!playing) return;
    const next = t + (Math.max(0, stamp - last) / 1000) * speed * pace;
    last = stamp;
    t = clamp(next > end ? overrun(next) : next);
    playing = loop ? end > begin : t < end;
    if (playing) requestAnimationFrame(tick);
    tell();
  }

  function start() {
    if (playing || end <= begin) return;
    if (t >= end) t = begin;
    playing = true;
    requestAnimationFrame((stamp) => {
      last = stamp; // the first frame only starts the watch
      tick(stamp);
    });
    tell();
  }

  return {
    begin,
    end,
    pace,
    get t() { return t; },
    get playing() { return playing; },
    get speed() { return speed; },
    set speed(value: number) {
      if (!(value > 0) || value === speed) return;
      speed = value;
      tell();
    },
    get loop() { return loop; },
    set loop(value: boolean) {
      loop = value;
      tell();
    },
    set(value: number) {
      const next = clamp(value);
      if (next === t) return;
      t = next;
      tell();
    },
    play: start,
    pause() {
      if (!playing) return;
      playing = false;
      tell();
    },
    step(frames: number) {
      playing = false;
      t = clamp(steppedTime(stops, t, Math.trunc(frames)));
      tell();
    },
    onChange(listener: () => void) {
      listeners.push(listener);
    },
  };
}
