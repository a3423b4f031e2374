"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { useWho } from "@/components/resource/who";
import { useList } from "@/components/resource/list/use-list";
import type { ComboboxOption } from "@/components/ui/forms/combobox";
import { seenPaths, seenValues } from "@/lib/access/impact/seen-claims";
import { parseClaimPath } from "@/lib/access/model/claims";
import { isProblem } from "@/lib/access/model/problem";
import { can } from "@/lib/resources/permissions";
import type { JsonObject } from "@/lib/access/model/configuration";
import { countText } from "@/components/impact/count-text";
import type { ClaimPaths, ClaimValues } from "@/lib/contracts/decisions/impact";

/**
 * Claim paths worth offering: where recent callers carried claims, what most carried first, then those that the
 * policies read and the personas' sample claims carry.
 */
export function useClaimPaths(): readonly ComboboxOption[] {
  const seen = useQuery({
    queryKey: ["impact", "claim-paths"],
    queryFn: ({ signal }) => request<ClaimPaths>("/api/admin/impact/claim-paths", { signal }),
    staleTime: 60_000,
  });
  const policies = useList("policies", { limit: 200 });
  const personas = useList("personas", { limit: 100 });
  const carried = (seen.data?.paths ?? []).map(({ path, callers }) => ({
    value: path,
    hint: seenBy(countText(callers, seen.data?.coarse ?? false), seen.data?.callers ?? 0),
  }));
  const known = new Set(carried.map(({ value }) => value));
  const others = new Set([
    ...policies.rows.flatMap((policy) => policy.matchers.map((matcher) => matcher.claim)),
    ...seenPaths(personas.rows.map(({ sampleClaims }) => sampleClaims as JsonObject)).map(({ path }) => path),
  ]);
  return [
    ...carried,
    ...[...others]
      .filter((path) => !known.has(path))
      .toSorted()
      .map((value) => ({ value })),
  ];
}

/**
 * Values worth offering for a claim: those of recent callers, for people who may read them, then those that policies
 * compare with and personas carry.
 */
export function useClaimValues(path: string | null): readonly string[] {
  const mayRead = can(useWho().role, "executions:bodies");
  const seen = useQuery({
    queryKey: ["impact", "claim-values", path],
    queryFn: ({ signal }) =>
      request<ClaimValues>(`/api/admin/impact/claim-values?${new URLSearchParams({ path: path ?? "" })}`, { signal }),
    enabled: mayRead && path !== null && path !== "",
    staleTime: 60_000,
  });
  const policies = useList("policies", { limit: 200 });
  const personas = useList("personas", { limit: 100 });
  const parsed = path === null ? null : parseClaimPath(path);
  if (parsed === null || isProblem(parsed)) return [];
  const samples = personas.rows.map(({ sampleClaims }) => sampleClaims as JsonObject);
  const compared = policies.rows.flatMap(({ matchers }) =>
    matchers.flatMap(({ claim, value }) => (claim === path && typeof value === "string" ? value : [])),
  );
  return [
    ...new Set([
      ...(seen.data?.values ?? []).map(({ value }) => value),
      ...seenValues(samples, parsed).map(({ value }) => value),
      ...compared,
    ]),
  ];
}

function seenBy(carrying: string, all: number): string {
  return all === 1 ? "The only recent caller" : `${carrying} of ${all} recent callers`;
}
