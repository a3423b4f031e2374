import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInForm } from "@/app/(auth)/sign-in/sign-in-form";
import { Wordmark } from "@/components/shell/wordmark";
import { localPath } from "@/lib/auth/people/local-path";
import { openIdSettings } from "@/lib/auth/openid/settings";
import { currentPerson } from "@/lib/auth/people/current-person";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { callbackUrl, error } = await searchParams;
  const next = localPath(typeof callbackUrl === "string" ? callbackUrl : "/");
  if ((await currentPerson()) !== null) redirect(next as "/");
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 bg-panel px-4 py-16">
      <Wordmark />
      <div className="w-full max-w-xs rounded-xl border border-line bg-raised p-6">
        <h1 className="mb-4 text-lg font-semibold">Sign in</h1>
        {next.startsWith("/connect/") && (
          <p className="mb-4 text-sm">
            A program asks to use tools for you. Sign in first, then you see what it asks for and decide.
          </p>
        )}
        <SignInForm
          next={next}
          provider={openIdSettings()?.name ?? null}
          initialError={typeof error === "string" ? error : null}
        />
      </div>
    </main>
  );
}
