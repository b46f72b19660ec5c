// Puts the page together: header with tabs, scene and plots side by side, pages of model and run, playback.
import { type BendLegend, bendLegend } from "./bent/legend";
import { createClock, type LoopingClock } from "./clock";
import { warningsOf } from "./data";
import { el } from "./dom";
import { short } from "./format";
import { listenToKeys } from "./keys";
import { watchLive } from "./live";
import { isModes } from "./modes/mode";
import { ModesPanel } from "./modes/modes_panel";
import { asPeriod } from "./modes/period";
import { analysisPage, type AnalysisPage, type AnalysisTab } from "./pages/analysis_page";
import { flexiblePage, type FlexiblePage } from "./pages/flexible_page";
import { modelPage } from "./pages/model_page";
import { runPage, type RunPage } from "./pages/run_page";
import { wheelsPage, type WheelsPage } from "./pages/wheels_page";
import { playbackBar } from "./playback";
import { popover } from "./popover";
import { Library } from "./plots/library";
import { Plots, type PlotsState } from "./plots/plots";
import { sectionCorner } from "./rail/section_corner";
import { inSpan } from "./scene/frames";
import { createScene, type PickableScene } from "./scene/scene";
import { SceneControls, type SceneState } from "./scene_controls";
import { speedNote } from "./speed_note";
import { splitter } from "./splitter";
import { recall, remember } from "./storage";
import { Theme } from "./theme";
import type { Clock, Run } from "./types";
import { units } from "./units";
import { unitsMenu } from "./units_menu";

type Tab = "Scene" | "Modes" | AnalysisTab | "Flexible" | "Wheels" | "Model" | "Run";

interface Kept {
  tab: Tab;
  t: number;
  plots: PlotsState;
  scene: SceneState;
  bend?: number; // place of the slider of deformations
}

const keptKey = "skyhook-kept";

export class App {
  readonly clock: LoopingClock;
  readonly scene: PickableScene;
  readonly plots: Plots;
  private readonly theme = new Theme();
  private readonly controls: SceneControls;
  private readonly views = new Map<Tab, HTMLElement>();
  private readonly buttons = new Map<Tab, HTMLElement>();
  private readonly runPage: RunPage;
  private readonly analysisPage: AnalysisPage | null;
  private readonly wheelsPage: WheelsPage | null;
  readonly flexible: FlexiblePage | null;
  private readonly bending: BendLegend | null;
  readonly modes: ModesPanel | null = null; // in place of plots
  private readonly sceneTab: Tab;
  private tab: Tab;

  constructor(
    host: HTMLElement,
    readonly runs: Run[],
  ) {
    const kept = takeKept();
    const moving = isModes(runs[0]) ? runs.map(asPeriod) : runs; // what the scene shows
    const run = moving[0];
    this.tab = this.sceneTab = isModes(runs[0]) ? "Modes" : "Scene";
    this.clock = createClock(...moving);
    this.plots = new Plots(new Library(moving), this.clock, kept?.plots ?? null);
    if (isModes(runs[0])) this.modes = new ModesPanel(runs, moving, this.clock, () => this.modesMoved());
    const stage = el("div", { class: "stage" });
    const sceneSide = el("div", { class: "scene-side" });
    this.runPage = runPage(runs, this.clock, (t) => this.jump(t));
    this.views.set(
      this.sceneTab,
      el(
        "main",
        { class: "view scene-view", tabindex: -1 },
        sceneSide,
        splitter(sceneSide, () => this.resized()),
        this.modes?.element ?? this.plots.element,
      ),
    );
    this.analysisPage = analysisPage(runs, this.clock);
    if (this.analysisPage)
      this.views.set(this.analysisPage.tab, el("main", { class: "view", tabindex: -1 }, this.analysisPage.element));
    this.flexible = flexiblePage(run, this.clock);
    if (this.flexible) this.views.set("Flexible", el("main", { class: "view", tabindex: -1 }, this.flexible.element));
    this.wheelsPage = wheelsPage(runs, this.clock);
    if (this.wheelsPage) this.views.set("Wheels", el("main", { class: "view", tabindex: -1 }, this.wheelsPage.element));
    this.views.set("Model", el("main", { class: "view", tabindex: -1 })); // filled when it is first shown: large models take a while
    this.views.set("Run", el("main", { class: "view", tabindex: -1 }, this.runPage.element));
    const banner = el("div", { class: "banner" });
    host.replaceChildren(this.header(run), banner, ...this.views.values(), playbackBar(this.clock, run));
    sceneSide.append(stage);
    if (!run.scene) stage.append(el("p", { class: "stage-note" }, withoutScene(run)));
    else if (run.frames.time.length === 0) stage.append(el("p", { class: "stage-note" }, "This run has no samples."));
    if (run.note) stage.append(el("p", { class: "stage-remark" }, run.note));
    if (runs.length > 1) stage.append(endedNote(moving, this.clock));
    this.scene = createScene(stage, moving, this.clock);
    this.controls = new SceneControls(run, this.scene, runs.length > 1, kept?.scene ?? null);
    stage.append(speedNote(this.scene, this.clock));
    this.bending = bendLegend(this.scene);
    if (this.bending) stage.append(this.bending.element);
    if (kept?.bend) this.bending?.set(kept.bend);
    const corner = sectionCorner(run, this.clock);
    if (corner) stage.append(corner);
    sceneSide.prepend(this.controls.element);
    this.scene.setDark(this.theme.dark);
    this.flexible?.setDark(this.theme.dark);
    this.plots.onRun((run, on) => this.scene.showRun(run, on));
    this.plots.showBrowser(this.plots.library.names.length > 0 && window.innerWidth >= 1200);
    this.listen(stage);
    this.start(kept);
    watchLive(banner, () => this.keep());
  }

  private modesMoved(): void {
    this.scene?.refresh();
    this.bending?.tell();
  }

  private header(run: Run): HTMLElement {
    const tabBar = el("nav", { class: "tabs", role: "tablist" });
    for (const tab of this.views.keys()) {
      const button = el("button", { class: "tab", role: "tab", onclick: () => this.show(tab) }, tab);
      this.buttons.set(tab, button);
      tabBar.append(button);
    }
    const { info } = run;
    return el(
      "header",
      { class: "top" },
      el("span", { class: "logo" }, "skyhook"),
      el("span", { class: "model", title: info.model }, el("bdi", {}, info.model)),
      el("span", { class: "experiment", title: info.experiment }, el("bdi", {}, info.experiment)),
      badge(run),
      this.warned(run),
      this.runs.length > 1 &&
        el("span", { class: "versus", title: this.runs.slice(1).map(({ label, file }) => `${label} (${file})`).join("\n") }, "compared with ", el("bdi", {}, this.runs.length > 2 ? `${this.runs.length - 1} others` : this.runs[1].label)),
      tabBar,
      popover("Units", "Units in which quantities are shown", unitsMenu(this.runs), "right units"),
      el(
        "button",
        { class: "tool", title: "Light or dark", "aria-label": "Light or dark", onclick: () => this.theme.toggle() },
        "◐",
      ),
      popover("?", "Keys", help(), "right"),
    );
  }

  /** How many warnings there are, on every page; a click shows them. */
  private warned(run: Run): HTMLElement | false {
    const count = warningsOf(run).length;
    const text = count === 1 ? "1 warning" : `${count} warnings`;
    return count > 0 && el("button", { class: "badge interrupted", onclick: () => this.show("Run") }, text);
  }

  private listen(stage: HTMLElement): void {
    listenToKeys(this.clock, this.controls, () => this.tab === this.sceneTab);
    new ResizeObserver(() => this.scene.resize()).observe(stage);
    this.theme.onChange((dark) => {
      this.scene.setDark(dark);
      this.flexible?.setDark(dark);
      this.plots.rebuild();
      this.runPage.rebuild();
      this.analysisPage?.rebuild();
      this.wheelsPage?.rebuild();
    });
    units.onChange(() => {
      this.plots.rebuild();
      this.runPage.rebuild();
      this.analysisPage?.rebuild();
      this.wheelsPage?.rebuild();
    });
    window.addEventListener("hashchange", () => this.readHash());
    let pending = 0;
    this.clock.onChange(() => {
      if (this.clock.playing) return; // once at the pause is enough
      clearTimeout(pending);
      pending = window.setTimeout(() => this.writeHash(), 250);
    });
  }

  private start(kept: Kept | null): void {
    if (kept) {
      this.clock.set(kept.t);
      this.show(kept.tab);
    } else if (!this.readHash()) {
      const isRun = this.runs[0].info.analysis === "simulate"; // its scene comes before what is evaluated of it
      this.show((isRun ? undefined : this.analysisPage?.tab) ?? this.sceneTab);
    }
  }

  show(tab: Tab): void {
    this.tab = this.views.has(tab) ? tab : this.sceneTab; // another run may have had it
    tab = this.tab;
    const modelView = this.views.get("Model");
    if (tab === "Model" && !modelView?.hasChildNodes())
      modelView?.append(modelPage(this.runs[0], (body) => this.showBody(body)));
    for (const [name, view] of this.views) view.hidden = name !== tab;
    for (const [name, button] of this.buttons) {
      button.classList.toggle("on", name === tab);
      button.setAttribute("aria-selected", String(name === tab));
    }
    this.views.get(tab)?.focus({ preventScroll: true }); // arrow keys scroll it
    if (tab === this.sceneTab) this.resized();
    this.flexible?.shown(tab === "Flexible");
    this.writeHash();
  }

  private resized(): void {
    this.scene?.resize();
  }

  private jump(t: number): void {
    this.clock.pause();
    this.clock.set(t);
    this.show(this.sceneTab);
  }

  private showBody(body: number): void {
    this.show(this.sceneTab);
    this.scene.select(body);
  }

  private writeHash(): void {
    const wanted = `#${hashOf(this.tab)}&t=${Number(this.clock.t.toPrecision(9))}`;
    if (location.hash !== wanted) history.replaceState(null, "", wanted);
  }

  /** True if it names a tab. */
  private readHash(): boolean {
    const parts = location.hash.slice(1).split("&");
    const time = parts.find((part) => part.startsWith("t="));
    if (time !== undefined && Number.isFinite(Number(time.slice(2)))) this.clock.set(Number(time.slice(2)));
    const mode = parts.find((part) => part.startsWith("mode="));
    if (mode !== undefined) (this.modes ?? this.flexible)?.choose(Number(mode.slice(5)) - 1);
    const tab = [...this.views.keys()].find((each) => parts.includes(hashOf(each)));
    if (tab) this.show(tab);
    return tab !== undefined;
  }

  private keep(): void {
    const kept: Kept = { tab: this.tab, t: this.clock.t, plots: this.plots.state(), scene: this.controls.state(), bend: this.bending?.place };
    remember("sessionStorage", keptKey, JSON.stringify(kept));
  }
}

/** A tab in the address. */
const hashOf = (tab: Tab): string => tab.toLowerCase().replace(" ", "-");

function takeKept(): Kept | null {
  const text = recall("sessionStorage", keptKey);
  remember("sessionStorage", keptKey, null);
  try {
    return text === null ? null : (JSON.parse(text) as Kept);
  } catch {
    return null;
  }
}

function withoutScene(run: Run): string {
  if (run.sceneProblem === "") return "This result holds no description of its bodies, so there is no scene.";
  return `The description of the bodies in this result is broken (${run.sceneProblem}), so there is no scene.`;
}

/** Says which of several runs have no poses at the present time. */
function endedNote(runs: Run[], clock: Clock): HTMLElement {
  const note = el("p", { class: "stage-ended" });
  const update = () => {
    const texts = runs.flatMap((run, i) => {
      const time = run.frames.time;
      if (inSpan(time, clock.t)) return [];
      const edge = clock.t > time[0] ? `ended at ${short(time[time.length - 1])}` : `begins at ${short(time[0])}`;
      return [`${["The first", "The second", "The third"][i] ?? `Number ${i + 1}`} run ${edge} s.`];
    });
    note.textContent = texts.join(" ");
    note.hidden = texts.length === 0;
  };
  clock.onChange(update);
  update();
  return note;
}

function badge({ info }: Run): HTMLElement {
  const reason = info.reason === "" ? "" : `: ${info.reason}`;
  const reached = info.status === "finished" ? "" : ` at ${short(info.t_reached)} ${info.abscissa_unit}`;
  return el(
    "span",
    { class: `badge ${/^[a-z]+$/.test(info.status) ? info.status : ""}`, title: info.status + reached + reason },
    info.status + reached + reason,
  );
}

function help(): HTMLElement {
  const keys: [string, string][] = [
    ["space", "play, pause"],
    ["← →", "one frame back, on (with Shift: ten)"],
    ["Home End", "to the beginning, to the end"],
    ["1 … 7", "views: iso, front, left, top, right, rear, chase"],
    ["+ −", "longer, shorter arrows"],
    ["drag", "scene: orbit · plot: zoom in time"],
    ["right drag, wheel", "scene: move, zoom"],
    ["click in a plot", "set the time"],
    ["drag the time line", "scrub (or Shift and drag)"],
    ["Ctrl wheel", "plot: zoom"],
    ["double click", "plot: show all"],
  ];
  return el(
    "dl",
    { class: "facts keys" },
    ...keys.flatMap(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)]),
  );
}
