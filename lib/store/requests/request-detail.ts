import type { RequestDetail, RequestRow } from "@/lib/contracts/changes/request";
import { HIDDEN_TARGET } from "@/lib/contracts/changes/row-words";
import { verdictInWords } from "@/lib/contracts/changes/verdict-words";
import { AppError } from "@/lib/errors";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import { can, type Role } from "@/lib/resources/permissions";
import { isOwn, mayAnswer, type Answerer } from "@/lib/store/requests/answer-change";
import { refusalOfBypass } from "@/lib/store/requests/bypass";
import { mayConfirm } from "@/lib/store/requests/end-bypass";
import type { AccessGrantValue } from "@/lib/store/config/values";
import { readableChanges } from "@/lib/store/requests/change-body";
import { findAccessGrants, findRequest, toRequestRow, type StoredRequest } from "@/lib/store/requests/requests";

type Reader = Pick<Answerer, "actor" | "userId">;

/** A request without the rows that the role may not read. */
export function visibleRow(row: RequestRow, reader: Role): RequestRow {
  const { facts } = row;
  if (facts.kind !== "change") return row;
  const hidden: readonly string[] = hiddenFrom(reader);
  const shown = ({ resource }: { readonly resource: string }) => !hidden.includes(resource);
  const target = hidden.some((resource) => row.target.startsWith(`${resource}/`)) ? HIDDEN_TARGET : row.target;
  const reasons = facts.verdict.reasons.filter(shown);
  return {
    ...row,
    target,
    facts: { ...facts, rows: facts.rows.filter(shown), verdict: { ...facts.verdict, reasons } },
  };
}

/** One request with the changes that the reader may see. @throws AppError `not_found` */
export async function readRequest(id: string, reader: Reader): Promise<RequestDetail> {
  const request = await findRequest(id);
  if (request === null) throw new AppError("not_found", "There is no such request.");
  return toRequestDetail(request, reader, (await findAccessGrants([request])).get(id));
}

/** A stored request as its page shows it. */
export function toRequestDetail(request: StoredRequest, reader: Reader, grant?: AccessGrantValue): RequestDetail {
  const row = visibleRow(toRequestRow(request, grant), reader.actor.role);
  return {
    ...row,
    changes: changesOf(request, reader.actor.role),
    sentence: row.facts.kind === "change" ? verdictInWords(row.facts.verdict) : null,
    own: isOwn(request, reader),
    mayAnswer: request.kind === "change" && mayAnswer(request, reader),
    mayBypass: request.kind === "change" && mayBypass(request, reader),
    mayConfirm: mayConfirm(request, reader) && readableChanges(request) !== null,
  };
}

function mayBypass(request: StoredRequest, { actor }: Reader): boolean {
  if (actor.kind !== "user" || !can(actor.role, "changes:bypass")) return false;
  try {
    return refusalOfBypass(request) === null;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function changesOf(request: StoredRequest, reader: Role): RequestDetail["changes"] {
  if (request.kind !== "change") return [];
  const hidden: readonly string[] = hiddenFrom(reader);
  const changes = readableChanges(request)?.filter(({ resource }) => !hidden.includes(resource)) ?? null;
  return changes as RequestDetail["changes"];
}
