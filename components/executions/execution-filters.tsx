"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { FilterBox } from "@/components/resource/filter-box";
import { FilterChip, FilterChoice } from "@/components/resource/filter-chip";
import { CALL_STATUSES } from "@/lib/resources/execution";

const RANGES = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
const RANGE_NAMES = ["hour", "day", "week"] as const satisfies readonly (keyof typeof RANGES)[];

/** Filters that arrive by a link from elsewhere and show as chips. */
const CHIPS = ["tool", "source", "agent", "subject", "group", "session", "code", "reason"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  range: parseAsStringLiteral(RANGE_NAMES),
  status: parseAsStringLiteral(CALL_STATUSES),
  peek: parseAsString,
  ...(Object.fromEntries(CHIPS.map((key) => [key, parseAsString])) as Record<
    (typeof CHIPS)[number],
    typeof parseAsString
  >),
};

/** The log's filters as the URL holds them, as the API takes them, and how to change them. */
export function useExecutionFilters(now: number) {
  const [url, setUrl] = useQueryStates(parsers, { history: "push" });
  const chips = CHIPS.flatMap((key) => (url[key] === null ? [] : [[key, url[key]] as const]));
  const asked: Record<string, string> = Object.fromEntries(chips);
  if (url.q !== "") asked["q"] = url.q;
  if (url.status !== null) asked["status"] = url.status;
  if (url.range !== null) asked["from"] = new Date(now - RANGES[url.range]).toISOString();
  const clear = () => void setUrl(null);
  // A view says "the last hour" again when it is applied: it keeps the range, not its times.
  const { peek: _peek, ...kept } = url;
  const query = Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== ""),
  );
  return { url, setUrl, chips, asked, query, clear, narrowed: Object.keys(asked).length > 0 };
}

type Filters = ReturnType<typeof useExecutionFilters>;

interface ExecutionFiltersProps {
  filters: Filters;
  total: number | null;
  /** The menu of saved views. */
  views: ReactNode;
}

/** The row of filters above the log. */
export function ExecutionFilters({ filters, total, views }: ExecutionFiltersProps) {
  const { url, setUrl, chips } = filters;
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 px-5 py-3">
      <FilterBox
        label="Search the log"
        placeholder="Search tool, subject, call or request id…"
        value={url.q}
        onChange={(q) => void setUrl({ q }, { history: "replace" })}
        className="w-80 max-w-full"
      />
      {views}
      <FilterChoice
        label="Time"
        value={url.range}
        onChange={(range) => void setUrl({ range: RANGE_NAMES.find((known) => known === range) ?? null })}
        options={[
          { value: "hour", label: "Last hour" },
          { value: "day", label: "Last 24 hours" },
          { value: "week", label: "Last 7 days" },
        ]}
      />
      <FilterChoice
        label="Outcome"
        value={url.status}
        onChange={(status) => void setUrl({ status: CALL_STATUSES.find((known) => known === status) ?? null })}
        options={CALL_STATUSES.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
      />
      {chips.map(([key, value]) => (
        <FilterChip key={key} label={key} value={value} onRemove={() => void setUrl({ [key]: null })} />
      ))}
      <span aria-live="polite" className="text-xs text-faint tabular-nums">
        {total === null ? "" : `${total.toLocaleString("en")} ${total === 1 ? "call" : "calls"}`}
      </span>
    </div>
  );
}
