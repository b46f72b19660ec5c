// The renderer and the materials of the scene, and what stands in its place without WebGL.
import { DoubleSide, GreaterDepth, MeshBasicMaterial, MeshPhongMaterial, PCFShadowMap, WebGLRenderer } from "three";
import type { Vec } from "../types";
import type { PickableScene } from "./scene";

/** Null where a browser or a remote desktop has no WebGL. */
export function createRenderer(): WebGLRenderer | null {
  try {
    const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true }); // kept for pictures
    renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.domElement.setAttribute("role", "img");
    renderer.domElement.setAttribute("aria-label", "3D scene of the run");
    Object.assign(renderer.domElement.style, { display: "block", width: "100%", height: "100%", touchAction: "none" });
    return renderer;
  } catch {
    return null;
  }
}

/** Phong, not a physical model: half the work where a processor draws, and no difference to see. */
export function solidMaterial(): MeshPhongMaterial {
  return new MeshPhongMaterial({ specular: "#2a2a2a", shininess: 28, side: DoubleSide });
}

/** Of what bends: colours at each vertex. */
export function bentMaterial(): MeshPhongMaterial {
  const material = solidMaterial();
  material.vertexColors = true;
  return material;
}

/** Of arrows inside of bodies: they would be lost otherwise. */
export function behindMaterial(): MeshBasicMaterial {
  return new MeshBasicMaterial({ transparent: true, opacity: 0.3, depthFunc: GreaterDepth, depthWrite: false });
}

/** Pushed back a little, so that where both runs are the same the ghost is not seen. */
export function ghostMaterial(): MeshPhongMaterial {
  const offset = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 };
  return new MeshPhongMaterial({ specular: "#111111", transparent: true, opacity: 0.4, ...offset });
}

/** The page goes on without the scene. */
export function withoutWebGl(container: HTMLElement): PickableScene {
  const message = document.createElement("p");
  message.className = "scene-missing";
  message.textContent = "This browser offers no WebGL, so the 3D scene is left out. The rest of the page works without it.";
  message.style.padding = "2em";
  container.append(message);
  const nothing = () => {};
  const none: Vec = [0, 0, 0];
  return {
    canvas: document.createElement("canvas"),
    camera: () => ({ position: none, target: none, up: [0, 0, 1], fov: 1, width: 0, height: 0 }),
    setView: nothing, follow: nothing, turnWith: nothing, scaleArrows: nothing, exaggerate: nothing, bend: nothing, shades: [], hasDeviations: false, speed: NaN, onFollow: nothing, select: nothing, trace: nothing, show: nothing, showRun: nothing, setDark: nothing,
    resize: nothing, draw: nothing, refresh: nothing, onPick: nothing, worthFollowing: -1, isVehicle: false,
  };
}
