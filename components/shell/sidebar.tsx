"use client";

import type { Route } from "next";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { WaitingCount } from "@/components/approvals/waiting-count";
import { DenialCount } from "@/components/denials/denial-count";
import { DriftCount } from "@/components/drift/drift-count";
import { entryOf, NAVIGATION } from "@/components/shell/navigation";
import { Wordmark } from "@/components/shell/wordmark";
import { cn } from "@/components/ui/cn";
import { can, type Role } from "@/lib/resources/permissions";

/** The main navigation, as a role sees it. */
export function Sidebar({ role }: { role: Role }) {
  const current = entryOf(usePathname());
  const sections = NAVIGATION.map((section) => ({
    ...section,
    entries: section.entries.filter((entry) => can(role, entry.permission)),
  }));
  return (
    <nav
      aria-label="Main"
      className="flex h-full w-52 shrink-0 flex-col gap-4 overflow-y-auto border-r border-line bg-panel px-2 py-3"
    >
      <Link href={"/" as Route} className="mx-1 flex items-center rounded-md px-1 py-0.5">
        <Wordmark />
      </Link>
      {sections
        .filter((section) => section.entries.length > 0)
        .map((section) => (
          <div key={section.label}>
            <h2 id={`nav-${section.label}`} className="px-2 pb-1 text-2xs font-medium text-faint">
              {section.label}
            </h2>
            <ul aria-labelledby={`nav-${section.label}`} className="flex flex-col gap-px">
              {section.entries.map((entry) => (
                <li key={entry.href}>
                  <Link
                    href={entry.href as Route}
                    aria-current={entry === current ? "page" : undefined}
                    className={cn(
                      "flex h-7 items-center gap-2 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-ink",
                      entry === current && "bg-hover font-medium text-ink",
                    )}
                  >
                    <entry.icon aria-hidden className="size-3.5 shrink-0" />
                    <span className="truncate">{entry.label}</span>
                    {entry.counts === "approvals" && <WaitingCount />}
                    {entry.counts === "denials" && <DenialCount />}
                    {entry.counts === "drift" && <DriftCount />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}
