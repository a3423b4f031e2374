import { useState } from "react";
import { spanInWords } from "@/components/charts/time-words";
import { FilterChip, FilterChoice } from "@/components/resource/filters/filter-chip";
import { RANGES } from "@/components/resource/filters/ranges";
import { lazyPart } from "@/components/ui/lazy-part";
import { formatIn, useZone, type Zone } from "@/components/ui/zone";

/** The time filters of a growing list: a range that ends now, or fixed times. */
export const TIME_KEYS = ["range", "from", "to"];

/** The value of the time filter: a range's name, or ISO 8601 times. */
export interface TimeFilter {
  readonly range?: string | null;
  readonly from?: string;
  readonly to?: string;
}

/** The filters of a time choice by key. Clears those that it does not set. */
export function toTimeFilters(time: TimeFilter): Record<string, string | null> {
  return { range: null, from: null, to: null, ...time };
}

interface TimeChoiceProps {
  /** The values in the URL, by key. */
  chosen: Readonly<Record<string, string>>;
  onChange: (time: TimeFilter) => void;
}

const CustomTime = lazyPart(async () => (await import("@/components/resource/filters/custom-time")).CustomTime);

/** The choice that opens the dialog for two times. */
const CUSTOM = "custom";

/** The time filter: a menu of ranges, or a chip for times that a person, a link or a chart set. */
export function TimeChoice({ chosen: { range, from, to }, onChange }: TimeChoiceProps) {
  const zone = useZone();
  const [isEditing, setEditing] = useState(false);
  const dialog = isEditing && <CustomTime from={from} to={to} onApply={onChange} onClose={() => setEditing(false)} />;
  if (from !== undefined || to !== undefined)
    return (
      <>
        <FilterChip
          label="Time"
          value={timeInWords(from, to, zone)}
          onEdit={() => setEditing(true)}
          onRemove={() => onChange({})}
        />
        {dialog}
      </>
    );
  return (
    <>
      <FilterChoice
        label="Time"
        value={range ?? null}
        onChange={(next) => (next === CUSTOM ? setEditing(true) : onChange({ range: next }))}
        options={[...RANGES, { value: CUSTOM, label: "Custom range…" }]}
      />
      {dialog}
    </>
  );
}

/** A time range in words. Text that is no time stays as typed; the server reports its error. */
function timeInWords(from = "", to = "", zone: Zone): string {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (!Number.isNaN(start) && !Number.isNaN(end)) return spanInWords(start, end, zone);
  return from === "" ? `until ${momentInWords(to, zone)}` : `since ${momentInWords(from, zone)}`;
}

function momentInWords(text: string, zone: Zone): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : formatIn(zone, { dateStyle: "medium", timeStyle: "short" }).format(at);
}
