import type { ReactNode } from "react";
import { useGet } from "@/components/resource/use-get";
import { ProblemNote } from "@/components/resource/problem-note";
import { Skeleton } from "@/components/ui/skeleton";
import type { Page } from "@/lib/contracts/changes/list";

/** Rows that a part of an agent's page shows. `limit` among the filters shows more. */
const SHOWN = 5;
/** Milliseconds between two reads. */
const POLL_MS = 10_000;
/** Lists that are read repeatedly: a person who stops an agent waits for its next refused call. */
const POLLED: ReadonlySet<LatestOf["list"]> = new Set(["executions", "denials"]);

interface LatestOf {
  /** The list's name in the admin API. */
  list: "access-requests" | "api-keys" | "executions" | "denials" | "sessions" | "audit";
  filters: Readonly<Record<string, string>>;
}

/** The first rows of a list of the admin API. Parts that show the same list share one request. */
export function useLatest<T>({ list, filters }: LatestOf, enabled = true) {
  const search = new URLSearchParams({ limit: String(SHOWN), ...filters });
  return useGet<Page<T>>([list, "of-agent", search.toString()], `/api/admin/${list}?${search}`, {
    staleTime: 0,
    refetchInterval: POLLED.has(list) ? POLL_MS : false,
    enabled,
  });
}

interface LatestProps<T> extends LatestOf {
  /** Shown when there is no row. */
  none: string;
  children: (row: T) => ReactNode;
}

/** The rows of `useLatest`, one line each. */
export function Latest<T>({ list, filters, none, children }: LatestProps<T>) {
  const page = useLatest<T>({ list, filters });
  if (page.isLoadingError) return <ProblemNote error={page.error} onRetry={() => void page.refetch()} />;
  if (page.isPending) return <Skeleton className="h-16" />;
  if (page.data.items.length === 0) return <p className="text-sm text-muted">{none}</p>;
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      {page.data.items.map((row, index) => (
        // The rows are replaced together, so their places are stable.
        <li key={index} className="flex min-w-0 items-center gap-2">
          {children(row)}
        </li>
      ))}
    </ul>
  );
}
