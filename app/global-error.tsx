"use client";

import { PageError } from "@/components/shell/page-error";
import "@/app/globals.css";

// What every page stands in failed. It takes the place of the root layout, and so is a document of its own.
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" data-theme="system" className="font-sans">
      <body>
        <main className="flex min-h-dvh items-center justify-center">
          <PageError error={error} />
        </main>
      </body>
    </html>
  );
}
