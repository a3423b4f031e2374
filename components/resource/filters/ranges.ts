const HOUR = 3_600_000;

/** Stretches of time that end now, as a view says them: it means another hour whenever it is looked at. Lengths in milliseconds. */
export const RANGES = [
  { value: "hour", label: "Last hour", length: HOUR },
  { value: "day", label: "Last 24 hours", length: 24 * HOUR },
  { value: "week", label: "Last 7 days", length: 7 * 24 * HOUR },
  { value: "month", label: "Last 30 days", length: 30 * 24 * HOUR },
] as const;

/** One of them. */
export type RangeName = (typeof RANGES)[number]["value"];

/** How long a range is, in milliseconds; `undefined` for what is none. */
export function lengthOf(range: string | undefined): number | undefined {
  return RANGES.find(({ value }) => value === range)?.length;
}
