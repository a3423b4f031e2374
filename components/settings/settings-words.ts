import { isObject } from "@/lib/access/model/json";

/** Flattens settings into parts, so that each is a separate change: `routing high: 0.8 → 0.9`. */
export function settingsInParts(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
      isObject(value) ? Object.entries(value).map(([part, one]) => [`${name} ${part}`, one]) : [[name, value]],
    ),
  );
}
