import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { chaptersOf } from "@/components/docs/chapters";
import { DocsNavigation } from "@/components/docs/docs-navigation";
import { SkipLink } from "@/components/shell/skip-link";
import { THEME_COOKIE, toTheme } from "@/components/shell/theme";
import { ThemeButton } from "@/components/shell/header-buttons";
import { Wordmark } from "@/components/shell/wordmark";
import { Link } from "@/components/ui/link";
import { openApi } from "@/lib/contracts/openapi/document";

export const metadata: Metadata = { title: { default: "API", template: "%s · API · Quartermaster" } };

/** The API's documentation: open to anyone, because it is the same in every installation. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const theme = toTheme((await cookies()).get(THEME_COOKIE)?.value);
  const chapters = chaptersOf(openApi).map(({ slug, title, operations }) => ({
    slug,
    title,
    operations: operations.map(({ operationId: id, method, path, summary }) => ({ id, method, path, summary })),
  }));
  return (
    <div className="flex h-dvh min-h-0 flex-col overflow-hidden">
      <SkipLink />
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-5 max-md:px-3">
        <Link href="/" className="rounded-md">
          <Wordmark />
        </Link>
        <span className="text-sm text-muted max-sm:hidden">API {openApi.info.version}</span>
        <div className="ml-auto flex items-center gap-3 whitespace-nowrap">
          <Link href="/" className="text-xs text-muted hover:text-ink hover:underline">
            Open the app
          </Link>
          <a
            href="/api/openapi.json"
            target="_blank"
            rel="noreferrer"
            className="font-mono text-xs text-muted hover:text-ink hover:underline"
          >
            openapi.json
          </a>
          <ThemeButton initial={theme} />
        </div>
      </header>
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <div className="w-72 shrink-0 overflow-y-auto border-r border-line bg-panel p-3 max-md:max-h-48 max-md:w-full max-md:border-r-0 max-md:border-b">
          <DocsNavigation chapters={chapters} />
        </div>
        <main
          id="main"
          tabIndex={-1}
          className="min-h-0 min-w-0 flex-1 overflow-y-auto px-8 py-6 outline-none max-md:px-4"
        >
          <div className="mx-auto flex max-w-4xl flex-col gap-6">{children}</div>
        </main>
      </div>
    </div>
  );
}
