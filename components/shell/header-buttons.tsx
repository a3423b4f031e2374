"use client";

import { Clock, Menu as MenuIcon, Monitor, Moon, Sun } from "lucide-react";
import { lazy } from "react";
import type { Person } from "@/components/shell/header-menus";
import type { Theme } from "@/components/shell/theme";
import { useTheme } from "@/components/shell/use-theme";
import { Button, IconButton } from "@/components/ui/button";
import { useZone, ZONES } from "@/components/ui/zone";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";
import type { Role } from "@/lib/resources/permissions";

// The header's buttons that open a menu.

const load = () => import("@/components/shell/header-menus");
const ThemeMenu = lazy(async () => ({ default: (await load()).ThemeMenu }));
const ZoneMenu = lazy(async () => ({ default: (await load()).ZoneMenu }));
const MobileMenu = lazy(async () => ({ default: (await load()).MobileMenu }));
const UserMenu = lazy(async () => ({ default: (await load()).UserMenu }));

const ICONS = { system: Monitor, light: Sun, dark: Moon } as const satisfies Record<Theme, unknown>;

/** Shows the theme, and opens the menu that changes it. */
export function ThemeButton({ initial }: { initial: Theme }) {
  const theme = useTheme(initial);
  const Icon = ICONS[theme];
  return (
    <LazyMenu trigger={<IconButton icon={Icon} label="Theme" title={`Theme: ${theme}`} />}>
      {(menu) => <ThemeMenu {...menu} theme={theme} />}
    </LazyMenu>
  );
}

/** Opens the menu that changes the time zone. */
export function ZoneButton() {
  const zone = useZone();
  return (
    <LazyMenu
      trigger={
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Times: ${ZONES[zone]}`}
          title={`Times: ${ZONES[zone]}`}
          className="max-sm:hidden lg:w-auto lg:px-2"
        >
          <Clock aria-hidden />
          <span className="max-lg:hidden">{ZONES[zone]}</span>
        </Button>
      }
    >
      {(menu) => <ZoneMenu {...menu} />}
    </LazyMenu>
  );
}

/** Opens the navigation on small screens, which have no sidebar. */
export function MobileButton({ role }: { role: Role }) {
  return (
    <div className="md:hidden">
      <LazyMenu trigger={<IconButton icon={MenuIcon} label="Menu" title="Menu" />}>
        {(menu) => <MobileMenu {...menu} role={role} />}
      </LazyMenu>
    </div>
  );
}

/** Shows the initials of the signed-in person, and opens their menu. */
export function UserButton(person: Person) {
  return (
    <LazyMenu
      trigger={
        <button
          type="button"
          aria-label={`Account: ${person.name}`}
          title={`Account: ${person.name}`}
          className="flex size-7 items-center justify-center rounded-full bg-accent-soft max-sm:size-10 text-xs font-semibold text-accent"
        >
          <span aria-hidden>{person.name.slice(0, 2).toUpperCase()}</span>
        </button>
      }
    >
      {(menu) => <UserMenu {...menu} {...person} />}
    </LazyMenu>
  );
}
