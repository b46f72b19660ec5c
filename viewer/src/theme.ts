// Light or dark: as the system, until the reader chooses.
import { recall, remember } from "./storage";

const key = "skyhook-theme";
const system = () => window.matchMedia("(prefers-color-scheme: dark)");

export class Theme {
  private readonly listeners: ((dark: boolean) => void)[] = [];

  constructor() {
    this.apply();
    system().addEventListener("change", () => this.apply());
  }

  get dark(): boolean {
    return document.documentElement.dataset.theme === "dark";
  }

  toggle(): void {
    remember("localStorage", key, this.dark ? "light" : "dark");
    document.documentElement.dataset.theme = this.dark ? "light" : "dark";
    this.tell();
  }

  onChange(listener: (dark: boolean) => void): void {
    this.listeners.push(listener);
  }

  private apply(): void {
    const chosen = recall("localStorage", key);
    const dark = chosen === "dark" || (chosen !== "light" && system().matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.dark);
  }
}
