import { objectOf } from "@/lib/calls/builtin/support/schemas";
import type { BuiltinTool } from "@/lib/calls/pipeline/contract";

/** The time of the call, in a zone of the caller's choice. */
export const currentDateTime: BuiltinTool = {
  id: "builtin:current_date_time",
  name: "current_date_time",
  displayName: "Current date and time",
  description: "Tells the current date and time, in UTC and in a time zone of your choice.",
  category: "time",
  version: "1",
  tags: ["time"],
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: {
    type: "object",
    properties: {
      time_zone: { type: "string", maxLength: 64, description: "IANA name, such as `Europe/Berlin`. UTC when absent." },
    },
    additionalProperties: false,
  },
  outputSchema: objectOf({
    utc: { type: "string" },
    local: { type: "string" },
    time_zone: { type: "string" },
    weekday: { type: "string" },
    epoch_seconds: { type: "integer" },
  }),
  validateArgs: (args) =>
    formatterOf(zoneOf(args["time_zone"])) === null ? ["`time_zone` is not an IANA time zone name"] : [],
  execute: (args, { now }) => {
    const zone = zoneOf(args["time_zone"]);
    const parts = new Map(
      formatterOf(zone)
        ?.formatToParts(now)
        .map(({ type, value }) => [type, value]),
    );
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? "";
    const offset = part("timeZoneName").replace("GMT", "") || "+00:00";
    return {
      success: true,
      output: {
        utc: new Date(now).toISOString(),
        local: `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}${offset}`,
        time_zone: zone,
        weekday: part("weekday"),
        epoch_seconds: Math.floor(now / 1000),
      },
    };
  },
};

function zoneOf(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "UTC";
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      weekday: "long",
      timeZoneName: "longOffset",
    });
  } catch {
    return null;
  }
}
