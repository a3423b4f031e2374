/** Settings with their parts side by side, so that each reads as a change of its own: `routing high: 0.8 → 0.9`. */
export function settingsInParts(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([part, one]) => [`${name} ${part}`, one])
        : [[name, value]],
    ),
  );
}
