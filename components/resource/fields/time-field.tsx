import type { Bound } from "@/components/resource/editor/bind";
import { Field, type FieldWords } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { aheadOf, useZone, type Zone } from "@/components/ui/zone";

/** A moment by the chosen clock, kept as ISO 8601 UTC; empty means not stated (`null`). */
export function TimeField({
  value,
  onChange,
  readOnly,
  hint,
  ...field
}: Omit<Bound<string | null>, "of"> & FieldWords) {
  const zone = useZone();
  const clock = zone === "utc" ? "UTC" : "Local time";
  return (
    <Field
      {...field}
      hint={
        hint === undefined ? (
          clock
        ) : (
          <>
            {clock}. {hint}
          </>
        )
      }
    >
      <Input
        type="datetime-local"
        max={LATEST}
        value={value === null ? "" : toControl(value, zone)}
        onChange={(event) => {
          const next = fromControl(event.target.value, zone);
          if (next !== undefined) onChange(next);
        }}
        disabled={readOnly}
        className="tabular-nums"
      />
    </Field>
  );
}

/** `2026-01-31T09:30`, the format of the control. */
function toControl(iso: string, zone: Zone): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - aheadOf(zone, date.getTime()) * 60_000).toISOString().slice(0, 16);
}

/** The last moment whose year has four digits. A person can type more, in spite of this maximum. */
const LATEST = "9999-12-31T23:59";

/** Empty is `null`. `undefined` for a year of more digits, which ISO 8601 and JavaScript do not read. */
export function fromControl(text: string, zone: Zone): string | null | undefined {
  if (text === "") return null;
  if (/^\d{5}/.test(text)) return undefined;
  return new Date(zone === "utc" ? `${text}Z` : text).toISOString();
}
