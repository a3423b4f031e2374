"use client";

import { PageError } from "@/components/shell/page-error";
import "@/app/globals.css";

// The error page for a failed root layout. It replaces that layout, so it is a complete document.
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
