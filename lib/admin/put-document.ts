import type { z } from "zod";
import { documentDeadlineMs, parsedInThread } from "@/lib/admin/parsed-document";
import type { configQuery } from "@/lib/contracts/changes/config";
import { AppError } from "@/lib/errors";
import { applyDocument, planDocument } from "@/lib/store/save/config-document";
import type { Actor } from "@/lib/store/save/write";

interface PutOptions {
  readonly query: z.output<typeof configQuery>;
  /** Reads the revision that the document is based on; a dry run does not need one. */
  readonly ifMatch: () => number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Plans a configuration document, and applies it unless the query asks for a dry run.
 * @throws AppError as `parsedInThread`, `planDocument` and `applyDocument` do; `invalid_request`
 */
export async function putDocument(actor: Actor, bytes: Uint8Array, { query, ifMatch, signal }: PutOptions) {
  // Parsing transfers the bytes to a thread, which leaves none here.
  const limits = { stageMs: documentDeadlineMs(bytes.byteLength), signal };
  const parsed = await parsedInThread(bytes, { merges: query.mode === "merge", signal });
  if (!parsed.ok) throw new AppError("invalid_request", "The document is not valid.", { errors: parsed.errors });
  const isMerge = query.mode === "merge" || parsed.mergeOnly;
  const document = isMerge ? { merge: parsed.stated, fresh: parsed.fresh } : parsed.document;
  const planned = await planDocument(actor, document, limits);
  const warnings = [...parsed.warnings, ...planned.warnings];
  const plan = { ...planned, warnings, mode: isMerge ? ("merge" as const) : ("replace" as const) };
  if (query.dryRun) return plan;
  const { revision, effect } = await applyDocument(actor, document, {
    limits,
    ifRevision: ifMatch(),
    note: query.note,
  });
  return { ...plan, ...effect, revision };
}
