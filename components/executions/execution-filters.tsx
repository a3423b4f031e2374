"use client";

import { X } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { CALL_STATUSES } from "@/lib/resources/execution";

const RANGES = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
type Range = keyof typeof RANGES;

/** Filters that arrive by a link from elsewhere and show as chips. */
const CHIPS = ["tool", "source", "agent", "subject", "group", "session", "code", "reason"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  range: parseAsStringLiteral(["hour", "day", "week"]),
  status: parseAsStringLiteral(CALL_STATUSES),
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
  return { url, setUrl, chips, asked, clear, narrowed: Object.keys(asked).length > 0 };
}

type Filters = ReturnType<typeof useExecutionFilters>;

/** The row of filters above the log. */
export function ExecutionFilters({ filters, total }: { filters: Filters; total: number | null }) {
  const { url, setUrl, chips } = filters;
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 py-3">
      <Input
        type="search"
        aria-label="Search the log"
        placeholder="Search tool, subject, call or request id…"
        value={url.q}
        onChange={(event) =>
          void setUrl({ q: event.target.value === "" ? null : event.target.value }, { history: "replace" })
        }
        className="w-80"
      />
      <Select<Range | "all">
        aria-label="Time range"
        value={url.range ?? "all"}
        onChange={(range) => void setUrl({ range: range === "all" ? null : range })}
        options={[
          { value: "all", label: "Any time" },
          { value: "hour", label: "Last hour" },
          { value: "day", label: "Last 24 hours" },
          { value: "week", label: "Last 7 days" },
        ]}
        className="w-36"
      />
      <Select<string>
        aria-label="Outcome"
        value={url.status ?? "all"}
        onChange={(status) => void setUrl({ status: CALL_STATUSES.find((known) => known === status) ?? null })}
        options={[
          { value: "all", label: "Any outcome" },
          ...CALL_STATUSES.map((value) => ({ value, label: value.replaceAll("_", " ") })),
        ]}
        className="w-40"
      />
      {chips.map(([key, value]) => (
        <Badge key={key} tone="accent" className="h-7 pr-0.5 pl-2">
          <span className="max-w-60 truncate">
            {key}: {value}
          </span>
          <Button
            size="icon"
            variant="ghost"
            aria-label={`Clear ${key}`}
            className="size-6"
            onClick={() => void setUrl({ [key]: null })}
          >
            <X aria-hidden />
          </Button>
        </Badge>
      ))}
      <span aria-live="polite" className="text-xs text-faint tabular-nums">
        {total === null ? "" : `${total.toLocaleString("en")} ${total === 1 ? "call" : "calls"}`}
      </span>
    </div>
  );
}
