// The controls above the 3D scene: views, body to follow, what to show, traces.
import { el } from "./dom";
import { short } from "./format";
import { popover } from "./popover";
import { search } from "./search";
import type { PickableScene } from "./scene/scene";
import type { Run, SceneView } from "./types";

type View = Parameters<SceneView["setView"]>[0];
type Layer = Parameters<SceneView["show"]>[0];

export const views: View[] = ["iso", "front", "left", "top", "right", "rear", "chase"];
const layers: [Layer, string, boolean][] = [
  ["joints", "joints", true],
  ["springs", "springs and dampers", true],
  ["forces", "forces", true],
  ["tyres", "wheel forces", true],
  ["reactions", "reactions", false],
  ["ground", "ground", true],
  ["traces", "traces", true],
  ["names", "names", false],
  ["ghost", "other runs", true],
];
const manyItems = 60;
const arrowSteps = 20; // of the slider, to each side
const largestZoom = 10; // of arrows, at its end
const deviationSteps = 20; // of the slider of track deviations
const largestExaggeration = 1000; // of these, at its end

export interface SceneState {
  view: View | null;
  follow: number;
  turns?: boolean; // with the followed body
  arrows?: number; // place of the slider
  deviations?: number; // place of the slider that exaggerates them
  layers: Record<string, boolean>;
  traces: number[];
}

export class SceneControls {
  readonly element: HTMLElement;
  private view: View | null = null;
  private following = -1;
  private turns = false;
  private readonly turnButton: HTMLElement;
  private readonly arrowSlider: HTMLInputElement;
  private readonly deviationSlider: HTMLInputElement;
  private readonly deviationText = el("span", { class: "hint" }, "as they are");
  private readonly shown = new Map<Layer, boolean>();
  private readonly traced = new Set<number>();
  private readonly buttons = new Map<View, HTMLElement>();
  private readonly followSelect: HTMLSelectElement;

  constructor(
    private readonly run: Run,
    private readonly scene: PickableScene,
    severalRuns: boolean,
    state: SceneState | null,
  ) {
    const onRails = (run.scene?.tracks ?? []).length > 0; // of the many forces in a train those of the wheels are what counts
    for (const [layer, , on] of layers) this.setLayer(layer, state?.layers[layer] ?? (on && !(onRails && layer === "forces")));
    for (const marker of state?.traces ?? []) this.setTrace(marker, true);
    this.followSelect = this.makeFollow();
    this.turnButton = el(
      "button",
      { class: "tool turn", "aria-label": "Turn with the body", title: "The camera turns with the body", "aria-pressed": "false", onclick: () => this.turn(!this.turns) },
      "⟳",
    );
    this.arrowSlider = this.makeArrowSlider();
    this.deviationSlider = this.makeDeviationSlider();
    this.element = el(
      "div",
      { class: "scene-tools" },
      el("div", { class: "group" }, ...this.offered().map((view, i) => this.viewButton(view, i))),
      this.followSelect,
      this.turnButton,
      popover("Show ▾", "What is drawn", this.showBox(severalRuns)),
      popover("Traces ▾", "Paths of markers", this.traceList()),
      ...this.roadHint(),
      ...this.trackHint(),
    );
    // Whoever turns the scene by hand leaves the fixed view.
    for (const kind of ["pointerdown", "wheel"])
      scene.canvas.addEventListener(kind, () => this.markView(null), { passive: true });
    this.markView("iso");
    if (state?.view) this.setView(state.view);
    if (state) this.follow(state.follow);
    if (state) this.turn(state.turns ?? false);
    if (state?.arrows) this.setArrows(state.arrows);
    if (state?.deviations) this.setDeviations(state.deviations);
    if (!state) this.goAlong();
  }

  /** As suits the run: from behind with what drives on a road, beside other bodies that go far. */
  private goAlong(): void {
    if (this.scene.worthFollowing < 0) return;
    this.follow(this.scene.worthFollowing);
    if (this.scene.isVehicle) this.setView("chase");
  }

  /** Views that make sense for the run. */
  private offered(): View[] {
    return this.scene.worthFollowing >= 0 ? views : views.filter((view) => view !== "chase");
  }

  setView(view: View): void {
    if (!this.offered().includes(view)) return;
    if (view === "chase") {
      if (this.following < 0) this.follow(this.scene.worthFollowing);
      this.turn(true);
    }
    this.scene.setView(view);
    this.markView(view);
  }

  private markView(view: View | null): void {
    this.view = view;
    for (const [name, button] of this.buttons) button.classList.toggle("on", name === view);
  }

  follow(body: number): void {
    this.following = body < (this.run.scene?.bodies.length ?? 0) ? body : -1;
    this.scene.follow(this.following);
    this.followSelect.value = String(this.following);
  }

  turn(on: boolean): void {
    this.turns = on;
    this.scene.turnWith(on);
    this.turnButton.classList.toggle("on", on);
    this.turnButton.setAttribute("aria-pressed", String(on));
  }

  /** Steps of the slider: each end is a factor of ten. */
  setArrows(step: number): void {
    const place = Math.min(arrowSteps, Math.max(-arrowSteps, step));
    this.arrowSlider.value = String(place);
    this.scene.scaleArrows(largestZoom ** (place / arrowSteps));
  }

  changeArrows(steps: number): void {
    this.setArrows(Number(this.arrowSlider.value) + steps);
  }

  state(): SceneState {
    return {
      view: this.view,
      follow: this.following,
      turns: this.turns,
      arrows: Number(this.arrowSlider.value),
      deviations: Number(this.deviationSlider.value),
      layers: Object.fromEntries(this.shown),
      traces: [...this.traced],
    };
  }

  private viewButton(view: View, index: number): HTMLElement {
    const button = el(
      "button",
      { class: "tool", title: `View from ${view} (${index + 1})`, onclick: () => this.setView(view) },
      view,
    );
    this.buttons.set(view, button);
    return button;
  }

  private makeFollow(): HTMLSelectElement {
    const bodies = this.run.scene?.bodies ?? [];
    const select = el(
      "select",
      { class: "follow", title: "The camera goes along with a body", "aria-label": "Follow a body" },
      el("option", { value: -1 }, "follow: none"),
      ...bodies.map((body, i) => el("option", { value: i }, `follow: ${body.name.slice(0, 60)}`)),
    );
    select.addEventListener("change", () => this.follow(Number(select.value)));
    return select;
  }

  private setLayer(layer: Layer, on: boolean): void {
    this.shown.set(layer, on);
    this.scene.show(layer, on);
  }

  private makeArrowSlider(): HTMLInputElement {
    const title = "Length of arrows (+ and −)";
    const range = { type: "range", min: -arrowSteps, max: arrowSteps, step: 1, value: 0 };
    const slider = el("input", { ...range, class: "arrow-scale", title, "aria-label": title });
    slider.addEventListener("input", () => this.setArrows(Number(slider.value)));
    return slider;
  }

  private showBox(severalRuns: boolean): HTMLElement {
    const deviations = this.scene.hasDeviations && el("label", { class: "check" }, "irregularities", this.deviationSlider, this.deviationText);
    return el("div", {}, this.layerList(severalRuns), el("label", { class: "check" }, "arrows", this.arrowSlider), deviations);
  }

  private makeDeviationSlider(): HTMLInputElement {
    const title = "Exaggerates how the rails deviate from the line; wheels stay where they are";
    const slider = el("input", { type: "range", min: 0, max: deviationSteps, step: 1, value: 0, class: "deviation-scale", title, "aria-label": title });
    slider.addEventListener("input", () => this.setDeviations(Number(slider.value)));
    return slider;
  }

  setDeviations(step: number): void {
    const place = Math.min(deviationSteps, Math.max(0, step));
    const factor = largestExaggeration ** (place / deviationSteps);
    this.deviationSlider.value = String(place);
    this.deviationText.textContent = place === 0 ? "as they are" : `${factor < 10 ? factor.toFixed(1) : factor.toFixed(0)} times`;
    this.scene.exaggerate(factor);
  }

  private layerList(severalRuns: boolean): HTMLElement {
    const offered = layers.filter(([layer]) => layer !== "ghost" || severalRuns);
    return el(
      "div",
      { class: "checks" },
      ...offered.map(([layer, text]) =>
        check(text, this.shown.get(layer) ?? false, (on) => this.setLayer(layer, on), `show-${layer}`),
      ),
    );
  }

  /** Wheels go up and down with a road that moves; the road itself is drawn once. */
  private roadHint(): HTMLElement[] {
    const roads = this.run.scene?.moving_roads ?? [];
    if (!Array.isArray(roads) || roads.length === 0) return [];
    const names = roads.map((name) => String(name).slice(0, 60)).join(", ");
    return [el("span", { class: "hint", "data-id": "moving-roads" }, `roads that move, drawn as at the start: ${names}`)];
  }

  /** Of long ways the page has irregularities at first only. */
  private trackHint(): HTMLElement[] {
    return (this.run.scene?.tracks ?? []).flatMap(({ name, deviations, passed }) => {
      if (!deviations || !((deviations.left_out ?? 0) > 0)) return [];
      const last = deviations.first + deviations.step * (deviations.level.length - 1);
      const text = `irregularities of ${name.slice(0, 60)}: drawn up to ${way(last)}, every ${short(deviations.step, 3)} m; left out on the last ${way(deviations.left_out ?? 0)} of ${way(passed[1] - passed[0])} passed`;
      return [el("span", { class: "hint", "data-id": "left-out", title: "The run itself has all of them" }, text)];
    });
  }

  private setTrace(marker: number, on: boolean): void {
    if (on) this.traced.add(marker);
    else this.traced.delete(marker);
    this.scene.trace(marker, on);
  }

  private traceList(): HTMLElement {
    const markers = this.run.scene?.markers ?? [];
    const input = el("input", {
      type: "search",
      placeholder: "Search markers",
      "aria-label": "Search markers",
      spellcheck: "false",
    });
    const list = el("div", { class: "checks" });
    const update = () => {
      const found = search(
        markers.map((marker) => marker.name),
        input.value,
      );
      const items = found
        .slice(0, manyItems)
        .map(({ index }) =>
          check(markers[index].name, this.traced.has(index), (on) => this.setTrace(index, on), `trace-${index}`),
        );
      if (found.length > manyItems)
        items.push(el("div", { class: "hint" }, `${found.length - manyItems} more: search`));
      if (markers.length === 0) items.push(el("div", { class: "hint" }, "This model has no markers."));
      list.replaceChildren(...items);
    };
    input.addEventListener("input", update);
    update();
    return el("div", {}, input, list);
  }
}

const way = (metres: number): string => (Math.abs(metres) >= 1000 ? `${short(metres / 1000, 3)} km` : `${short(metres, 3)} m`);

function check(text: string, on: boolean, change: (on: boolean) => void, id: string): HTMLElement {
  const input = el("input", { type: "checkbox", checked: on, "data-id": id });
  input.addEventListener("change", () => change(input.checked));
  return el("label", { class: "check", title: text }, input, el("bdi", {}, text === "" ? "(no name)" : text));
}
