"use client";

import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** A page that failed. The reason is in the server's log under the digest; the person sees no trace. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div role="alert">
      <EmptyState title="This page failed" action={<Button onClick={reset}>Try again</Button>}>
        {error.digest === undefined
          ? "Something went wrong in the browser."
          : `The server could not make it (reference ${error.digest}).`}
      </EmptyState>
    </div>
  );
}
