const CHANGED = "qm-stored";

/** The text that this browser stores under a key; `null` when there is none, or storage is disabled. */
export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text in this browser. `false`: storage is full or disabled, and the text is not stored. */
export function storeText(key: string, text: string): boolean {
  try {
    window.localStorage.setItem(key, text);
  } catch {
    return false;
  }
  window.dispatchEvent(new Event(CHANGED));
  return true;
}

/** Calls back when a stored text changes, in this tab or another one. */
export function subscribeToStored(onChange: () => void): () => void {
  window.addEventListener("storage", onChange); // other tabs
  window.addEventListener(CHANGED, onChange); // this one
  return () => {
    window.removeEventListener("storage", onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}
