import { offersOf } from "@/lib/access/decide/offers";
import type { AccessRequestOutput } from "@/lib/contracts/agents/access-request";
import { AppError } from "@/lib/errors";
import {
  findOwnAccessRequest,
  OPEN_REQUESTS,
  openAccessRequest,
  REQUESTS_PER_MINUTE,
} from "@/lib/store/requests/access-requests";
import { findAccessGrants, toRequestRow, type StoredRequest } from "@/lib/store/requests/requests";
import type { Principal } from "@/lib/store/calls/sessions";
import type { Refusal } from "@/lib/calls/pipeline/call";
import { ACCESS_STATUSES } from "@/lib/resources/parts/words";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** The terms on which a caller requests a tool. */
interface AccessTerms {
  readonly tool: string;
  readonly reason: string;
  readonly hours: number;
}

/** Opens an access request, or returns the caller's open one for the same tool (docs/reference/http.md#access-requests). */
export async function requestAccess(context: CallContext, terms: AccessTerms): Promise<AccessRequestOutput | Refusal> {
  const { snapshot, request, caller, now } = context;
  const offers = offersOf(snapshot.index, request, terms.tool, now);
  const maxHours = Math.max(0, ...offers.map(({ maxHours: hours }) => hours ?? 0));
  const offer = offers.find(({ maxHours: hours }) => (hours ?? 0) >= terms.hours);
  if (offers.length === 0) return notOffered();
  if (offer === undefined) return tooLong(maxHours);
  const opened = await openAccessRequest(
    caller.principal,
    { ...terms, policy: offer.name, basis: snapshot.revision },
    new Date(now),
  );
  return "request" in opened ? toOutput(opened.request) : limited(opened.reached);
}

function notOffered(): Refusal {
  return {
    code: "tool_not_available",
    message: "You may not request this tool. `request_access` lists the tools that you may request.",
    reason: "not_requestable",
  };
}

function tooLong(maxHours: number): Refusal {
  const message = `Ask for at most ${maxHours} ${maxHours === 1 ? "hour" : "hours"}.`;
  return {
    code: "invalid_request",
    message,
    details: [{ path: "hours", message }],
    reason: "hours: more than the request policy allows",
  };
}

function limited(reached: "minute" | keyof typeof OPEN_REQUESTS): Refusal {
  if (reached === "minute")
    return {
      code: "rate_limited",
      message: `You may make ${REQUESTS_PER_MINUTE} access requests a minute.`,
      reason: "rate of access requests",
      headers: { "retry-after": "60" },
    };
  const whose = { caller: "You have", issuer: "Callers of your issuer have", all: "This installation has" }[reached];
  return {
    code: "quota_exceeded",
    message: `${whose} ${OPEN_REQUESTS[reached]} open access requests: wait until a person has answered some.`,
    reason: `open access requests of ${reached}`,
  };
}

/** One of the caller's own access requests. @throws AppError `not_found` */
export async function readOwnAccessRequest(id: string, principal: Principal): Promise<AccessRequestOutput> {
  const request = await findOwnAccessRequest(id, principal);
  if (request === null) throw new AppError("not_found", "You have no such access request.");
  return toOutput(request);
}

async function toOutput(request: StoredRequest): Promise<AccessRequestOutput> {
  const granted = (await findAccessGrants([request])).get(request.id);
  const { id, status, facts, target, closesAt, decidedReason, grant } = toRequestRow(request, granted);
  return {
    request_id: id,
    status: ACCESS_STATUSES.find((known) => known === status) ?? "withdrawn",
    tool_id: target,
    hours: facts.kind === "access" ? facts.hours : 0,
    closes_at: closesAt,
    answer: decidedReason === "" ? null : decidedReason,
    granted: grant === null ? null : { from: grant.from, until: grant.until },
  };
}
