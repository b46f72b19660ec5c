// Railway tracks: bed, sleepers and rails near what one looks at, a strip with two bright lines further away. What is far costs next to nothing, so a line may be long.
import { BoxGeometry, type BufferGeometry, DoubleSide, Group, InstancedMesh, Mesh, MeshPhongMaterial, Vector3 } from "three";
import { pointsOf, RailsAlong } from "../rail/outlines";
import type { Run, TrackShape } from "../types";
import { LineCourse } from "./line_course";
import { type Section, bed, farRail, railSection, railWithHead, scaled, sleeper, sleeperPoses, stones, swept } from "./line_parts";
import type { Theme } from "./theme";

export interface Line {
  readonly group: Group;
  /** Makes what is near to the target, and drops what is not any more. */
  lookFrom(eye: Vector3, target: Vector3): void;
  /** The point of the nearest line below a point, where the ground is. */
  groundBelow(point: Vector3): Vector3 | null;
  exaggerate(factor: number): void; // deviations of the rails
  readonly hasDeviations: boolean;
  setTheme(theme: Theme): void;
}

const chunk = 50; // m, of the near part
const farChunk = 500;
const nearStep = 1; // m, between sections of a rail
const [leastReach, mostReach] = [150, 450]; // m, along the line to both sides
const sagitta = 0.01; // m, by which far parts may cut corners
const earth = 0.8; // m, from the tops of the rails to the ground

interface Materials {
  stone: MeshPhongMaterial;
  concrete: MeshPhongMaterial;
  steel: MeshPhongMaterial;
  shine: MeshPhongMaterial; // of rails far away
}

/** Not further apart than makes the strip leave the line by more than the sagitta. */
function farPlaces(course: LineCourse, from: number, to: number): number[] {
  const places = [from];
  while (places[places.length - 1] < to - 1e-6) {
    const s = places[places.length - 1];
    const bend = Math.max(Math.abs(course.curvature(s)), Math.abs(course.curvature(Math.min(s + 20, course.last))), 1e-6);
    places.push(Math.min(to, s + Math.min(100, Math.max(2, Math.sqrt((8 * sagitta) / bend)))));
  }
  return places;
}

const evenPlaces = (from: number, to: number, step: number): number[] => {
  const count = Math.max(1, Math.round((to - from) / step));
  return Array.from({ length: count + 1 }, (_, k) => from + ((to - from) * k) / count);
};

/** One line with its chunks. */
class Track {
  readonly group = new Group();
  factor = 1;
  private readonly near = new Map<number, Group>();
  private readonly size: number; // of sections: models are built to scale too
  private readonly half: number; // from the middle to a rail
  private readonly tie: BoxGeometry;

  /** `rails`: their profiles; null where no wheel says them. */
  constructor(
    readonly course: LineCourse,
    private readonly rails: RailsAlong | null,
    private readonly materials: Materials,
  ) {
    const { gauge, base, rail_y } = course.track;
    this.size = gauge / 1.435;
    this.half = rail_y > 0 ? rail_y : base / 2;
    this.tie = new BoxGeometry(sleeper.width * this.size, sleeper.length * this.size, sleeper.height * this.size);
    for (let s = course.first; s < course.last; s += farChunk) this.group.add(this.far(s, Math.min(course.last, s + farChunk)));
  }

  private mesh(geometry: BufferGeometry, material: MeshPhongMaterial): Mesh {
    const mesh = new Mesh(geometry, material);
    mesh.receiveShadow = true;
    return mesh;
  }

  private far(from: number, to: number): Group {
    const group = new Group();
    const origin = this.course.place((from + to) / 2).at;
    const places = farPlaces(this.course, from, to);
    const sunk: [number, number] = [0, -0.035 * this.size]; // below what is near
    group.add(this.mesh(swept(this.course, scaled(bed, this.size), places, origin, () => sunk), this.materials.stone));
    for (const side of [1, -1])
      group.add(this.mesh(swept(this.course, scaled(farRail, this.size), places, origin, () => [side * this.half, 0]), this.materials.shine));
    group.position.copy(origin);
    return group;
  }

  /** The rail of a side at a place: its head is that of the profile there. */
  private section(s: number, side: 1 | -1): Section {
    return this.rails ? railWithHead(this.rails.at(s).points, side) : scaled(railSection, this.size);
  }

  /** More of them where profiles pass into each other. */
  private sectionPlaces(from: number, to: number): number[] {
    return evenPlaces(from, to, this.rails?.isChanging(from, to) ? nearStep / 4 : nearStep);
  }

  private detail(from: number, to: number): Group {
    const group = new Group();
    const { course, materials, size } = this;
    const origin = course.place((from + to) / 2).at;
    group.add(this.mesh(swept(course, scaled(bed, size), evenPlaces(from, to, 2 * nearStep), origin, () => [0, 0]), materials.stone));
    for (const side of [1, -1] as const) {
      const shift = (s: number): [number, number] => {
        const [aside, above] = course.shift(s, side);
        return [side * (this.rails?.at(s).rail_y || this.half) + this.factor * aside, this.factor * above];
      };
      const even = this.rails?.isChanging(from, to) ? null : this.section(from, side);
      const rail = this.mesh(swept(course, even ?? ((s) => this.section(s, side)), this.sectionPlaces(from, to), origin, shift), materials.steel);
      rail.castShadow = true;
      group.add(rail);
    }
    const poses = sleeperPoses(course, from, to, origin, size);
    const sleepers = new InstancedMesh(this.tie, materials.concrete, poses.length);
    poses.forEach((pose, k) => sleepers.setMatrixAt(k, pose));
    sleepers.receiveShadow = true;
    group.add(sleepers);
    group.position.copy(origin);
    return group;
  }

  /** Chunks count from the place 0 of the line. */
  show(s: number, reach: number): void {
    const [from, to] = [Math.max(this.course.first, s - reach), Math.min(this.course.last, s + reach)];
    const wanted = new Set<number>();
    for (let k = Math.floor(from / chunk); k * chunk < to; ++k) wanted.add(k);
    for (const k of [...this.near.keys()]) if (!wanted.has(k)) this.drop(k);
    for (const k of wanted) {
      if (this.near.has(k)) continue;
      const [begin, end] = [Math.max(this.course.first, k * chunk), Math.min(this.course.last, (k + 1) * chunk)];
      if (!(end - begin > 0.01)) continue;
      const group = this.detail(begin, end);
      this.near.set(k, group);
      this.group.add(group);
    }
  }

  drop(k: number): void {
    const group = this.near.get(k);
    if (!group) return;
    group.traverse((part) => {
      if (part instanceof InstancedMesh) part.dispose();
      else if (part instanceof Mesh) part.geometry.dispose();
    });
    this.group.remove(group);
    this.near.delete(k);
  }

  renew(): void {
    for (const k of [...this.near.keys()]) this.drop(k);
  }
}

/** Profiles of the rails of a line, where its wheels say them. */
function railsOf(run: Run, shape: TrackShape): RailsAlong | null {
  const profiles = run.scene?.profiles ?? [];
  const head = profiles[shape.rail];
  return head && head.points.length >= 6 ? new RailsAlong({ points: pointsOf(head.points), rail_y: shape.rail_y }, shape.changes ?? [], profiles) : null;
}

/** Null where the run has no track. */
export function createLine(run: Run): Line | null {
  const shapes = (run.scene?.tracks ?? []).filter((track) => track.body < 0 && track.stations.length >= 14);
  if (shapes.length === 0) return null;
  const materials: Materials = {
    stone: new MeshPhongMaterial({ shininess: 2, side: DoubleSide, map: stones() }),
    concrete: new MeshPhongMaterial({ shininess: 6 }),
    steel: new MeshPhongMaterial({ shininess: 60, specular: "#8a8a8a", side: DoubleSide }),
    shine: new MeshPhongMaterial({ shininess: 60, specular: "#8a8a8a", side: DoubleSide }),
  };
  const tracks = shapes.map((shape) => new Track(new LineCourse(shape), railsOf(run, shape), materials));
  const group = new Group();
  for (const track of tracks) group.add(track.group);

  return {
    group,
    hasDeviations: shapes.some((shape) => shape.deviations !== undefined),
    lookFrom(eye, target) {
      const reach = Math.min(mostReach, Math.max(leastReach, 4 * eye.distanceTo(target)));
      for (const track of tracks) track.show(track.course.nearest(target), reach);
    },
    groundBelow(point) {
      const places = tracks.map(({ course }) => course.place(course.nearest(point)));
      const distances = places.map(({ at }) => at.distanceTo(point));
      const { at, up } = places[distances.indexOf(Math.min(...distances))];
      return at.addScaledVector(up, (-earth * shapes[0].gauge) / 1.435);
    },
    exaggerate(factor) {
      for (const track of tracks) {
        track.factor = factor;
        track.renew();
      }
    },
    setTheme(theme) {
      materials.stone.color.set(theme.ballast);
      materials.concrete.color.set(theme.sleeper);
      materials.steel.color.set(theme.steel);
      materials.shine.color.set(theme.steel);
    },
  };
}
