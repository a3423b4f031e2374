import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

/** A failed page. The server's log has the reason under the digest; the person sees no stack trace. */
export function PageError({ error }: { error: Error & { digest?: string } }) {
  return (
    <div role="alert">
      <EmptyState
        page
        title="This page failed"
        action={
          <>
            {/* A full reload: the browser does not load missing code again by itself. */}
            <Button onClick={() => window.location.reload()}>Try again</Button>
            <LinkButton href="/">Go to the overview</LinkButton>
          </>
        }
      >
        {error.digest === undefined
          ? "Something went wrong in the browser, or part of the page could not be loaded."
          : `The server could not render this page. Search the server log for the reference ${error.digest}.`}
      </EmptyState>
    </div>
  );
}
