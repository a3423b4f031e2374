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
        value={value === null ? "" : toControl(value, zone)}
        onChange={(event) => onChange(event.target.value === "" ? null : fromControl(event.target.value, zone))}
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

function fromControl(text: string, zone: Zone): string {
  return new Date(zone === "utc" ? `${text}Z` : text).toISOString();
}
