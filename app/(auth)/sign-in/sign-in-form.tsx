"use client";

import { useState, type FormEvent } from "react";
import { postAuth } from "@/components/shell/session";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { signInMessage } from "@/app/(auth)/sign-in/sign-in-message";

/** E-mail and password. What went wrong is said in one place, and never which of the two was wrong. */
export function SignInForm({ next, initialError }: { next: string; initialError: string | null }) {
  const [error, setError] = useState(initialError === null ? null : signInMessage(initialError));
  const [pending, setPending] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setPending(true);
    setError(null);
    try {
      const done = await postAuth("callback/credentials", {
        email: String(form.get("email")),
        password: String(form.get("password")),
      });
      if (done.ok) return window.location.assign(next);
      setError(signInMessage(done.error ?? ""));
    } catch {
      setError("The server cannot be reached. Check the connection and try again.");
    }
    setPending(false);
  };

  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {error !== null && (
        <p role="alert" className="rounded-md bg-deny-soft px-3 py-2 text-sm text-deny">
          {error}
        </p>
      )}
      <Field label="E-mail">
        <Input name="email" type="text" inputMode="email" autoComplete="username" required />
      </Field>
      <Field label="Password">
        <Input name="password" type="password" autoComplete="current-password" required />
      </Field>
      <Button type="submit" variant="primary" pending={pending}>
        Sign in
      </Button>
    </form>
  );
}
