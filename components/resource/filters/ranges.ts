const HOUR = 3_600_000;

/** Time ranges that end now, for saved views: a view covers the latest range at every use. Lengths in milliseconds. */
export const RANGES = [
  { value: "hour", label: "Last hour", length: HOUR },
  { value: "day", label: "Last 24 hours", length: 24 * HOUR },
  { value: "week", label: "Last 7 days", length: 7 * 24 * HOUR },
  { value: "month", label: "Last 30 days", length: 30 * 24 * HOUR },
] as const;

export type RangeName = (typeof RANGES)[number]["value"];

/** The length of a range in milliseconds; `undefined` for an unknown one. */
export function rangeMs(range: string | undefined): number | undefined {
  return RANGES.find(({ value }) => value === range)?.length;
}
