const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * An RFC 3339 date-time with offset as epoch milliseconds (fractions kept), or `null`. Stricter than `Date.parse`,
 * which accepts other formats and reads the local zone.
 */
export function parseTime(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = match;
  const fields = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = fields;
  if (mo < 1 || mo > 12 || d < 1 || d > daysInMonth(y, mo) || h > 23 || mi > 59 || s > 60) return null;
  const offset = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null;
  const local =
    utc(y, mo, d) + ((h * 60 + mi) * 60 + s) * 1000 + (fraction === undefined ? 0 : Number(`0.${fraction}`) * 1000);
  return local - (sign === "-" ? -offset : offset) * 60_000;
}

/**
 * Midnight UTC; months outside 1 to 12 overflow into other years. Uses `setUTCFullYear`, because `Date.UTC` reads years
 * below 100 as 19xx.
 */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function daysInMonth(year: number, month: number): number {
  return new Date(utc(year, month + 1, 0)).getUTCDate();
}

/** An ISO 8601 duration: calendar months (years folded in), and exact milliseconds. Never negative. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const ISO_8601_DURATION =
  /^P(?=\d|T\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?)?$/;

/** Parses `P1Y2M3W4DT5H6M7.5S` and its parts; `null` for other text. */
export function parseDuration(text: string): Duration | null {
  const match = ISO_8601_DURATION.exec(text);
  if (match === null) return null;
  const part = (index: number): number => Number(match[index]?.replace(",", ".") ?? 0);
  const days = part(3) * 7 + part(4);
  const milliseconds = ((days * 24 + part(5)) * 60 + part(6)) * 60_000 + part(7) * 1000;
  return { months: part(1) * 12 + part(2), milliseconds };
}

/**
 * Moves a time by a duration, forwards (`sign` 1) or back (−1): first calendar months in UTC, then exact milliseconds.
 * The day is limited to the month's last (31 January + 1 month = 28 or 29 February).
 */
export function moveTime(time: number, duration: Duration, sign: 1 | -1): number {
  const date = new Date(time);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + sign * duration.months;
  const midnight = utc(0, months + 1, Math.min(date.getUTCDate(), daysInMonth(0, months + 1)));
  const timeOfDay = time - utc(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  return midnight + timeOfDay + sign * duration.milliseconds;
}
