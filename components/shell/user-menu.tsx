"use client";

import { BookOpen, KeyRound, LogOut, Monitor, Moon, Rocket, Sun } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { guideHref, type GuideName } from "@/components/docs/guides";
import { runSignOut } from "@/components/shell/sign-out";
import { runTheme, type Theme } from "@/components/shell/theme";
import { useTheme } from "@/components/shell/use-theme";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuLink, MenuRadio } from "@/components/ui/menu";
import { can, type Role } from "@/lib/resources/permissions";

const THEMES = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

/** The switch between light, dark and the system's theme. */
export function ThemeMenu({ initial }: { initial: Theme }) {
  const theme = useTheme(initial);
  const Icon = THEMES.find((item) => item.value === theme)?.icon ?? Monitor;
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label="Theme" title="Theme">
          <Icon aria-hidden />
        </Button>
      }
    >
      <MenuRadio
        label="Theme"
        value={theme}
        onChange={runTheme}
        options={THEMES.map(({ value, label }) => ({ value, label }))}
      />
    </Menu>
  );
}

const PasswordDialog = lazy(async () => ({
  default: (await import("@/components/shell/password-dialog")).PasswordDialog,
}));

/** The guide of a role: what an editor does, an admin does too. */
const GUIDE_OF: Readonly<Record<Role, GuideName>> = { admin: "admin", editor: "admin", auditor: "auditor" };

/** Who is signed in, their password where they have one, and the way out. */
export function UserMenu({ name, role, hasPassword }: { name: string; role: Role; hasPassword: boolean }) {
  const [changing, setChanging] = useState(false);
  const initials = name.slice(0, 2).toUpperCase();
  const menu = (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Account: ${name}`}
          className="flex size-7 items-center justify-center rounded-full bg-accent-soft text-2xs font-semibold text-accent"
        >
          <span aria-hidden>{initials}</span>
        </button>
      }
    >
      <div className="border-b border-line px-2 pt-1 pb-2">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs text-muted">Role: {role}</p>
      </div>
      <div className="pt-1">
        {can(role, "configuration:write") && (
          <MenuLink href="/admin/start">
            <Rocket aria-hidden /> Getting started
          </MenuLink>
        )}
        <MenuLink href={guideHref(GUIDE_OF[role])}>
          <BookOpen aria-hidden /> Guide
        </MenuLink>
        {hasPassword && (
          <MenuItem onSelect={() => setChanging(true)}>
            <KeyRound aria-hidden /> Change password…
          </MenuItem>
        )}
        <MenuItem onSelect={() => void runSignOut()}>
          <LogOut aria-hidden /> Sign out
        </MenuItem>
      </div>
    </Menu>
  );
  return (
    <>
      {menu}
      {changing && (
        <Suspense>
          <PasswordDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  );
}
