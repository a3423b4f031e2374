"use client";

import { PageError } from "@/components/shell/page-error";

// Any other page, and the frame itself: it asks the store who is signed in.
export default function RootError({ error }: { error: Error & { digest?: string } }) {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <PageError error={error} />
    </main>
  );
}
