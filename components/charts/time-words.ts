import { aheadOf, formatIn, type Zone } from "@/components/ui/zone";

const DAY = 86_400_000;
const MINUTE = 60_000;

/** The formats of one clock. */
function formatsOf(zone: Zone) {
  return {
    day: formatIn(zone, { day: "numeric", month: "short" }),
    minute: formatIn(zone, { hour: "2-digit", minute: "2-digit" }),
    second: formatIn(zone, { hour: "2-digit", minute: "2-digit", second: "2-digit" }),
  };
}

const FORMATS = { local: formatsOf("local"), utc: formatsOf("utc") };

/** A moment (epoch milliseconds) on an axis, as precise as a step (milliseconds) needs. Names the day at its start. */
export function tickInWords(at: number, step: number, zone: Zone): string {
  const { day, minute, second } = FORMATS[zone];
  if (step >= DAY || (at - aheadOf(zone, at) * MINUTE) % DAY === 0) return day.format(at);
  return (step >= MINUTE ? minute : second).format(at);
}

/** A stretch of time (epoch milliseconds): `21 Nov, 14:30 – 15:00`. */
export function spanInWords(from: number, to: number, zone: Zone): string {
  const { day, minute, second } = FORMATS[zone];
  const clock = to - from >= MINUTE ? minute : second;
  const sameDay = day.format(from) === day.format(to - 1);
  const end = sameDay ? clock.format(to) : `${day.format(to)}, ${clock.format(to)}`;
  return `${day.format(from)}, ${clock.format(from)} – ${end}${zone === "utc" ? " UTC" : ""}`;
}
