"use client";

import { useWho } from "@/components/resource/who";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PERMISSIONS, type Permission } from "@/lib/resources/permissions";

/** Shown on a page that the role may not see: names the role, the roles that may, and whom to ask. */
export function NoPermission({ permission }: { permission: Permission }) {
  const { role } = useWho();
  return (
    <EmptyState page title="No access" action={<LinkButton href="/">Go to the overview</LinkButton>}>
      Your role is {role}. This page needs the role {PERMISSIONS[permission].join(" or ")}. Ask an administrator of this
      installation.
    </EmptyState>
  );
}
