import { withoutHidden } from "@/lib/access/model/hidden-characters";
import { callContextOf } from "@/lib/agents/rest/list";
import type { McpRequest } from "@/lib/agents/mcp/request";

/** Longest instructions, in characters. Clients add them to every conversation. */
const MAX_LENGTH = 8_000;

/** The methods of 2025-11-25 and of 2026-07-28 whose answer carries instructions. */
const OPENING: ReadonlySet<unknown> = new Set(["initialize", "server/discover"]);

/**
 * The guidance of the caller's granted groups, for the answer that opens a connection. `undefined` for every other
 * request, and when the request cannot be resolved; the list then reports the error.
 */
export async function instructionsFor(request: McpRequest): Promise<string | undefined> {
  const messages: readonly unknown[] = Array.isArray(request.body) ? request.body : [request.body];
  if (!messages.some((message) => OPENING.has((message as { readonly method?: unknown } | null)?.method)))
    return undefined;
  const { caller, stated, sessionId, requestId } = request;
  const context = await callContextOf(caller, stated, sessionId, { requestId, now: Date.now() }).catch(() => null);
  if (context === null) return undefined;
  const { groups } = context.snapshot.index;
  const texts = context.resolution.grantedGroups.flatMap((name) => {
    const group = groups.all[groups.numberOf.get(name) ?? -1]?.group;
    const guidance = group?.active === true ? withoutHidden(group.guidance?.trim() ?? "") : "";
    return guidance === "" ? [] : `${name}: ${guidance}`;
  });
  return texts.length === 0 ? undefined : texts.join("\n\n").slice(0, MAX_LENGTH);
}
