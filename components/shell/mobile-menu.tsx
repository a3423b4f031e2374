"use client";

import { Menu as MenuIcon } from "lucide-react";
import { NAVIGATION } from "@/components/shell/navigation";
import { Button } from "@/components/ui/button";
import { Menu, MenuLink } from "@/components/ui/menu";
import { can, type Role } from "@/lib/resources/permissions";

/** The main navigation where the sidebar has no room: on a phone. */
export function MobileMenu({ role }: { role: Role }) {
  const entries = NAVIGATION.flatMap((section) => section.entries).filter((entry) => can(role, entry.permission));
  return (
    <div className="md:hidden">
      <Menu
        align="start"
        trigger={
          <Button variant="ghost" size="icon" aria-label="Menu">
            <MenuIcon aria-hidden />
          </Button>
        }
      >
        {entries.map((entry) => (
          <MenuLink key={entry.href} href={entry.href}>
            <entry.icon aria-hidden /> {entry.label}
          </MenuLink>
        ))}
      </Menu>
    </div>
  );
}
