import type { Index } from "@/lib/access/compile/compile";
import { grantsFor, granteeOf } from "@/lib/access/explain/grant";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import type { GrantOutput } from "@/lib/contracts/decisions/grant";

/** The grants that give a request's caller a tool, smallest first; none for claims that no policy could name. */
export function listGrants(index: Index, request: ResolveRequest, toolId: string, now: number): GrantOutput[] {
  const grantee = granteeOf(request.claims);
  if (grantee === null) return [];
  return grantsFor(index, request, grantee, toolId, now).map(({ group, policy, brings, remaining }) => ({
    group: group as GrantOutput["group"],
    policy: policy as GrantOutput["policy"],
    brings: [...brings],
    remaining: remaining.map(({ text }) => text),
  }));
}
