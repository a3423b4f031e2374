import { isApplied } from "@/lib/access/compile/policies";
import type { Policy } from "@/lib/access/model/configuration";
import { describeCondition } from "@/lib/access/model/matcher";
import type { AccessDetail } from "@/lib/contracts/changes/access";
import { AppError } from "@/lib/errors";
import { can, ROLES } from "@/lib/resources/permissions";
import { toolNeedsApproval } from "@/lib/resources/tool";
import { db } from "@/lib/store/db/database";
import { ownCall } from "@/lib/store/calls/own-calls";
import { personName } from "@/lib/store/people/person-of";
import { termsOf, type AccessTerms } from "@/lib/store/requests/access-requests";
import { expireRequests } from "@/lib/store/requests/expire-requests";
import {
  answerRequest,
  findRequest,
  findAccessGrants,
  toRequestRow,
  type StoredRequest,
} from "@/lib/store/requests/requests";
import { formerPolicy } from "@/lib/store/save/history";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { write, type Actor } from "@/lib/store/save/write";

const HOUR_MS = 3_600_000;

/** A person's answer to an access request. */
interface Decision {
  readonly actor: Actor;
  readonly reason: string;
  readonly requestId: string;
}

/** An approval states the request that was read, and may shorten the grant. */
interface Approval extends Decision {
  readonly hash: string;
  readonly hours?: number | undefined;
}

/** One access request with its grant. @throws AppError `not_found`, `config_unavailable` */
export async function readAccess(id: string, actor: Actor): Promise<AccessDetail> {
  const request = await requireAccess(id);
  const terms = requireTerms(request);
  const grant = (await findAccessGrants([request])).get(id);
  const who = await answererOf(actor, request, terms);
  const { index, tools, settings } = await currentSnapshot();
  const policy = policyOf(index.config.policies, terms.policy);
  const tool = tools.get(terms.tool);
  const answers = can(actor.role, "calls:approve");
  const row = toRequestRow(request, grant);
  const past = row.ended && row.revision !== null ? await formerPolicy(terms.policy, row.revision) : null;
  const granting = past ?? index.config.policies.find(({ name }) => name === terms.policy);
  return {
    ...row,
    conditions: (granting?.arguments ?? []).map(describeCondition),
    policy: terms.policy,
    maxHours: policy?.maxHours ?? null,
    needsApproval: tool !== undefined && toolNeedsApproval(tool, settings.approvals.sideEffects),
    own: who.own,
    mayAnswer: request.status === "open" && answers && refusalOf(who, policy) === null,
    mayEnd: grant !== undefined && answers && Date.parse(grant.until) > Date.now(),
  };
}

/**
 * Grants access from now on, once. The grant and the answer are one revision.
 *
 * @throws AppError `not_found`; `forbidden` for a person who may not answer; `conflict` when the request is not open any
 * more, has another hash, or its policy offers nothing now; `invalid_request` for more hours than requested
 */
export async function approveAccess(
  id: string,
  { actor, reason, requestId, hash, hours }: Approval,
): Promise<AccessDetail> {
  const request = await requireAccess(id);
  const terms = requireTerms(request);
  const who = await answererOf(actor, request, terms);
  const now = new Date();
  await expireRequests(now);
  await write(
    actor,
    async (stored) => {
      const policy = policyOf([await stored.get("policies", terms.policy)], terms.policy);
      requireMayAnswer(who, policy);
      const granted = grantedHours(terms, policy, hours);
      const { issuer, subject, client } = request;
      const after = {
        name: id,
        policy: terms.policy,
        tool: terms.tool,
        issuer: issuer ?? "",
        subject: subject ?? "",
        client,
        from: now.toISOString(),
        until: new Date(now.getTime() + granted * HOUR_MS).toISOString(),
        by: actor.name,
        endedBy: null,
      };
      if ((await stored.get("access-grants", id)) !== null) throw await answered(id);
      return [{ resource: "access-grants", action: "create", after }];
    },
    {
      now,
      // A second person reviewed the request policy, and this answer is the second person's for the request.
      review: "exempt",
      note: `granted ${terms.tool} to ${request.asker}${hours === undefined ? "" : ` for ${hours} h`}`,
      onSaved: async (tx, { revision }) => {
        const answer = { status: "applied", actor, reason, requestId, revision } as const;
        if (!(await answerRequest(tx, { id, hash }, answer, now))) throw await answered(id);
      },
    },
  );
  return readAccess(id, actor);
}

/** Refuses a request, once. @throws AppError `not_found`, `forbidden`, `conflict` */
export async function refuseAccess(id: string, { actor, reason, requestId }: Decision): Promise<AccessDetail> {
  const request = await requireAccess(id);
  const terms = requireTerms(request);
  const who = await answererOf(actor, request, terms);
  requireMayAnswer(who, policyOf((await currentSnapshot()).index.config.policies, terms.policy));
  const now = new Date();
  const done = await db().$transaction((tx) =>
    answerRequest(tx, { id, hash: null }, { status: "refused", actor, reason, requestId }, now),
  );
  if (!done) throw await answered(id);
  return readAccess(id, actor);
}

/** Ends a grant now. @throws AppError `not_found`; `conflict` when it has ended */
export async function endAccess(id: string, actor: Actor): Promise<AccessDetail> {
  const { asker, target } = await requireAccess(id);
  const now = new Date();
  await write(
    actor,
    async (stored) => {
      const grant = await stored.get("access-grants", id);
      if (grant === null || Date.parse(grant.until) <= now.getTime())
        throw new AppError(
          "conflict",
          "There is no grant to end: it has already ended, or nobody granted the request.",
        );
      const { revision: _revision, createdAt: _createdAt, updatedAt: _updatedAt, ...value } = grant;
      const after = { ...value, until: now.toISOString(), endedBy: actor.name };
      return [{ resource: "access-grants", action: "update", id, after }];
    },
    { now, review: "exempt", note: `ended ${asker}'s access to ${target}` },
  );
  return readAccess(id, actor);
}

/** The answer may shorten what was requested, never lengthen it. */
function grantedHours({ hours }: AccessTerms, policy: Offer | null, wanted: number | undefined): number {
  if (policy?.effect !== "request" || !isApplied(policy))
    throw new AppError("conflict", "The request policy no longer offers this tool. Refuse the request.");
  const most = Math.min(hours, policy.maxHours ?? 0);
  const granted = wanted ?? most;
  if (granted <= most) return granted;
  throw new AppError("invalid_request", "The grant is too long.", {
    errors: [{ path: "hours", message: `at most ${most}: an answer may shorten a request, never lengthen it` }],
  });
}

type Offer = Pick<Policy, "name" | "effect" | "active" | "mode" | "maxHours" | "approvers">;

function policyOf(policies: readonly (Offer | null)[], name: string): Offer | null {
  return policies.find((policy) => policy?.name === name) ?? null;
}

/** A person who wants to answer a request. */
interface Answerer {
  readonly actor: Actor;
  /** The name of the person's row. */
  readonly name: string | null;
  readonly own: AccessDetail["own"];
}

async function answererOf(actor: Actor, request: StoredRequest, { agent }: AccessTerms): Promise<Answerer> {
  const own = await ownCall(actor, { issuer: request.issuer ?? "", subject: request.subject ?? "", agent });
  return { actor, own, name: await personName(actor) };
}

function requireMayAnswer(who: Answerer, policy: Offer | null): void {
  const refusal = refusalOf(who, policy);
  if (refusal !== null) throw new AppError("forbidden", refusal);
}

/** Why an actor may not answer; `null` when they may. Everyone who answers also has the permission `calls:approve`. */
function refusalOf({ actor, name, own }: Answerer, policy: Offer | null): string | null {
  if (actor.kind !== "user") return "Only a person answers requests: no token can.";
  if (own === "caller") return "You, or a client that you connected, made this request. Another person must answer it.";
  if (own === "agent" && actor.role !== "admin")
    return "You created this agent or one of its keys. An administrator or another editor must answer its requests.";
  const approvers = policy?.approvers ?? null;
  // A role takes precedence over a person of the same name (docs/reference/decision.md).
  const person = ROLES.some((role) => role === name) ? null : name;
  if (approvers === null || approvers.includes(actor.role) || (person !== null && approvers.includes(person)))
    return null;
  return `The policy \`${policy?.name ?? ""}\` names other approvers.`;
}

async function requireAccess(id: string): Promise<StoredRequest> {
  const request = await findRequest(id);
  if (request?.kind !== "access") throw new AppError("not_found", "There is no such access request.");
  return request;
}

function requireTerms(request: StoredRequest): AccessTerms {
  const terms = termsOf(request);
  if (terms === null)
    throw new AppError(
      "config_unavailable",
      "The terms of this request cannot be decrypted: their master key is gone.",
    );
  return terms;
}

async function answered(id: string): Promise<AppError> {
  const request = await requireAccess(id);
  const current = toRequestRow(request, (await findAccessGrants([request])).get(id));
  const what = current.status === "open" ? "it is not the request that you read" : `it is ${current.status}`;
  return new AppError("conflict", `The request was not answered: ${what}.`, { extra: { current } });
}
