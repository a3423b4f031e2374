/** A calendar-aware length of time: whole months, then milliseconds. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

/** RFC 3339 text with offset → epoch milliseconds, or `null`. */
export function readInstant(text: string): number | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(found[8]!);
  if (offset === null) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Math.trunc(Number(`0${found[7] ?? ""}`) * 1000));
  return date.getTime() - offset * 60_000;
}

function offsetMinutes(text: string): number | null {
  if (text === "Z" || text === "z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

/** ISO 8601 duration, or `null`. */
export function readDuration(text: string): Duration | null {
  const found = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    text,
  );
  if (found === null || text === "P" || text.endsWith("T")) return null;
  const [years, months, weeks, days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    months: years * 12 + months,
    milliseconds: ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000,
  };
}

/**
 * Moves `now` by a duration: first calendar months in UTC (a missing day becomes the month's last), then milliseconds.
 */
export function move(now: number, duration: Duration, sign: 1 | -1): number {
  const date = new Date(now);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + sign * duration.months;
  const year = Math.floor(months / 12);
  const month = months - year * 12;
  const day = Math.min(date.getUTCDate(), daysIn(year, month + 1));
  date.setUTCFullYear(year, month, day);
  return date.getTime() + sign * duration.milliseconds;
}
