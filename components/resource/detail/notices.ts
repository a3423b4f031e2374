import { useQueryClient, type Query } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** Milliseconds that a form waits for the notices above it. */
const MAX_WAIT_MS = 1_000;

/** Milliseconds after which a notice that could not be read is read again: without it, the page looks as if nothing waits. */
const RETRY_MS = 10_000;

/** The options of a query for a notice above a form. */
export const NOTICE_QUERY = {
  meta: { notice: true },
  refetchInterval: ({ state }: { state: { status: string } }) => (state.status === "error" ? RETRY_MS : false),
} as const;

/**
 * Whether the notices above a form have loaded. The form appears after them, because a later notice would move it under the
 * pointer. After `MAX_WAIT_MS` the form appears anyway.
 */
export function useNoticesLoaded(): boolean {
  const client = useQueryClient();
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (isLoaded) return undefined;
    const check = () => {
      if (client.isFetching({ predicate: isLoadingNotice }) === 0) setLoaded(true);
    };
    const stopListening = client.getQueryCache().subscribe(check);
    // The notices of this page start their requests in the same turn, before this timer.
    const firstCheck = setTimeout(check);
    const deadline = setTimeout(() => setLoaded(true), MAX_WAIT_MS);
    return () => {
      stopListening();
      clearTimeout(firstCheck);
      clearTimeout(deadline);
    };
  }, [client, isLoaded]);
  return isLoaded;
}

function isLoadingNotice({ meta, state }: Query): boolean {
  return meta?.["notice"] === true && state.status === "pending";
}
