"use client";

import type { ReactNode } from "react";
import type { Bound } from "@/components/resource/bind";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

/** A moment in local time, kept as ISO 8601 UTC; empty means not stated (`null`). */
export function TimeField({
  path,
  value,
  onChange,
  error,
  readOnly,
  label,
  hint,
  className,
}: Omit<Bound<string | null>, "of"> & { label: string; hint?: ReactNode; className?: string }) {
  return (
    <Field label={label} hint={hint} error={error} name={path} className={className}>
      <Input
        type="datetime-local"
        value={value === null ? "" : toLocal(value)}
        onChange={(event) => onChange(event.target.value === "" ? null : new Date(event.target.value).toISOString())}
        disabled={readOnly}
        className="tabular-nums"
      />
    </Field>
  );
}

/** `2026-01-31T09:30` in the browser's zone, as the control wants it. */
function toLocal(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
