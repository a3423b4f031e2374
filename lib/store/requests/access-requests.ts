import type { JsonObject } from "@/lib/access/model/configuration";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import { announce } from "@/lib/store/events/events";
import { expire } from "@/lib/store/requests/expire-requests";
import { bodyOf, openRequest, type StoredRequest } from "@/lib/store/requests/requests";
import { write, type Actor } from "@/lib/store/save/write";

/** The most open requests: of one caller, of one issuer's callers, and of all. */
export const OPEN_REQUESTS = { caller: 20, issuer: 500, all: 5_000 } as const;
/** The most requests that one caller may make within a minute. */
export const REQUESTS_PER_MINUTE = 10;
/** Days in which a person may answer. */
const OPEN_DAYS = 7;
/** Days for which an ended grant keeps its row. Its changes stay in the history. */
const ENDED_DAYS = 30;
const DAY_MS = 86_400_000;

/** The caller of a request: its identity, and its registered agent. */
interface Requester {
  readonly issuer: string;
  readonly subject: string;
  readonly client: string | null;
  readonly agent: string | null;
}

/** The sealed terms of an access request. */
export interface AccessTerms {
  /** The request policy that offers the tool. */
  readonly policy: string;
  readonly tool: string;
  readonly hours: number;
  /** The registered agent that asked. */
  readonly agent: string | null;
}

/** A request for access, as the rules allowed it. */
interface AllowedRequest extends Omit<AccessTerms, "agent"> {
  readonly reason: string;
  /** The revision that offered the tool. */
  readonly basis: number;
}

/** The opened request, the caller's open request for the same tool, or the limit that is reached. */
type Opened = { readonly request: StoredRequest } | { readonly reached: "minute" | keyof typeof OPEN_REQUESTS };

const ofCaller = ({ issuer, subject, client }: Omit<Requester, "agent">) => ({
  kind: "access",
  issuer,
  subject,
  client,
});

/** Opens an access request and announces it. One lock keeps the limits of all processes. */
export async function openAccessRequest(caller: Requester, terms: AllowedRequest, now: Date): Promise<Opened> {
  return db().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('access-requests'))`;
    const own = ofCaller(caller);
    const open = { status: "open", closesAt: { gt: now } };
    const same = await tx.request.findFirst({ where: { ...own, ...open, target: terms.tool } });
    if (same !== null) return { request: same };
    const minuteAgo = new Date(now.getTime() - 60_000);
    if ((await tx.request.count({ where: { ...own, at: { gt: minuteAgo } } })) >= REQUESTS_PER_MINUTE)
      return { reached: "minute" };
    const counts = {
      caller: await tx.request.count({ where: { ...own, ...open } }),
      issuer: await tx.request.count({ where: { kind: "access", issuer: caller.issuer, ...open } }),
      all: await tx.request.count({ where: { kind: "access", ...open } }),
    };
    for (const scope of ["caller", "issuer", "all"] as const)
      if (counts[scope] >= OPEN_REQUESTS[scope]) return { reached: scope };
    return { request: await openNew(tx, caller, terms, now) };
  });
}

async function openNew(
  tx: Prisma.TransactionClient,
  caller: Requester,
  terms: AllowedRequest,
  now: Date,
): Promise<StoredRequest> {
  const { policy, tool, hours, reason, basis } = terms;
  const { agent, ...identity } = caller;
  // An expired request of the same tool may still be marked as open: the job is late.
  await expire(tx, { ...ofCaller(caller), target: tool }, now);
  const expiresAt = new Date(now.getTime() + OPEN_DAYS * DAY_MS);
  const request = await openRequest(
    tx,
    {
      asker: { agent, ...identity },
      reason,
      target: tool,
      basis,
      facts: { kind: "access", tool, hours },
      body: { policy, tool, hours, agent } satisfies AccessTerms as unknown as JsonObject,
      secrets: null,
      expiresAt,
    },
    now,
  );
  await announce(tx, {
    type: "access.requested",
    path: `/admin/requests/${request.id}`,
    data: {
      request_id: request.id,
      tool_id: tool,
      hours,
      issuer: caller.issuer,
      subject: caller.subject,
      agent,
      expires_at: expiresAt.toISOString(),
    },
  });
  return request;
}

/** One of a caller's own access requests; `null` when it has none with this id. */
export async function findOwnAccessRequest(
  id: string,
  caller: Omit<Requester, "agent">,
): Promise<StoredRequest | null> {
  return db().request.findFirst({ where: { id, ...ofCaller(caller) } });
}

/** The terms of an access request; `null` when no key opens them. */
export function termsOf(request: StoredRequest): AccessTerms | null {
  return bodyOf(request) as unknown as AccessTerms | null;
}

/** The author of removals in the history. */
const PROGRAM: Actor = { kind: "system", name: "access grants", role: "admin" };

/** Removes the rows of grants that ended long ago. */
export async function sweepAccessGrants(now: Date): Promise<void> {
  const before = new Date(now.getTime() - ENDED_DAYS * DAY_MS);
  const ended = await db().accessGrant.findMany({
    where: { until: { lte: before } },
    select: { name: true },
    take: 500,
  });
  if (ended.length === 0) return;
  await write(
    PROGRAM,
    async (stored) => {
      const rows = await Promise.all(ended.map(({ name }) => stored.get("access-grants", name)));
      return rows
        .filter((row) => row !== null)
        .map(({ name }) => ({ resource: "access-grants" as const, action: "delete" as const, id: name }));
    },
    { note: "removed ended access grants", now },
  );
}
