import { useSyncExternalStore } from "react";
import { readStored, storeText, subscribeToStored } from "@/components/ui/browser-storage";

/** The time zone of absolute times. */
export type Zone = "local" | "utc";

export const ZONES = { local: "Local time", utc: "UTC" } as const satisfies Record<Zone, string>;

const KEY = "qm-zone";

/** The time zone that this browser uses; local time by default. */
export function useZone(): Zone {
  return useSyncExternalStore(subscribeToStored, readZone, () => "local");
}

/** Sets the time zone for every page of this browser. */
export function changeZone(zone: Zone): void {
  storeText(KEY, zone);
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
  return readStored(KEY) === "utc" ? "utc" : "local";
}
