import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { SignInForm } from "@/app/(auth)/sign-in/sign-in-form";
import { Wordmark } from "@/components/shell/wordmark";
import { localPath } from "@/lib/auth/people/local-path";
import { openIdSettings } from "@/lib/auth/openid/settings";
import { currentPerson } from "@/lib/auth/people/current-person";

export const metadata: Metadata = { title: "Sign in" };

/** Where a sign-in in a second tab ends. The first tab keeps what the person typed. */
const SIGNED_IN_AGAIN = "/sign-in?again=done";

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { callbackUrl, error, again } = await searchParams;
  const next = again === undefined ? localPath(typeof callbackUrl === "string" ? callbackUrl : "/") : SIGNED_IN_AGAIN;
  const isSignedIn = (await currentPerson()) !== null;
  if (isSignedIn && again === "done") return <SignedInAgain />;
  if (isSignedIn && again === undefined && error === undefined) redirect(next as "/");
  return (
    <Card title={isSignedIn ? "Sign in again" : "Sign in"}>
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
    </Card>
  );
}

function SignedInAgain() {
  return (
    <Card title="You are signed in">
      <p className="text-sm">Close this tab and continue in the tab that you came from. It has kept what you typed.</p>
    </Card>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 bg-panel px-4 py-16">
      <Wordmark />
      <div className="w-full max-w-xs rounded-xl border border-line bg-raised p-6">
        <h1 className="mb-4 text-lg font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  );
}
