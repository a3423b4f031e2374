import { MutationCache, QueryCache, QueryClient, type Query } from "@tanstack/react-query";
import { sessionLives, signInAgain } from "@/components/resource/go";
import { Problem } from "@/components/resource/request";
import { ATTENTION } from "@/components/resource/attention";
import type { ResourceName } from "@/lib/resources/kinds";

/** The cache of all fetched data: fresh for 10 s, and refetched when the window gets the focus. */
export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // The server may be on this machine: a browser that takes itself for offline would show grey places for ever.
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        staleTime: 10_000,
        retry: (count, error) => count < 2 && error instanceof Problem && (error.status === 0 || error.status >= 502),
      },
    },
    queryCache: new QueryCache({
      onError: (error) => leaveWhenSignedOut(error, false),
      onSuccess: sessionLives,
    }),
    mutationCache: new MutationCache({
      // An action may change what waits, and the frame of the page shows that.
      onSettled: () => void client.invalidateQueries({ queryKey: ATTENTION }),
      onError: (error) => {
        leaveWhenSignedOut(error, true);
        // The shown data is outdated. Refetch it, so that the next attempt uses the stored data.
        if (error instanceof Problem && error.code === "stale")
          void client.invalidateQueries({ refetchType: "active" });
      },
    }),
  });
  return client;
}

/**
 * Outdates every query after a change of a row, because pages of other rows show it too, and refetches those in sight.
 * Not those of the row's former name `gone`, which the server no longer knows. Keys name rows after their first two parts.
 */
export function refetchAfter(client: QueryClient, resource: ResourceName, gone: string | null): Promise<void> {
  void client.invalidateQueries({ refetchType: "none" });
  const isGone = ({ queryKey: [subject, kind, ...rest] }: Query) =>
    JSON.stringify(rest).includes(JSON.stringify(gone)) && (kind !== "row" || subject === resource);
  return client.invalidateQueries({ refetchType: "active", predicate: (query) => gone === null || !isGone(query) });
}

function leaveWhenSignedOut(error: Error, isAction: boolean): void {
  if (error instanceof Problem && error.code === "unauthenticated") signInAgain({ isAction });
}
