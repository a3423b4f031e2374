import { createHash } from "node:crypto";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import { uuidOfTime } from "@/lib/process/random";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import { requestRow, type RequestFacts, type RequestRow } from "@/lib/contracts/changes/request";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import { REQUEST_KINDS, REQUEST_STATUSES } from "@/lib/resources/parts/words";
import type { Role } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import type { Model } from "@/lib/store/config/tables";
import type { AccessGrantValue } from "@/lib/store/config/values";
import { db } from "@/lib/store/db/database";
import { text, word, type Filter } from "@/lib/store/db/filters";
import { readPage } from "@/lib/store/db/page";
import type { Prisma } from "@/lib/store/generated/client";
import { open, seal } from "@/lib/store/keys/cipher";
import type { Actor } from "@/lib/store/save/change";

/** A stored request. */
export type StoredRequest = NonNullable<Awaited<ReturnType<ReturnType<typeof db>["request"]["findUnique"]>>>;

/** Who opens a request: a person, a token or the program for a change; an agent for access. */
type Asker =
  | { readonly actor: Actor; readonly personId: string | null }
  | {
      readonly agent: string | null;
      readonly issuer: string;
      readonly subject: string;
      readonly client: string | null;
    };

/** A request to open. */
interface NewRequest {
  readonly asker: Asker;
  readonly reason: string;
  readonly target: string;
  /** The revision that the request is based on. */
  readonly basis: number;
  readonly facts: RequestFacts;
  /** The exact changes, or the terms of the access; without secrets. */
  readonly body: Json;
  /** The secret columns of the changed rows; `null` when there are none. */
  readonly secrets: Json | null;
  readonly expiresAt: Date;
}

/** How a request ends. `expired` is the job's answer. */
interface Answer {
  readonly status: "applied" | "refused" | "withdrawn" | "outdated";
  readonly actor: Actor;
  readonly reason: string;
  readonly requestId: string | null;
  /** The revision that applied it. */
  readonly revision?: number;
}

/** Opens a request and records it in the audit trail. The caller runs it in the transaction that checked the caps. */
export async function openRequest(
  tx: Prisma.TransactionClient,
  request: NewRequest,
  now: Date,
): Promise<StoredRequest> {
  const { asker, reason, target, basis, facts, expiresAt } = request;
  const id = `req_${uuidOfTime(now.getTime())}`;
  // Not the canonical text: the order of a schema's properties is part of a definition.
  const body = JSON.stringify(request.body);
  const secrets = request.secrets === null ? null : canonicalText(request.secrets);
  const who = columnsOf(asker);
  const hash = hashOf({ id, kind: facts.kind, ...who, reason, target, basis, facts, body, secrets });
  const data = {
    id,
    kind: facts.kind,
    status: "open",
    at: now,
    closesAt: expiresAt,
    ...who,
    reason,
    target,
    basis,
    facts,
    body: seal("request", body, id),
    secrets: secrets === null ? null : seal("request", secrets, id),
    hash,
  };
  const opened = await tx.request.create({ data });
  if ("actor" in asker)
    await recordAuditEvent({ actor: asker.actor, action: "requests.opened", target: id, requestId: null }, tx, now);
  return opened;
}

function hashOf(hashed: object): string {
  return createHash("sha256")
    .update(canonicalText(hashed as unknown as JsonObject))
    .digest("hex");
}

/**
 * Whether a request is what its hash says, with its secrets. False when a column changed, when no key opens the body or the
 * secrets, and when an answer erased the secrets.
 */
export function isIntact(request: StoredRequest): boolean {
  const { id, kind, askerKind, asker, personId, issuer, subject, client, reason, target, basis, facts, hash } = request;
  const body = open("request", request.body, id);
  const secrets = request.secrets === null ? null : open("request", request.secrets, id);
  if (body === null || (request.secrets !== null && secrets === null)) return false;
  const who = { askerKind, asker, personId, issuer, subject, client };
  return hash === hashOf({ id, kind, ...who, reason, target, basis, facts, body, secrets });
}

function columnsOf(asker: Asker) {
  if ("actor" in asker)
    return {
      askerKind: asker.actor.kind,
      asker: asker.actor.name,
      personId: asker.personId,
      issuer: null,
      subject: null,
      client: null,
    };
  const { agent, issuer, subject, client } = asker;
  return { askerKind: "agent", asker: agent ?? subject, personId: null, issuer, subject, client };
}

/**
 * Answers a request, once. Returns false, and changes nothing, when it is no longer open, has expired, or has another hash. Run it in the
 * transaction that applies the request: then one of two concurrent answers counts, and a failed application answers
 * nothing. The answer erases the request's secrets.
 *
 * @param hash the hash that the answer states; `null` for an answer that applies nothing
 */
export async function answerRequest(
  tx: Prisma.TransactionClient,
  { id, hash }: { readonly id: string; readonly hash: string | null },
  { status, actor, reason, requestId, revision }: Answer,
  now: Date,
): Promise<boolean> {
  const { count } = await tx.request.updateMany({
    where: { id, status: "open", closesAt: { gt: now }, ...(hash !== null && { hash }) },
    data: {
      status,
      closesAt: now,
      decidedBy: actor.name,
      decidedReason: reason,
      secrets: null,
      ...(revision !== undefined && { revision }),
    },
  });
  if (count === 0) return false;
  await recordAuditEvent({ actor, action: `requests.${status}`, target: id, requestId }, tx, now);
  return true;
}

/** One request, or `null`. */
export async function findRequest(id: string): Promise<StoredRequest | null> {
  return db().request.findUnique({ where: { id } });
}

/** The body of a request, decrypted; `null` when no key opens it. */
export function bodyOf({ id, body }: StoredRequest): Json | null {
  return parsed(open("request", body, id));
}

/** The secrets of an open request, decrypted; `null` when it has none, was answered, or no key opens them. */
export function secretsOf({ id, secrets }: StoredRequest): Json | null {
  return secrets === null ? null : parsed(open("request", secrets, id));
}

function parsed(opened: string | null): Json | null {
  return opened === null ? null : (JSON.parse(opened) as Json);
}

/** The numbers of open requests of each kind. */
export async function countOpenRequests(): Promise<{ readonly access: number; readonly changes: number }> {
  const counted = await db().request.groupBy({ by: ["kind"], where: { status: "open" }, _count: true });
  const ofKind = (wanted: string) => counted.find(({ kind }) => kind === wanted)?._count ?? 0;
  return { access: ofKind("access"), changes: ofKind("change") };
}

/**
 * Lists requests: open ones first (latest deadline first), then the most recently answered ones. Search and filter do not
 * match a target that the reader may not read; `visibleRow` masks it.
 *
 * @param within a condition on the rows, such as the requests of one person
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor; `config_unavailable`
 */
export async function listRequests(
  query: ListQuery,
  reader: Role,
  within: Prisma.RequestWhereInput = {},
): Promise<Page<RequestRow>> {
  const hidden = hiddenFrom(reader).map((resource) => ({ kind: "change", target: { startsWith: `${resource}/` } }));
  const readable = { NOT: { OR: hidden } };
  const listing = {
    of: "requests",
    id: "id",
    search: ["id", { column: "target", within: readable }, "asker", "reason"],
    sort: { closesAt: "time", at: "time" },
    filters: {
      kind: word("kind", REQUEST_KINDS),
      status: word("status", REQUEST_STATUSES),
      asker: text("asker"),
      target: (value: string) => ({ AND: [readable, { target: value }] }),
      decidedBy: text("decidedBy"),
      ended: await endedFilter(query),
    },
  } as const;
  const sorted = { ...query, sort: query.sort ?? "-closesAt" };
  const page = await readPage(db().request as unknown as Model, listing, sorted, within);
  const requests = page.items as unknown as readonly StoredRequest[];
  const grants = await findAccessGrants(requests);
  return { ...page, items: requests.map((request) => toRequestRow(request, grants.get(request.id))) };
}

/** The grants of those access requests that have one, by the request's id. */
export async function findAccessGrants(
  requests: readonly StoredRequest[],
): Promise<ReadonlyMap<string, AccessGrantValue>> {
  const granted = requests.filter(({ kind, status }) => kind === "access" && status === "applied").map(({ id }) => id);
  if (granted.length === 0) return new Map();
  const rows = await db().accessGrant.findMany({ where: { name: { in: granted } } });
  const grants = rows.map((row) => ({ ...row, from: row.from.toISOString(), until: row.until.toISOString() }));
  return new Map(grants.map((grant) => [grant.name, grant]));
}

/** Filters requests by `ended`. The grants that last are read when the query asks for them. */
async function endedFilter(query: ListQuery): Promise<Filter> {
  const lasting = query["ended"] === undefined ? [] : await lastingGrants();
  const ended = { kind: "access", status: "applied", id: { notIn: lasting } };
  return (value) => (value === "true" ? ended : value === "false" ? { NOT: ended } : "use true or false");
}

async function lastingGrants(): Promise<string[]> {
  const rows = await db().accessGrant.findMany({ where: { until: { gt: new Date() } }, select: { name: true } });
  return rows.map(({ name }) => name);
}

/** Whether a request granted access that has ended. A grant that ended long ago has no row any more. */
function isEnded({ kind, status }: StoredRequest, grant: AccessGrantValue | undefined): boolean {
  if (kind !== "access" || status !== "applied") return false;
  return grant === undefined || Date.parse(grant.until) <= Date.now();
}

/** The request as the API returns it. @throws AppError `config_unavailable` for a row that an unknown version wrote */
export function toRequestRow(request: StoredRequest, grant?: AccessGrantValue): RequestRow {
  const { at, closesAt, askerKind, asker, issuer, subject, client, facts, bypassedAt, ...row } = request;
  const read = requestRow.safeParse({
    ...row,
    grant: grant === undefined ? null : grantOf(grant),
    ended: isEnded(request, grant),
    at: at.toISOString(),
    closesAt: closesAt.toISOString(),
    asker: { kind: askerKind, name: asker },
    caller: issuer === null || subject === null ? null : { issuer, subject, client },
    facts,
    bypass:
      bypassedAt === null
        ? null
        : { by: row.bypassedBy ?? "", reason: row.bypassedReason ?? "", at: bypassedAt.toISOString() },
  });
  if (!read.success) throw new AppError("config_unavailable", "A stored request cannot be read.");
  return read.data;
}

function grantOf({ from, until, by, endedBy }: AccessGrantValue): RequestRow["grant"] {
  return { from, until, by, endedBy };
}
