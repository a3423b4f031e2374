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

/** The claim that identifies a caller. */
const SUBJECT = "sub";
const SUBJECT_HINT = "With an API key: the agent’s name";

/** A suggested claim path. */
export interface ClaimPathOption extends ComboboxOption {
  /** Whether a known caller carries a list there. */
  readonly isList?: boolean;
}

/**
 * Suggested claim paths: first those of recent callers, the most frequent first, then, by name, those in policies and in
 * sample claims.
 */
export function useClaimPaths(): readonly ClaimPathOption[] {
  const recent = useGet<ClaimPaths>(["impact", "claim-paths"], "/api/admin/impact/claim-paths", {
    staleTime: 60_000,
  });
  const policies = useList("policies", { limit: 200 });
  const samples = useSampleClaims();
  const recentOptions = (recent.data?.paths ?? []).map(({ path, callers, list }) => ({
    value: path,
    isList: list,
    hint: [
      ...(path === SUBJECT ? [SUBJECT_HINT] : []),
      recentHint(countText(callers, recent.data?.coarse ?? false), recent.data?.callers ?? 0),
    ].join(" · "),
  }));
  const sampled = seenPaths(samples);
  const sampledLists = new Set(sampled.flatMap(({ path, list }) => (list ? [path] : [])));
  const recentPaths = new Set(recentOptions.map(({ value }) => value));
  const others = new Set([
    SUBJECT,
    ...policies.rows.flatMap((policy) => policy.matchers.map((matcher) => matcher.claim)),
    ...sampled.map(({ path }) => path),
  ]);
  return [
    ...recentOptions,
    ...[...others]
      .filter((path) => !recentPaths.has(path))
      .toSorted()
      .map((value) => ({ value, isList: sampledLists.has(value), ...(value === SUBJECT && { hint: SUBJECT_HINT }) })),
  ];
}

/**
 * Suggested values of a claim: those of recent callers (for people who may read them), then those of sample claims, then
 * those in policies.
 */
export function useClaimValues(path: string | null): readonly string[] {
  const mayRead = useCan("executions:bodies");
  const recent = useGet<ClaimValues>(
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
      ...(recent.data?.values ?? []).map(({ value }) => value),
      ...seenValues(samples, parsed).map(({ value }) => value),
      ...compared,
    ]),
  ];
}

/** The claims that the configuration states: the sample claims of personas, and the attributes of agents. */
function useSampleClaims(): readonly JsonObject[] {
  const personas = useList("personas", { limit: 100 });
  const agents = useList("agents", { limit: 100 });
  return [
    ...personas.rows.map(({ sampleClaims }) => sampleClaims as JsonObject),
    ...agents.rows.map(({ attributes }) => attributes as JsonObject),
  ];
}

function recentHint(count: string, total: number): string {
  return `In ${count} of ${total.toLocaleString("en")} recent callers`;
}
