// What the reader chose for a panel, and what a panel of a model file is.

/** How the curves of a panel are shown. */
export type View = "curves" | "psd" | "amplitude" | "rms" | "wk" | "wd" | "wc" | "ellipse";

export interface Choice {
  curves: string[];
  x: string | null; // channel of the x axis; null: time
  stats: boolean;
  units?: string[]; // for this panel, before those of the page: "deg", "mm"
  equal?: boolean; // x and y to the same scale, where they have the same unit
  view?: View;
  title?: string;
}

export const emptyChoice = (): Choice => ({ curves: [], x: null, stats: false });

export const viewTexts: Record<View, string> = {
  curves: "curves",
  psd: "PSD",
  amplitude: "FFT",
  rms: "running rms",
  wk: "Wk rms",
  wd: "Wd rms",
  wc: "Wc rms",
  ellipse: "tyre forces",
};

export const viewHints: Record<View, string> = {
  curves: "The curves themselves",
  psd: "Power spectral density by Welch's method, of the time range shown",
  amplitude: "Amplitudes over frequency by FFT, of the time range shown",
  rms: "Rms of the last second",
  wk: "Weighted by Wk of ISO 2631-1 (vertical), rms of the last second",
  wd: "Weighted by Wd of ISO 2631-1 (horizontal), rms of the last second",
  wc: "Weighted by Wc of ISO 2631-1 (back of a seat), rms of the last second",
  ellipse: "Horizontal forces of tyres over their loads",
};
