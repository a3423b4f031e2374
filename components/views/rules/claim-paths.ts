import { useGet } from "@/components/resource/use-get";
import { useCan } from "@/components/resource/who";
import { useList } from "@/components/resource/list/use-list";
import type { ComboboxOption } from "@/components/ui/forms/combobox";
import { seenPaths, seenValues } from "@/lib/access/impact/seen-claims";
import { parseClaimPath } from "@/lib/access/model/claims";
import { isProblem } from "@/lib/access/model/problem";
import type { JsonObject } from "@/lib/access/model/configuration";
import { countText } from "@/components/impact/count-text";
import type { ClaimPaths, ClaimValues } from "@/lib/contracts/decisions/impact";

/** The claim that tells callers apart. */
const SUBJECT = "sub";
const SUBJECT_HINT = "With an API key: the agent’s name";

/**
 * Suggested claim paths: first those of recent callers, the most frequent first, then those that the
 * policies read, and those of the sample claims.
 */
export function useClaimPaths(): readonly ComboboxOption[] {
  const seen = useGet<ClaimPaths>(["impact", "claim-paths"], "/api/admin/impact/claim-paths", {
    staleTime: 60_000,
  });
  const policies = useList("policies", { limit: 200 });
  const samples = useSampleClaims();
  const carried = (seen.data?.paths ?? []).map(({ path, callers }) => ({
    value: path,
    hint: [
      ...(path === SUBJECT ? [SUBJECT_HINT] : []),
      seenBy(countText(callers, seen.data?.coarse ?? false), seen.data?.callers ?? 0),
    ].join(" · "),
  }));
  const known = new Set(carried.map(({ value }) => value));
  const others = new Set([
    SUBJECT,
    ...policies.rows.flatMap((policy) => policy.matchers.map((matcher) => matcher.claim)),
    ...seenPaths(samples).map(({ path }) => path),
  ]);
  return [
    ...carried,
    ...[...others]
      .filter((path) => !known.has(path))
      .toSorted()
      .map((value) => ({ value, ...(value === SUBJECT && { hint: SUBJECT_HINT }) })),
  ];
}

/**
 * Suggested values of a claim: those of recent callers, for people who may read them, then those of the sample claims,
 * and those that policies compare with.
 */
export function useClaimValues(path: string | null): readonly string[] {
  const mayRead = useCan("executions:bodies");
  const seen = useGet<ClaimValues>(
    ["impact", "claim-values", path],
    `/api/admin/impact/claim-values?${new URLSearchParams({ path: path ?? "" })}`,
    {
      enabled: mayRead && path !== null && path !== "",
      staleTime: 60_000,
    },
  );
  const policies = useList("policies", { limit: 200 });
  const samples = useSampleClaims();
  const parsed = path === null ? null : parseClaimPath(path);
  if (parsed === null || isProblem(parsed)) return [];
  const compared = policies.rows.flatMap(({ matchers }) =>
    matchers.flatMap(({ claim, value }) =>
      claim === path ? [value].flat().filter((one): one is string => typeof one === "string" && one !== "") : [],
    ),
  );
  return [
    ...new Set([
      ...(seen.data?.values ?? []).map(({ value }) => value),
      ...seenValues(samples, parsed).map(({ value }) => value),
      ...compared,
    ]),
  ];
}

/** The claims that are known before a call: those of personas, and the attributes of agents. */
function useSampleClaims(): readonly JsonObject[] {
  const personas = useList("personas", { limit: 100 });
  const agents = useList("agents", { limit: 100 });
  return [
    ...personas.rows.map(({ sampleClaims }) => sampleClaims as JsonObject),
    ...agents.rows.map(({ attributes }) => attributes as JsonObject),
  ];
}

function seenBy(carrying: string, all: number): string {
  return `In ${carrying} of ${all.toLocaleString("en")} recent callers`;
}
