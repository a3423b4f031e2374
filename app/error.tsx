"use client";

import { PageError } from "@/components/shell/page-error";

// The error page of all other pages, and of the layout, which reads the signed-in person from the store.
export default function RootError({ error }: { error: Error & { digest?: string } }) {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <PageError error={error} />
    </main>
  );
}
