// What the browser remembers, where it lets us: pages opened from disk may have no storage.

const storage = (kind: "localStorage" | "sessionStorage"): Storage | null => {
  try {
    return window[kind];
  } catch {
    return null;
  }
};

export function recall(kind: "localStorage" | "sessionStorage", key: string): string | null {
  try {
    return storage(kind)?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

export function remember(kind: "localStorage" | "sessionStorage", key: string, value: string | null): void {
  try {
    if (value === null) storage(kind)?.removeItem(key);
    else storage(kind)?.setItem(key, value);
  } catch {
    // The page works without.
  }
}
