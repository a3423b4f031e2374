import { useSyncExternalStore } from "react";

/** The time zone of absolute times. */
export type Zone = "local" | "utc";

/** The zones in words. */
export const ZONES = { local: "Local time", utc: "UTC" } as const satisfies Record<Zone, string>;

const KEY = "qm-zone";
const CHANGED = "qm-zone-changed";

/** The time zone that this browser uses; local time by default. */
export function useZone(): Zone {
  return useSyncExternalStore(subscribe, readZone, () => "local");
}

/** Sets the time zone for every page of this browser. */
export function changeZone(zone: Zone): void {
  try {
    window.localStorage.setItem(KEY, zone);
  } catch {
    // If storage is full or disabled, the choice is lost and the page continues.
    return;
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Formats moments by a clock; `options` are those of `Intl.DateTimeFormat`. */
export function formatIn(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-GB", { ...options, ...(zone === "utc" && { timeZone: "UTC" }) });
}

/** Minutes that UTC is ahead of a clock, at a moment (epoch milliseconds). */
export function aheadOf(zone: Zone, at: number): number {
  return zone === "utc" ? 0 : new Date(at).getTimezoneOffset();
}

function readZone(): Zone {
  try {
    return window.localStorage.getItem(KEY) === "utc" ? "utc" : "local";
  } catch {
    return "local";
  }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("storage", onChange); // other tabs
  window.addEventListener(CHANGED, onChange); // this one
  return () => {
    window.removeEventListener("storage", onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}
