import { BookOpen, KeyRound, LogOut, Rocket } from "lucide-react";
import { useState } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { useWaiting } from "@/components/approvals/use-approvals";
import { WaitingCount } from "@/components/approvals/waiting-count";
import { DenialCount } from "@/components/denials/denial-count";
import { guideHref, type GuideName } from "@/components/docs/guides";
import { DriftCount } from "@/components/drift/drift-count";
import { NAVIGATION } from "@/components/shell/navigation";
import { runSignOut } from "@/components/shell/sign-out";
import { runTheme, type Theme } from "@/components/shell/theme";
import { lazyPart } from "@/components/ui/lazy-part";
import type { LazyMenuProps } from "@/components/ui/overlays/lazy-menu";
import { Menu, MenuGroup, MenuItem, MenuLink, MenuRadio } from "@/components/ui/overlays/menu";
import { changeZone, useZone, ZONES } from "@/components/ui/zone";
import { can, type Role } from "@/lib/resources/permissions";

// The menus of the header's buttons, loaded after the page.

export interface Person {
  readonly name: string;
  readonly role: Role;
  readonly hasPassword: boolean;
}

/** The switch between light, dark and the system's theme. */
export function ThemeMenu({ theme, ...menu }: LazyMenuProps & { theme: Theme }) {
  return (
    <Menu {...menu}>
      <MenuRadio
        label="Theme"
        value={theme}
        onChange={runTheme}
        options={toOptions({ system: "System", light: "Light", dark: "Dark" })}
      />
    </Menu>
  );
}

/** The switch between local time and UTC. */
export function ZoneMenu(menu: LazyMenuProps) {
  const zone = useZone();
  return (
    <Menu {...menu}>
      <MenuRadio label="Times" value={zone} onChange={changeZone} options={toOptions(ZONES)} />
    </Menu>
  );
}

/** The main navigation where the sidebar has no room: on a phone. */
export function MobileMenu({ role, ...menu }: LazyMenuProps & { role: Role }) {
  return (
    <Menu {...menu} align="start">
      <MobileSections role={role} />
    </Menu>
  );
}

/** Mounted only while the menu is open: a closed menu requests no counts. */
function MobileSections({ role }: { role: Role }) {
  const { firstList } = useWaiting();
  const sections = NAVIGATION.map(({ label, entries }) => ({
    label,
    entries: entries.filter((entry) => can(role, entry.permission)),
  }));
  return sections.map(
    ({ label, entries }) =>
      entries.length > 0 && (
        <MenuGroup key={label} label={label}>
          {entries.map((entry) => (
            <MenuLink key={entry.href} href={entry.counts === "approvals" ? firstList : entry.href}>
              <entry.icon aria-hidden /> {entry.label}
              {entry.counts === "approvals" && <WaitingCount />}
              {entry.counts === "denials" && <DenialCount />}
              {entry.counts === "drift" && <DriftCount />}
            </MenuLink>
          ))}
        </MenuGroup>
      ),
  );
}

const PasswordDialog = lazyPart(async () => (await import("@/components/shell/password-dialog")).PasswordDialog);

/** The guide of a role. The admins' guide covers editors too. */
const GUIDE_OF: Readonly<Record<Role, GuideName>> = { admin: "admin", editor: "admin", auditor: "auditor" };

/** The menu of the signed-in person: their name, their password if they have one, and sign-out. */
export function UserMenu({ name, role, hasPassword, ...menu }: LazyMenuProps & Person) {
  const [changing, setChanging] = useState(false);
  return (
    <>
      <Menu {...menu}>
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
          <MenuLink href={guideHref(GUIDE_OF[role])} newTab>
            <BookOpen aria-hidden /> Guide
          </MenuLink>
          {hasPassword && (
            <MenuItem onSelect={() => setChanging(true)}>
              <KeyRound aria-hidden /> Change password…
            </MenuItem>
          )}
          <MenuItem onSelect={runSignOut}>
            <LogOut aria-hidden /> Sign out
          </MenuItem>
        </div>
      </Menu>
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </>
  );
}
