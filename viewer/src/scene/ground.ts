// A grid that fades away from what one looks at, and the shadow on it.
import { Color, DoubleSide, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector3 } from "three";
import type { Level } from "./level";
import type { Theme } from "./theme";

export interface Ground {
  readonly group: Group;
  /** Puts its middle under a point; lines further away than `reach` are not seen. */
  centre(at: Vector3, reach: number): void;
  /** Where shadows fall: no more of the ground need be looked at for them. */
  shade(at: Vector3, radius: number): void;
  lay(height: number): void; // over the origin, along the vertical
  setTheme(theme: Theme): void;
}

const vertexShader = `
varying vec2 place; // in level axes, m
uniform vec2 middle;
uniform float reach;
void main() {
  place = middle + position.xy * reach;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position.xy * reach, 0.0, 1.0);
}`;

// Lines of a pixel, drawn by the distance to the nearest one; they fade where they would lie closer than some pixels.
const fragmentShader = `
varying vec2 place;
uniform vec2 middle;
uniform float reach;
uniform float step_;
uniform float strength;
uniform vec3 colour;
float lines(float spacing) {
  vec2 x = place / spacing;
  vec2 width = fwidth(x);
  vec2 near = abs(fract(x - 0.5) - 0.5) / width;
  vec2 alpha = (1.0 - min(near, 1.0)) * (1.0 - smoothstep(0.1, 0.5, width));
  return max(alpha.x, alpha.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(place - middle) / reach);
  float alpha = max(0.45 * lines(step_), lines(10.0 * step_));
  gl_FragColor = vec4(colour, alpha * fade * strength);
  #include <colorspace_fragment>
}`;

function gridMaterial(step: number): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader,
    fragmentShader,
    uniforms: {
      middle: { value: [0, 0] },
      reach: { value: 1 },
      step_: { value: step },
      strength: { value: 1 },
      colour: { value: new Color() },
    },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
  });
}

function createFloor(): Mesh<PlaneGeometry, ShadowMaterial> {
  const floor = new Mesh(new PlaneGeometry(2, 2), new ShadowMaterial({ depthWrite: false }));
  floor.receiveShadow = true;
  floor.renderOrder = -2;
  floor.visible = false; // until something throws a shadow
  return floor;
}

export function createGround(level: Level, height: number, step: number): Ground {
  const group = new Group();
  const material = gridMaterial(step);
  const grid = new Mesh(new PlaneGeometry(2, 2), material);
  grid.frustumCulled = false; // the shader makes it larger than it is
  grid.renderOrder = -1;
  const floor = createFloor();
  group.add(grid, floor);
  group.setRotationFromMatrix(level.toGlobal);
  group.position.copy(level.up).multiplyScalar(height);
  const local = new Vector3();

  return {
    group,
    centre(at, reach) {
      local.copy(at).applyMatrix4(level.toLevel);
      material.uniforms.middle.value = [local.x, local.y];
      material.uniforms.reach.value = reach;
      grid.position.set(local.x, local.y, 0);
    },
    shade(at, radius) {
      local.copy(at).applyMatrix4(level.toLevel);
      floor.position.set(local.x, local.y, 0);
      floor.scale.set(radius, radius, 1);
      floor.visible = true;
    },
    lay(height) {
      group.position.copy(level.up).multiplyScalar(height);
    },
    setTheme(theme) {
      (material.uniforms.colour.value as Color).set(theme.line);
      material.uniforms.strength.value = theme.lineStrength;
      floor.material.opacity = theme.shadow;
    },
  };
}
