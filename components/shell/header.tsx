"use client";

import { ChevronRight } from "lucide-react";
import { usePathname } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { PaletteLauncher } from "@/components/palette/palette-launcher";
import { PauseButton } from "@/components/pause/pause-button";
import { PreviewButton } from "@/components/preview/preview-button";
import type { ResourceFacts } from "@/components/resource/view";
import { KeySheet } from "@/components/shell/key-sheet";
import { MobileMenu } from "@/components/shell/mobile-menu";
import { entryOf } from "@/components/shell/navigation";
import { runSignOut } from "@/components/shell/sign-out";
import { runTheme, type Theme } from "@/components/shell/theme";
import { useTheme } from "@/components/shell/use-theme";
import { ThemeMenu, UserMenu } from "@/components/shell/user-menu";
import { ZoneMenu } from "@/components/shell/zone-menu";
import { TextLink } from "@/components/ui/text-link";
import type { ResourceName } from "@/lib/resources";
import { can, type Role } from "@/lib/resources/permissions";

const PagePurpose = lazy(async () => ({ default: (await import("@/components/shell/page-purpose")).PagePurpose }));

interface HeaderProps {
  person: { name: string; role: Role; hasPassword: boolean };
  theme: Theme;
  /** Of the resources that the role may read. */
  facts: readonly ResourceFacts<ResourceName>[];
}

/** Where one is, and what is reachable from everywhere. */
export function Header({ person, theme: initial, facts }: HeaderProps) {
  const [sheet, setSheet] = useState(false);
  const theme = useTheme(initial);
  const doing = {
    theme,
    onTheme: runTheme,
    onKeys: () => setSheet(true),
    onSignOut: () => void runSignOut(),
  };
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-5 max-md:px-3">
      <MobileMenu role={person.role} />
      <Breadcrumb />
      <Suspense>
        <PagePurpose />
      </Suspense>
      <div className="ml-auto flex items-center gap-1">
        <PaletteLauncher facts={facts} doing={doing} />
        <PreviewButton />
        {can(person.role, "pause:write") && <PauseButton />}
        <KeySheet role={person.role} open={sheet} onOpenChange={setSheet} />
        <ZoneMenu />
        <ThemeMenu initial={initial} />
        <UserMenu {...person} />
      </div>
    </header>
  );
}

function Breadcrumb() {
  const pathname = usePathname();
  const entry = entryOf(pathname);
  if (entry === undefined) return null;
  const [, , folder, rest] = pathname.split("/");
  const home = folder === undefined ? entry.href : `/admin/${folder}`;
  const label = home === entry.href ? entry.label : folder === "api-keys" ? "API keys" : entry.label;
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm">
        <li className="shrink-0">
          {rest === undefined ? (
            <span aria-current="page" className="font-medium">
              {label}
            </span>
          ) : (
            <TextLink href={home} className="text-muted hover:text-ink">
              {label}
            </TextLink>
          )}
        </li>
        {rest !== undefined && (
          <>
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint" />
            <li aria-current="page" className="min-w-0 truncate font-medium">
              {rest === "new" ? "New" : decodeURIComponent(rest)}
            </li>
          </>
        )}
      </ol>
    </nav>
  );
}
