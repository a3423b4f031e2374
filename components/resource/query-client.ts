import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "@/components/resource/request";

/** The cache of everything that was fetched: fresh for 10 s, asked again when the window is looked at. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => count < 2 && error instanceof Problem && (error.status === 0 || error.status >= 502),
      },
    },
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  });
}

/** A session that ended shows the sign-in page, which leads back here. */
function leaveWhenSignedOut(error: Error): void {
  if (!(error instanceof Problem) || error.code !== "unauthenticated") return;
  const here = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}
