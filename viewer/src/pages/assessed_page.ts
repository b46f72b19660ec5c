// The page of an evaluation that has limits: its curves with the limits drawn in, a chart for each kind, above what foundPage shows.
import { el } from "../dom";
import { figureOf } from "../plots/figure";
import { Library } from "../plots/library";
import type { Clock, Run } from "../types";
import type { AnalysisPage } from "./analysis_page";
import { foundPage } from "./found_page";
import { card } from "./parts";
import { Charts } from "./run_charts";

const isLimit = (name: string): boolean => name.endsWith(".limit") || name.endsWith(".lower_limit");
const kindOf = (name: string): string => name.split(".")[0];

export function hasLimits(run: Run): boolean {
  return run.info.analysis === "evaluate" && run.channels.some(({ name }) => isLimit(name));
}

const titles: Record<string, string> = {
  yq: "Y/Q, sliding mean",
  sum_y: "Sum of Y, sliding mean",
  unloading: "Unloading of wheels, dQ/Q0",
  lateral: "Lateral acceleration of the body",
  vertical: "Vertical acceleration of the body",
  bogie: "Lateral acceleration of the bogie",
};

export function assessedPage(runs: Run[], clock: Clock): AnalysisPage | null {
  const facts = foundPage(runs);
  if (!facts) return null;
  const charts = new Charts(clock);
  const library = new Library(runs);
  const kinds = [...new Set(library.names.map(kindOf))];
  const cards = kinds.map((kind) => {
    const curves = library.names.filter((name) => kindOf(name) === kind);
    const draw = () => {
      const figure = figureOf(library, { curves, x: null, stats: false }, [clock.begin, clock.end]);
      for (const line of figure.lines) if (isLimit(line.name)) line.dash = 1;
      return figure;
    };
    return card(titles[kind] ?? kind, charts.add(draw));
  });
  const element = el("div", { class: "page" }, el("div", { class: "chart-cards" }, ...cards), facts.element);
  return { tab: "Evaluation", element, rebuild: () => charts.rebuild() };
}
