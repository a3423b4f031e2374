"use client";

import { useState, type FormEvent } from "react";
import { postAuth } from "@/components/shell/session";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { signInMessage } from "@/app/(auth)/sign-in/sign-in-message";

interface SignInFormProps {
  /** A path of this app: where to go afterwards. */
  next: string;
  /** The name of the OpenID provider; `null` = there is none. */
  provider: string | null;
  initialError: string | null;
}

/**
 * Signs in with e-mail and password, or with the OpenID provider. The one error message never says whether the e-mail or
 * the password was wrong.
 */
export function SignInForm({ next, provider, initialError }: SignInFormProps) {
  const [error, setError] = useState(initialError === null ? null : signInMessage(initialError));
  const [pending, setPending] = useState<"password" | "provider" | null>(null);

  const attempt = async (by: "password" | "provider", post: () => ReturnType<typeof postAuth>) => {
    setPending(by);
    setError(null);
    try {
      const done = await post();
      // A navigation instead of a form: the page's Content-Security-Policy allows forms to post to this app only.
      if (done.ok) return window.location.assign(by === "provider" ? done.url : next);
      setError(done.problem ?? signInMessage(done.error ?? ""));
    } catch {
      setError("The server cannot be reached. Check your connection and try again.");
    }
    setPending(null);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = { email: String(form.get("email")), password: String(form.get("password")) };
    void attempt("password", () => postAuth("callback/credentials", given));
  };

  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {error !== null && <ErrorNote text={error} />}
      <Field label="E-mail">
        <Input name="email" type="text" inputMode="email" autoComplete="username" required />
      </Field>
      <Field label="Password">
        <Input name="password" type="password" autoComplete="current-password" required />
      </Field>
      <Button type="submit" variant="primary" pending={pending === "password"} disabled={pending === "provider"}>
        Sign in
      </Button>
      {provider !== null && (
        <>
          <p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or
          </p>
          <Button
            pending={pending === "provider"}
            disabled={pending === "password"}
            onClick={() => void attempt("provider", () => postAuth("signin/openid", { callbackUrl: next }))}
          >
            Continue with {provider}
          </Button>
        </>
      )}
    </form>
  );
}
