// A car on a circle of 20 m at 10 m/s, as a run of a report.
import { body, channel, frames, run, scene, shape, times } from "./fixture.mjs";

export function car({ label = "car, circle", shift = 0, plots } = {}) {
  const time = times(401, 2);
  const corners = [[1.2, 0.7, "fl"], [1.2, -0.7, "fr"], [-1.2, 0.7, "rl"], [-1.2, -0.7, "rr"]];
  const wheel = shape("wheel", { radius: 0.3, length: 0.2 });
  const bodies = [
    body("chassis", { mass: 1000, shapes: [shape("box", { size: [3, 1.4, 0.5] })] }),
    ...corners.map(([, , name]) => body(`${name}.wheel`, { shapes: [wheel] })),
  ];
  const forces = corners.map(([, , name], i) => ({
    name: `${name}.tyre`, type: "tyre_linear", from: -1, to: i + 1, at_from: [0, 0, 0], at_to: [0, 0, 0], track: 0.3, friction: [1, 0.9],
  }));
  const pose = (item, t) => {
    const a = t / 2;
    const [x, y, z] = item === 0 ? [0, 0, 0.6] : [...corners[item - 1].slice(0, 2), 0.3];
    const place = [20 * Math.sin(a) + x * Math.cos(a) - y * Math.sin(a), shift + 20 * (1 - Math.cos(a)) + x * Math.sin(a) + y * Math.cos(a), z];
    return [...place, Math.cos(a / 2), 0, 0, Math.sin(a / 2)];
  };
  const force = (_, t) => [0, 1000 * t, 3000];
  const values = (f) => Array.from(time, f);
  return {
    ...run({
      info: { model: "car", experiment: "circle", t_end: 2, t_reached: 2, abscissa: "time", abscissa_unit: "s" },
      scene: scene(bodies, { forces }),
      frames: frames(time, 5, pose, { forces: 4, force }),
      times: [time],
      channels: [
        channel("fl.tyre.fz", "N", time, values((t) => 3000 + 250 * t)),
        channel("fr.tyre.fz", "N", time, values((t) => 3000 - 250 * t)),
        channel("chassis.vx", "m/s", time, values(() => 10)),
        channel("chassis.ay", "m/s^2", time, values(() => 5)),
        channel("chassis.yaw_rate", "rad/s", time, values(() => 0.5)),
        channel("steering_wheel.angle", "rad", time, values((t) => 0.1 * t)),
        channel("seat.az", "m/s^2", time, values((t) => 2 * Math.sin(10 * Math.PI * t))),
      ],
    }),
    label,
    ...(plots ? { plots } : {}),
  };
}
