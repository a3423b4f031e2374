import { useQueryClient, type Query } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** Milliseconds that a form waits for the notices above it. */
const MAX_WAIT_MS = 1_000;

/** Options of a query whose answer a notice above a form shows. */
export const NOTICE_QUERY = { meta: { notice: true } } as const;

/**
 * Whether the notices above a form have loaded, so that none of them moves the form under a pointer later. A slow one is
 * not waited for.
 */
export function useNoticesLoaded(): boolean {
  const client = useQueryClient();
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (isLoaded) return undefined;
    const check = () => {
      if (client.isFetching({ predicate: isFirstReadOfNotice }) === 0) setLoaded(true);
    };
    const stopListening = client.getQueryCache().subscribe(check);
    // The notices of this page begin to read in the same turn, before this timer.
    const soon = setTimeout(check);
    const late = setTimeout(() => setLoaded(true), MAX_WAIT_MS);
    return () => {
      stopListening();
      clearTimeout(soon);
      clearTimeout(late);
    };
  }, [client, isLoaded]);
  return isLoaded;
}

function isFirstReadOfNotice({ meta, state }: Query): boolean {
  return meta?.["notice"] === true && state.status === "pending";
}
