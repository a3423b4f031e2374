"use client";

import { ChevronRight } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState, useEffect, useRef } from "react";
import { ChangeSetLink } from "@/components/configuration/change-set-link";
import { PaletteLauncher } from "@/components/palette/palette-launcher";
import { PauseButton } from "@/components/pause/pause-button";
import { PreviewButton } from "@/components/preview/preview-button";
import type { ResourceFacts } from "@/components/resource/view";
import { MobileButton, ThemeButton, UserButton, ZoneButton } from "@/components/shell/header-buttons";
import type { Person } from "@/components/shell/header-menus";
import { KeySheet } from "@/components/shell/key-sheet";
import { entryOf, homeOf, labelOf, rowAt } from "@/components/shell/navigation";
import { runSignOut } from "@/components/shell/sign-out";
import { runTheme, type Theme } from "@/components/shell/theme";
import { useTheme } from "@/components/shell/use-theme";
import { screenAt, screenFacts } from "@/components/screen-table";
import { lazyPart } from "@/components/ui/lazy-part";
import { TextLink } from "@/components/ui/text-link";
import type { ResourceName } from "@/lib/resources";
import { can } from "@/lib/resources/permissions";
import { toContentIfLost } from "@/components/ui/to-content";

const PagePurpose = lazyPart(async () => (await import("@/components/shell/page-purpose")).PagePurpose);

interface HeaderProps {
  person: Person;
  theme: Theme;
  /** The resources that the role may read. */
  facts: readonly ResourceFacts<ResourceName>[];
}

/** The position in the app, and the actions that every page offers. */
export function Header({ person, theme: initial, facts }: HeaderProps) {
  const [sheet, setSheet] = useState(false);
  const [pausing, setPausing] = useState(false);
  const mayPause = can(person.role, "pause:write");
  const theme = useTheme(initial);
  const actions = {
    theme,
    onTheme: runTheme,
    onKeys: () => setSheet(true),
    onPause: mayPause ? () => setPausing(true) : undefined,
    onSignOut: runSignOut,
  };
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-5 max-md:px-3">
      <ContentFocus />
      <MobileButton role={person.role} />
      <Breadcrumb />
      <PagePurpose />
      <div className="ml-auto flex items-center gap-1 max-sm:gap-0">
        <PaletteLauncher facts={facts} actions={actions} />
        <ChangeSetLink />
        <PreviewButton />
        {mayPause && <PauseButton open={pausing} onOpenChange={setPausing} />}
        <KeySheet role={person.role} open={sheet} onOpenChange={setSheet} />
        <ZoneButton />
        <ThemeButton initial={initial} />
        <UserButton {...person} />
      </div>
    </header>
  );
}

function Breadcrumb() {
  const pathname = usePathname();
  const entry = entryOf(pathname);
  const row = rowAt(pathname);
  const home = homeOf(pathname);
  const isHome = pathname === home;
  const label = labelOf(home);
  if (label === undefined) return null;
  const parent = entry !== undefined && entry.href !== home && entry.label !== label ? entry : undefined;
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm">
        {parent !== undefined && (
          <>
            <li className="shrink-0 max-sm:hidden">
              <TextLink href={parent.href} className="text-muted hover:text-ink">
                {parent.label}
              </TextLink>
            </li>
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint max-sm:hidden" />
          </>
        )}
        <li className="shrink-0">
          {isHome ? (
            <span aria-current="page" className="font-medium">
              {label}
            </span>
          ) : (
            <TextLink href={home} className="text-muted hover:text-ink">
              {label}
            </TextLink>
          )}
        </li>
        {!isHome && (
          <>
            {/* A phone has room only for the link back. The page's heading has the name. */}
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint max-sm:order-first max-sm:rotate-180" />
            <li aria-current="page" className="min-w-0 truncate font-medium max-sm:sr-only">
              {row === null ? "New" : (labelOf(pathname) ?? rowLabel(row))}
            </li>
          </>
        )}
      </ol>
    </nav>
  );
}

/** A row's name; the title of its page when the row has a generated id alone, such as a call. */
function rowLabel({ section, id }: NonNullable<ReturnType<typeof rowAt>>): string {
  const screen = screenAt(section, id);
  return screen === null || screenFacts(screen).isNamed === true ? id : screenFacts(screen).title;
}

/** Moves the focus to the content after navigation by key or from a removed form, instead of above the navigation. */
function ContentFocus() {
  const pathname = usePathname();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    toContentIfLost();
  }, [pathname]);
  return null;
}
