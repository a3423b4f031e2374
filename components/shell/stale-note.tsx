"use client";

import { useQueryClient, type Query } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Problem } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";

/** Whether a query shows old data because its refetch failed. */
function isStale(query: Query): boolean {
  return query.isActive() && query.state.status === "error" && query.state.data !== undefined;
}

/** Says on every page that some data is old, because its refetch failed. */
export function StaleNote() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const error = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => cache.findAll({ predicate: isStale })[0]?.state.error ?? null,
    () => null,
  );
  if (error === null) return null;
  const requestId = error instanceof Problem ? error.requestId : null;
  return (
    <section
      role="status"
      aria-label="Not up to date"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-5 py-1.5 text-sm text-warn"
    >
      <CloudOff aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        Part of this page could not be refreshed and may be out of date: {error.message}
      </span>
      {requestId !== null && <CopyButton text={requestId} label="Copy request id" showLabel />}
      <Button size="sm" onClick={() => void client.refetchQueries({ predicate: isStale })}>
        Try again
      </Button>
    </section>
  );
}
