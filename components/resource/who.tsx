"use client";

import { createContext, use, type ReactNode } from "react";
import { can, type Permission, type Role } from "@/lib/resources/permissions";

/** The signed-in person. `id` never changes and is never reused. */
interface Who {
  readonly id: string;
  readonly role: Role;
}

const Context = createContext<Who | null>(null);

/** Provides the signed-in person to its children. */
export function WhoProvider({ who, children }: { who: Who; children: ReactNode }) {
  return <Context value={who}>{children}</Context>;
}

/** The signed-in person. @throws Error outside `WhoProvider` */
export function useWho(): Who {
  const who = use(Context);
  if (who === null) throw new Error("useWho and useCan work only inside WhoProvider.");
  return who;
}

/** Whether the signed-in person has a permission. The server checks it again at every request. */
export function useCan(permission: Permission): boolean {
  return can(useWho().role, permission);
}
