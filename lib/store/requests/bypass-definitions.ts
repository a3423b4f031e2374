import { isSameJson } from "@/lib/access/model/canonical";
import { idOf, toValue } from "@/lib/store/config/tables";
import { inTurns } from "@/lib/store/db/in-turns";
import type { Prisma } from "@/lib/store/generated/client";
import { activatedFrom, laterChanges, type Applied, type Fields } from "@/lib/store/requests/bypass-revert";
import { acceptedDefinitions, changedId } from "@/lib/store/requests/change-body";
import type { StoredRequest } from "@/lib/store/requests/requests";
import type { Change } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";
import type { Definitions } from "@/lib/store/sources/upstream-definitions";

// The sources' own definitions during a change without review, and after its revert.

/**
 * The sources' definitions that a request accepts, marked with the request. Every later acceptance or decline of an operation
 * replaces the marked definition, so that a revert leaves it as it is. An operation that was declined before stays unmarked.
 * While an earlier decline without review is unconfirmed, the mark names both requests.
 *
 * @throws AppError `conflict` when no key opens the request
 */
export async function bypassedDefinitions(
  stored: Stored,
  tx: Prisma.TransactionClient,
  request: StoredRequest,
): Promise<Definitions> {
  const accepted = acceptedDefinitions(request);
  const last = await stored.upstreamDefinitions([...accepted.keys()]);
  const statuses = await statusesOf(tx, [...last.values()].flatMap(declinersIn));
  const stated = ([tool, definition]: readonly [string, object]): readonly [string, object] => {
    const before = last.get(tool) ?? { reverted: true };
    const others = declinersIn(before);
    const isUndecided = others.every((id) => ["bypassed", "reverted"].includes(statuses.get(id) ?? ""));
    if (before["reverted"] !== true && (others.length === 0 || !isUndecided)) return [tool, definition];
    const standing = others.filter((id) => statuses.get(id) === "bypassed");
    return [tool, { ...definition, bypass: [...standing, request.id] }];
  };
  return new Map([...accepted].map(stated));
}

/** The requests without review that declined an operation, oldest first. Earlier versions noted only the last, as text. */
function declinersIn({ bypass }: Fields): readonly string[] {
  return [bypass ?? []].flat().filter((id) => typeof id === "string");
}

async function statusesOf(tx: Prisma.TransactionClient, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const requests = await tx.request.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, status: true },
  });
  return new Map(requests.map(({ id, status }) => [id, status]));
}

/**
 * The sources' definitions after a revert, for the tools whose definitions the request accepted; when no key opens it, for all of
 * its tools. The fields that the revert restores become the accepted ones, so that the next sync finds what the source says
 * instead. The source proposes a deleted tool again, and the operations that only the request declined.
 *
 * @param bypass the request, those of its changes to revert, and the definitions that it accepted (`null` when no key opens it)
 * @param isPart whether only rows of the request are reverted: its declined operations then stay declined
 */
export async function revertedDefinitions(
  stored: Stored,
  tx: Prisma.TransactionClient,
  { request, accepted, changes: wanted }: Applied & { readonly accepted: Definitions | null },
  changes: readonly Change[],
  isPart: boolean,
): Promise<Definitions> {
  const tools = new Map<string, Fields | null>();
  for (const change of changes) {
    const after = change.action === "delete" ? null : (change.after as unknown as Fields);
    const id = change.action === "delete" ? change.id : idOf(change.resource, change.after);
    if (change.resource === "tools" && accepted?.has(id) !== false) tools.set(id, after);
  }
  const other = isPart ? [] : [...(accepted?.keys() ?? [])].filter((id) => !tools.has(id));
  for (const id of await declinedBy(stored, tx, request, other)) tools.set(id, null);
  const definitions = new Map<string, object>();
  for await (const [id, last] of inTurns(await stored.upstreamDefinitions([...tools.keys()]))) {
    const found = await stored.get("tools", id);
    const present = found === null ? {} : (toValue("tools", found) as unknown as Fields);
    definitions.set(id, definitionAfter(last, present, tools.get(id) ?? null));
  }
  // A person activated these, not a definition of their source. Only a person ends the deprecation that returns.
  const byHand = wanted.filter((change) => activatedFrom(change) === "deprecated").map(changedId);
  const held = byHand.filter((id) => accepted?.has(id) !== true);
  for (const [id, last] of await stored.upstreamDefinitions(held)) {
    const { gone: _, ...definition } = (definitions.get(id) ?? last) as Fields;
    definitions.set(id, definition);
  }
  return definitions;
}

/**
 * The operations that have had no tool since the request, and that nobody else declined: neither a person nor another request
 * that is not reverted. A later deletion of a tool is a person's.
 */
async function declinedBy(
  stored: Stored,
  tx: Prisma.TransactionClient,
  { id: request, revision }: StoredRequest,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const [tools, later] = [await stored.all("tools"), await laterChanges(tx, revision ?? 0)];
  const without = ids.filter((id) => !tools.has(id) && !later.has("tools", id));
  const last = await stored.upstreamDefinitions(without);
  const declinersOf = (id: string) => declinersIn(last.get(id) ?? {});
  const statuses = await statusesOf(tx, without.flatMap(declinersOf));
  return without.filter((id) => {
    const [own, others] = [declinersOf(id), declinersOf(id).filter((other) => other !== request)];
    return own.length > others.length && others.every((other) => statuses.get(other) === "reverted");
  });
}

function definitionAfter({ gone, bypass: _, ...last }: Fields, present: Fields, after: Fields | null): object {
  if (after === null) return { ...last, reverted: true };
  const restored = Object.keys(last).filter((field) => !isSameJson(present[field] ?? null, after[field] ?? null));
  return {
    ...last,
    ...Object.fromEntries(restored.map((field) => [field, after[field] ?? null])),
    // A later deprecation of an active tool is a person's.
    ...(after["status"] === "deprecated" && gone !== undefined && { gone }),
  };
}
