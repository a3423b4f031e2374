"use client";

import { createContext, use, type ReactNode } from "react";
import type { Role } from "@/lib/resources/permissions";

/** Who is signed in: `id` never changes and never comes back. */
export interface Who {
  readonly id: string;
  readonly role: Role;
}

const Context = createContext<Who | null>(null);

/** Tells everything inside who is signed in. */
export function WhoProvider({ who, children }: { who: Who; children: ReactNode }) {
  return <Context value={who}>{children}</Context>;
}

/** Who is signed in. @throws Error outside of the app's frame */
export function useWho(): Who {
  const who = use(Context);
  if (who === null) throw new Error("Nobody is signed in here: this belongs inside the frame of the app.");
  return who;
}
