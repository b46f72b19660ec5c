// The page of an analysis that is no run, whichever it is.
import type { Clock, Run } from "../types";
import { assessedPage, hasLimits } from "./assessed_page";
import { assessedRunPage } from "./assessed_run";
import { cyclesPage } from "./cycles_page";
import { foundPage } from "./found_page";
import { isKinematic, kinematicsPage } from "./kinematics_page";
import { locusPage } from "./locus_page";
import { responsePage } from "./response_page";
import { sweepPage } from "./sweep_page";
import { wheelrailPage } from "./wheelrail_page";

export type AnalysisTab = "Kinematics" | "Root locus" | "Limit cycles" | "Response" | "Sweep" | "Equilibrium" | "Nominal forces" | "Linear system" | "Evaluation" | "Wheel and rail";

export interface AnalysisPage {
  tab: AnalysisTab;
  element: HTMLElement;
  rebuild(): void; // in other colours
}

/** null: a run of which nothing is evaluated, or modes, which the scene shows. */
export function analysisPage(runs: Run[], clock: Clock): AnalysisPage | null {
  const { analysis, abscissa } = runs[0].info;
  if (isKinematic(runs[0])) return kinematicsPage(runs, clock);
  if (analysis === "modes") return abscissa === "mode" ? null : locusPage(runs, clock);
  if (analysis === "critical_speed") return cyclesPage(runs, clock);
  if (hasLimits(runs[0])) return assessedPage(runs, clock);
  if (analysis === "response") return responsePage(runs, clock);
  if (analysis === "sweep") return sweepPage(runs, clock);
  if (analysis === "wheelrail") return wheelrailPage(runs, clock);
  return assessedRunPage(runs, clock) ?? foundPage(runs);
}
