"use client";

import { useList } from "@/components/resource/use-list";
import type { ComboboxOption } from "@/components/ui/combobox";

/** Claim paths worth offering: those that the policies read and the personas' sample claims carry. */
export function useClaimPaths(): readonly ComboboxOption[] {
  const policies = useList("policies", { limit: 200 });
  const personas = useList("personas", { limit: 100 });
  const paths = new Set(policies.rows.flatMap((policy) => policy.matchers.map((matcher) => matcher.claim)));
  for (const persona of personas.rows) for (const path of pathsOf(persona.sampleClaims, "")) paths.add(path);
  return [...paths].toSorted().map((value) => ({ value }));
}

function pathsOf(claims: unknown, before: string): string[] {
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) return before === "" ? [] : [before];
  return Object.entries(claims).flatMap(([key, value]) => {
    const plain = /^[A-Za-z_][\w-]*$/.test(key);
    const here = plain ? (before === "" ? key : `${before}.${key}`) : `${before}[${JSON.stringify(key)}]`;
    return pathsOf(value, here);
  });
}
