"use client";

import { ChevronRight } from "lucide-react";
import type { Route } from "next";
import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { useRefetchWaiting, useWaiting } from "@/components/approvals/use-approvals";
import { WaitingCount } from "@/components/approvals/waiting-count";
import { DenialCount } from "@/components/denials/denial-count";
import { DriftCount } from "@/components/drift/drift-count";
import { useRemembered } from "@/components/resource/remembered";
import { entryOf, NAVIGATION } from "@/components/shell/navigation";
import { Wordmark } from "@/components/shell/wordmark";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import { can, type Role } from "@/lib/resources/permissions";

type Section = (typeof NAVIGATION)[number];

/** The main navigation, as a role sees it. */
export function Sidebar({ role }: { role: Role }) {
  const current = entryOf(usePathname());
  const [toggled, setToggled] = useRemembered("navigation", readToggled);
  const sections = NAVIGATION.map((section) => ({
    ...section,
    entries: section.entries.filter((entry) => can(role, entry.permission)),
  }));
  return (
    <nav
      aria-label="Main"
      className="flex h-full w-52 shrink-0 flex-col gap-3 overflow-y-auto border-r border-line bg-panel px-2 py-3"
    >
      <Link href={"/" as Route} className="mx-1 flex items-center rounded-md px-1 py-0.5">
        <Wordmark />
      </Link>
      {sections
        .filter((section) => section.entries.length > 0)
        .map((section) => (
          <SidebarSection
            key={section.label}
            section={section}
            current={current}
            isOpen={toggled[section.label] ?? (section.startsClosed !== true || isInside(section, current))}
            onToggle={(isOpen) => setToggled({ ...toggled, [section.label]: isOpen })}
          />
        ))}
    </nav>
  );
}

interface SidebarSectionProps {
  section: Section;
  current: Entry | undefined;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

type Entry = Section["entries"][number];

function SidebarSection({ section: { label, entries }, current, isOpen, onToggle }: SidebarSectionProps) {
  const { firstList } = useWaiting();
  const refetchWaiting = useRefetchWaiting();
  const purposes = usePurposes();
  return (
    <div>
      <h2>
        <button
          type="button"
          id={`nav-${label}`}
          aria-expanded={isOpen}
          onClick={({ currentTarget }) => {
            onToggle(!isOpen);
            // A section at the end opens below the edge.
            const part = currentTarget.closest("div");
            requestAnimationFrame(() => part?.scrollIntoView({ block: "nearest" }));
          }}
          className="flex h-6 w-full items-center gap-1 rounded-md px-2 text-xs font-medium text-faint hover:text-ink"
        >
          {label}
          <ChevronRight aria-hidden className={cn("size-3 transition-transform", isOpen && "rotate-90")} />
        </button>
      </h2>
      {isOpen && (
        <ul aria-labelledby={`nav-${label}`} className="flex flex-col gap-px">
          {entries.map((entry) => (
            <li key={entry.href}>
              <Link
                href={(entry.counts === "approvals" ? firstList : entry.href) as Route}
                aria-current={entry.href === current?.href ? "page" : undefined}
                title={purposes?.[entry.href].text}
                {...(entry.counts === "approvals" && { onPointerEnter: refetchWaiting, onFocus: refetchWaiting })}
                className={cn(
                  "flex h-7 items-center gap-2 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-ink",
                  entry.href === current?.href && "bg-hover font-medium text-ink",
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
      )}
    </div>
  );
}

const loadPurposes = () => import("@/components/shell/purposes");

/** The purposes of the pages, which load after the page. */
function usePurposes() {
  const [purposes, setPurposes] = useState<Awaited<ReturnType<typeof loadPurposes>>["PURPOSES"]>();
  useEffect(() => void loadPurposes().then(({ PURPOSES }) => setPurposes(PURPOSES)), []);
  return purposes;
}

function isInside({ entries }: Section, current: Entry | undefined): boolean {
  return entries.some(({ href }) => href === current?.href);
}

/** Sections that a person opened (true) or closed, by label. */
function readToggled(stored: unknown): Readonly<Record<string, boolean>> {
  if (typeof stored !== "object" || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
  );
}
