import { resolve } from "@/lib/access/resolve";
import type { Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { manifestEntries } from "@/lib/manifest/entries";
import { renderManifest } from "@/lib/manifest/index";
import { toPreview } from "@/lib/manifest/preview";
import { estimateTokens } from "@/lib/manifest/tokens";
import { can } from "@/lib/resources/permissions";
import type { PreviewInput, PreviewOutput } from "@/lib/resources/preview";
import { noteEvent } from "@/lib/store/audit-events";
import { loadPreview } from "@/lib/store/preview";
import { resolver } from "@/lib/store/snapshot";

/**
 * A preview's answer: the same resolver as every door, on the configuration and for the caller that the
 * input names. The inputs of a logged call are bodies of the log: only who may open those may load them.
 */
export async function answerPreview(input: PreviewInput, person: Person, requestId: string): Promise<PreviewOutput> {
  if (input.executionId !== undefined) await openExecution(input.executionId, person, requestId);
  const { index, request, now, live } = await loadPreview(input);
  const explained = input.explain ?? [];
  requireKnown(explained, new Set(index.config.tools.map(({ id }) => id)));
  // The shared caches are keyed by revision: a document that was never saved has none.
  const resolution = live
    ? resolver().resolve(index, request, now, { skipCache: input.skipCache })
    : resolve(index, request, now);
  const source = { index, request, now, resolution };
  const answer = toPreview({ ...source, explained });
  if (input.manifest === undefined) return answer;
  const { data, notes } = renderManifest(input.manifest, manifestEntries(source));
  return { ...answer, manifest: data, manifestTokens: estimateTokens(data), manifestNotes: [...notes] };
}

async function openExecution(callId: string, { actor, role }: Person, requestId: string): Promise<void> {
  if (!can(role, "executions:bodies"))
    throw new AppError("forbidden", "The inputs of a logged call need the permission `executions:bodies`.", {
      extra: { permission: "executions:bodies" },
    });
  await noteEvent({ actor, action: "executions.bodies", target: callId, requestId });
}

function requireKnown(explained: "all" | readonly string[], known: ReadonlySet<string>): void {
  if (explained === "all") return;
  const at = explained.findIndex((id) => !known.has(id));
  if (at < 0) return;
  throw new AppError("invalid_request", `There is no tool \`${explained[at]}\`.`, {
    errors: [{ path: `explain[${at}]`, message: "unknown tool" }],
  });
}
