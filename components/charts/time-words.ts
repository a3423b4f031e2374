const DAY = 86_400_000;
const MINUTE = 60_000;

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const second = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** A moment on an axis, in local time, as exact as a step (milliseconds) needs it. */
export function tickInWords(at: number, step: number): string {
  if (step >= DAY) return day.format(at);
  return step >= MINUTE ? minute.format(at) : second.format(at);
}

/** A stretch of time (epoch milliseconds) in local time: `21 Nov, 14:30 – 15:00`. */
export function spanInWords(from: number, to: number): string {
  const clock = to - from >= MINUTE ? minute : second;
  if (to - from >= DAY && from % DAY === 0 && to % DAY === 0 && to - from === DAY) return day.format(from);
  const sameDay = day.format(from) === day.format(to - 1);
  const end = sameDay ? clock.format(to) : `${day.format(to)}, ${clock.format(to)}`;
  return `${day.format(from)}, ${clock.format(from)} – ${end}`;
}
