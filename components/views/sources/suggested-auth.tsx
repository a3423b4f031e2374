import { useEffect, useRef } from "react";
import { bind } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { Button } from "@/components/ui/button";
import { blankAuth, SourceAuth, type Auth } from "@/components/views/sources/source-auth";
import type { AuthSuggestion } from "@/lib/contracts/sources/auth-suggestion";

interface SuggestedAuthProps {
  suggestions: readonly AuthSuggestion[];
  /** The suggestion that a person is completing. */
  chosen: AuthSuggestion | null;
  onChoose: (chosen: AuthSuggestion | null) => void;
  draft: Draft<{ auth: Auth }>;
}

/** The authentication that a document declares, and the source's own form to complete it. */
export function SuggestedAuth({ suggestions, chosen, onChoose, draft }: SuggestedAuthProps) {
  const section = useRef<HTMLElement>(null);
  // The form is longer than the button was, and opens at the end of the dialog.
  useEffect(() => {
    if (chosen === null) return;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: "start" });
  }, [chosen]);
  if (suggestions.length === 0) return null;
  const choose = (suggestion: AuthSuggestion) => {
    draft.set("auth", { ...blankAuth(suggestion.auth.mode), ...suggestion.auth } as Auth);
    onChoose(suggestion);
  };
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Authentication"
      className="flex flex-col gap-3 rounded-md border border-line p-3 text-sm"
    >
      {chosen === null ? (
        <>
          <h3 className="font-medium">This API requires {suggestions.length > 1 && "one of"}</h3>
          <ul className="flex flex-col gap-2">
            {suggestions.map((suggestion) => {
              const words = describeAuth(suggestion.auth);
              return (
                <li key={`${suggestion.scheme} ${suggestion.auth.mode}`} className="flex items-center gap-2">
                  <span className="min-w-0 flex-1 break-words text-muted">{words}</span>
                  <Button size="sm" aria-label={`Set up: ${words}`} onClick={() => choose(suggestion)}>
                    Set up
                  </Button>
                </li>
              );
            })}
          </ul>
        </>
      ) : (
        <>
          <div className="flex items-center gap-2">
            <h3 className="flex-1 font-medium">Authentication of the source</h3>
            <Button size="sm" variant="ghost" onClick={() => onChoose(null)}>
              Remove authentication
            </Button>
          </div>
          <p className="text-xs text-muted">
            Filled in from the document. Check the addresses before you choose a secret.
          </p>
          <SourceAuth bound={bind(draft, "auth")} origins={chosen.origins} />
        </>
      )}
    </section>
  );
}

function describeAuth(auth: AuthSuggestion["auth"]): string {
  switch (auth.mode) {
    case "api_key":
      return `An API key in the ${auth.in} ${auth.name}`;
    case "basic":
      return "A user name and password";
    case "bearer":
      return "A token, the same for every call";
    case "client_credentials":
      return `OAuth 2 client credentials, ${fromWhere(auth.tokenUrl)}`;
    case "token_exchange":
      return `An OAuth 2 token of each caller, by exchange, ${fromWhere(auth.tokenUrl)}`;
  }
}

function fromWhere(tokenUrl: string): string {
  return tokenUrl === "" ? "from a token URL that the document does not state" : `with tokens from ${tokenUrl}`;
}
