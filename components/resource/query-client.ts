import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { signInAgain } from "@/components/resource/go";
import { Problem } from "@/components/resource/request";

/** The cache of everything that was fetched: fresh for 10 s, asked again when the window is looked at. */
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
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({
      onError: (error) => {
        leaveWhenSignedOut(error);
        // What was looked at is not what is stored any more: the next try is made from what is.
        if (error instanceof Problem && error.code === "stale")
          void client.invalidateQueries({ refetchType: "active" });
      },
    }),
  });
  return client;
}

function leaveWhenSignedOut(error: Error): void {
  if (error instanceof Problem && error.code === "unauthenticated") signInAgain();
}
