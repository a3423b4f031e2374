import { grantsFor, granteeOf } from "@/lib/access/explain/grant";
import type { GrantOutput } from "@/lib/contracts/decisions/grant";
import type { ManifestSource } from "@/lib/manifest/entries";
import { DRAFT_MS } from "@/lib/admin/parsed-document";
import { runInTurns } from "@/lib/store/db/in-turns";

/**
 * The grants that would give a request's caller a tool, in the order of `grantsFor`; empty when no policy can match the
 * caller's claims. Returns the grants found within DRAFT_MS.
 *
 * @param signal ends the work when the caller has left
 */
export async function listGrants(
  { index, request, now }: Pick<ManifestSource, "index" | "request" | "now">,
  toolId: string,
  signal?: AbortSignal,
): Promise<GrantOutput[]> {
  const grantee = granteeOf(request.claims);
  if (grantee === null) return [];
  const deadline = performance.now() + DRAFT_MS;
  const search = grantsFor(index, request, grantee, toolId, now, () => performance.now() > deadline);
  const grants = await runInTurns(search, Number.POSITIVE_INFINITY, signal);
  return grants.map(({ group, policy, brings, remaining }) => ({
    group: group as GrantOutput["group"],
    policy: policy as GrantOutput["policy"],
    brings: [...brings],
    remaining: remaining.map(({ text }) => text),
  }));
}
