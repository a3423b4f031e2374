"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { GUIDES, guideHref, REFERENCES } from "@/components/docs/guides";
import { MethodBadge } from "@/components/docs/method-badge";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/forms/input";
import { Link } from "@/components/ui/link";

const entriesOf = (documents: typeof GUIDES | typeof REFERENCES) =>
  documents.map(({ name, title }) => ({ href: guideHref(name), title }));
const GUIDE_ENTRIES = [{ href: "/docs", title: "Five minutes" }, ...entriesOf(GUIDES)];
const REFERENCE_ENTRIES = entriesOf(REFERENCES);

/** The facts about a chapter that the navigation needs. */
interface NavigationChapter {
  readonly slug: string;
  readonly title: string;
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly summary: string;
  }[];
}

/** Chapters and the operations of the open one; after a search, the operations that contain every word. */
export function DocsNavigation({ chapters }: { chapters: readonly NavigationChapter[] }) {
  const pathname = usePathname();
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = chapters.map((chapter) => narrowed(chapter, wanted)).filter(({ operations }) => operations.length > 0);
  return (
    <nav aria-label="Guides and API" className="flex flex-col gap-3">
      <Input
        type="search"
        aria-label="Filter API operations"
        placeholder="Filter API operations"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {wanted.length === 0 && <Documents title="Guides" of={GUIDE_ENTRIES} pathname={pathname} />}
      <section aria-label="API operations">
        <Heading>API operations</Heading>
        <ul className="flex flex-col gap-px">
          {found.map((chapter) => (
            <li key={chapter.slug}>
              <Entry href={`/docs/${chapter.slug}`} current={pathname === `/docs/${chapter.slug}`}>
                {chapter.title}
              </Entry>
              {(wanted.length > 0 || pathname === `/docs/${chapter.slug}`) && <Operations chapter={chapter} />}
            </li>
          ))}
        </ul>
      </section>
      {wanted.length === 0 && <Documents title="Reference" of={REFERENCE_ENTRIES} pathname={pathname} />}
      {found.length === 0 && <p className="px-2 text-xs text-muted">No operation contains these words.</p>}
    </nav>
  );
}

interface DocumentsProps {
  title: string;
  of: readonly { readonly href: string; readonly title: string }[];
  pathname: string;
}

function Documents({ title, of, pathname }: DocumentsProps) {
  return (
    <section aria-label={title}>
      <Heading>{title}</Heading>
      <ul className="flex flex-col gap-px">
        {of.map((document) => (
          <li key={document.href}>
            <Entry href={document.href} current={pathname === document.href}>
              {document.title}
            </Entry>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The chapter with the operations that contain every word. */
function narrowed(chapter: NavigationChapter, words: readonly string[]): NavigationChapter {
  const operations = chapter.operations.filter(({ id, method, path, summary }) => {
    const text = `${id} ${method} ${path} ${summary} ${chapter.title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return { ...chapter, operations };
}

function Operations({ chapter }: { chapter: NavigationChapter }) {
  return (
    <ul className="my-1 ml-2 flex flex-col gap-px border-l border-line pl-2">
      {chapter.operations.map(({ id, method, summary }) => (
        <li key={id}>
          <Link
            href={`/docs/${chapter.slug}#${id}` as Route}
            className="flex items-baseline gap-1.5 rounded-md px-1.5 py-1 text-xs text-muted hover:bg-hover hover:text-ink"
          >
            <MethodBadge method={method} />
            <span className="min-w-0">{summary}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Heading({ children }: { children: string }) {
  return <h2 className="mb-1 px-2 text-xs font-medium text-faint">{children}</h2>;
}

function Entry({ href, current, children }: { href: string; current: boolean; children: string }) {
  return (
    <Link
      href={href as Route}
      aria-current={current ? "page" : undefined}
      className={cn(
        "flex h-7 items-center rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink",
        current && "bg-hover font-medium text-ink",
      )}
    >
      {children}
    </Link>
  );
}
