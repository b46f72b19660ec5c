// The page of an evaluation that has limits: its curves with the limits drawn in, a chart for each kind, above what foundPage shows.
import { el } from "../dom";
import { figureOf } from "../plots/figure";
import { Library } from "../plots/library";
import type { Clock, Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { isLimit, kindOf, titles } from "./assessed_run";
import { foundPage } from "./found_page";
import { card } from "./parts";
import { Charts, limitLook } from "./run_charts";

export function hasLimits(run: Run): boolean {
  return run.info.analysis === "evaluate" && run.channels.some(({ name }) => isLimit(name));
}

export function assessedPage(runs: Run[], clock: Clock): AnalysisPage | null {
  const facts = foundPage(runs);
  if (!facts) return null;
  const charts = new Charts(clock);
  const library = new Library(runs);
  const kinds = [...new Set(library.names.map(kindOf))];
  const cards = kinds.map((kind) => {
    const own = library.names.filter((name) => kindOf(name) === kind);
    const curves = [...own.filter((name) => !isLimit(name)), ...own.filter(isLimit)];
    const draw = () => {
      const figure = figureOf(library, { curves, x: null, stats: false }, [clock.begin, clock.end]);
      for (const line of figure.lines) if (isLimit(line.name)) Object.assign(line, limitLook);
      return figure;
    };
    return card(titles[kind] ?? kind, charts.add(draw));
  });
  const element = el("div", { class: "page" }, el("div", { class: "chart-cards" }, ...cards), facts.element);
  return { tab: "Evaluation", element, rebuild: () => charts.rebuild() };
}
