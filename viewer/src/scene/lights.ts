// Light from above with a soft shadow, a lesser one from the camera, and what the sky gives.
import { Color, DataTexture, DirectionalLight, Group, HemisphereLight, LinearFilter, RGBAFormat, SRGBColorSpace, Vector3 } from "three";
import type { Level } from "./level";
import type { Theme } from "./theme";

export interface Lights {
  readonly group: Group;
  /** The ball that throws a shadow. */
  aim(at: Vector3, radius: number): void;
  /** The direction towards the camera. */
  follow(direction: Vector3): void;
  setTheme(theme: Theme): void;
}

function direction(level: Level, forward: number, left: number, up: number): Vector3 {
  return new Vector3(forward, left, up).normalize().applyMatrix4(level.toGlobal);
}

function keyLight(shadows: boolean): DirectionalLight {
  const key = new DirectionalLight("#ffffff", 1.7);
  key.castShadow = shadows;
  key.shadow.mapSize.set(1024, 1024);
  key.shadow.radius = 5;
  key.shadow.normalBias = 0.02;
  return key;
}

export function createLights(level: Level, shadows: boolean): Lights {
  const group = new Group();
  const sky = new HemisphereLight("#ffffff", "#888888", 1.45);
  sky.position.copy(level.up); // its direction
  const key = keyLight(shadows);
  const lamp = new DirectionalLight("#ffffff", 0.9); // sides that face the viewer are never black
  const towardsKey = direction(level, 0.25, -0.35, 1);
  group.add(sky, key, key.target, lamp);

  return {
    group,
    aim(at, radius) {
      key.target.position.copy(at);
      key.position.copy(at).addScaledVector(towardsKey, 3 * radius);
      Object.assign(key.shadow.camera, {
        left: -radius, right: radius, top: radius, bottom: -radius, near: 0.1 * radius, far: 6 * radius,
      });
      key.shadow.camera.updateProjectionMatrix();
    },
    follow: (towards) => void lamp.position.copy(towards),
    setTheme(theme) {
      sky.color.set(theme.sky);
      sky.groundColor.set(theme.earth);
    },
  };
}

/** The background: from the theme's upper colour to its lower one. */
export function backdrop(theme: Theme): DataTexture {
  const rows = 64;
  const data = new Uint8Array(4 * rows);
  const [bottom, top] = [new Color(theme.bottom), new Color(theme.top)];
  for (let row = 0; row < rows; ++row) {
    const mixed = bottom.clone().lerp(top, row / (rows - 1)).getHex(SRGBColorSpace);
    data.set([mixed >> 16, (mixed >> 8) & 255, mixed & 255, 255], 4 * row);
  }
  const texture = new DataTexture(data, 1, rows, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
