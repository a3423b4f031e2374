import { requireDraftSize } from "@/app/api/admin/preview/require-draft-size";
import { resolve } from "@/lib/access/decide/resolve";
import type { Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import type { ManifestSource } from "@/lib/manifest/entries";
import type { PreviewQuestion } from "@/lib/manifest/preview";
import { can } from "@/lib/resources/permissions";
import type { PreviewInput, PreviewOutput } from "@/lib/contracts/decisions/preview";
import { findApproval } from "@/lib/store/calls/approvals";
import { recordFurtherRead } from "@/lib/store/audit/audit-events";
import { DRAFT_MS } from "@/lib/admin/parsed-document";
import { loadPreview } from "@/lib/admin/preview";
import { resolver } from "@/lib/store/snapshot/snapshot";

/** The HTTP request of a preview. */
export interface PreviewContext {
  readonly requestId: string;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
}

/** Milliseconds for each stage of an answer. Only a draft has a limit: its author chooses its size. */
export function limitMsOf({ config, draft }: Pick<PreviewInput, "config" | "draft">): number {
  return config === undefined && draft === undefined ? Number.POSITIVE_INFINITY : DRAFT_MS;
}

/**
 * Decides a preview with the resolver that every endpoint uses, for the configuration and the caller that the input names.
 * The inputs of a logged call are bodies of the log, so loading them needs the permission to read bodies.
 */
export async function decidePreview(
  input: PreviewInput,
  person: Person,
  { requestId, signal }: PreviewContext,
): Promise<ManifestSource & Pick<PreviewOutput, "raisedBy"> & Pick<PreviewQuestion, "needsApproval">> {
  requireDraftSize(input.config, person.role);
  if (input.executionId !== undefined) await recordInputsRead(input.executionId, person, requestId);
  const { index, request, now, live, raisedBy, needsApproval } = await loadPreview(input, signal);
  // The shared caches are keyed by revision: a document that was never saved has none.
  const resolution = live
    ? resolver().resolve(index, request, now, { skipCache: input.skipCache })
    : resolve(index, request, now);
  return { index, request, now, resolution, raisedBy: [...raisedBy], needsApproval };
}

/**
 * Refuses or logs a read of the claims and arguments of a logged call. Logs it once for a page that showed the call
 * before. While a call waits, its approvers may read them, to see why it was granted
 * (docs/reference/execution.md#approvals).
 */
export async function recordInputsRead(callId: string, { actor, role }: Person, requestId: string): Promise<void> {
  const approves = async () => can(role, "calls:approve") && (await findApproval(callId))?.status === "waiting";
  if (!can(role, "executions:bodies") && !(await approves()))
    throw new AppError("forbidden", "Reading the inputs of a logged call needs the permission `executions:bodies`.", {
      extra: { permission: "executions:bodies" },
    });
  await recordFurtherRead({ actor, action: "executions.bodies", target: callId, requestId });
}
