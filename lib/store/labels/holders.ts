import { OWN_ISSUER } from "@/lib/access/model/claims";
import { publicOrigin } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type {
  ClearLabelInput,
  HeldLabelRow,
  HolderQuery,
  LabelOfHolder,
  LabelsOfHolder,
} from "@/lib/contracts/log/held-label";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { readLabelHistory } from "@/lib/store/labels/label-history";
import { ownCalls } from "@/lib/store/calls/own-calls";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import type { Actor } from "@/lib/store/save/change";

/** Most holders of an answer. */
const MAX_HOLDERS = 200;

/**
 * The latest runs and callers that hold a label.
 *
 * @param reader a person, whose own callers and agents the answer names
 * @throws AppError `not_found` for a label that is neither defined nor held; `config_unavailable`
 */
export async function listHolders(
  label: string,
  reader: Actor,
  now = new Date(),
): Promise<{ readonly items: HeldLabelRow[]; readonly more: boolean }> {
  const held = await latestHeld({ label }, [{ at: "desc" }, { callId: "desc" }], reader, now);
  if (held.items.length === 0 && (await db().label.count({ where: { name: label } })) === 0)
    throw new AppError("not_found", "There is no such label.");
  return { ...held, items: held.items.map(({ label: _label, ...row }) => row) };
}

/**
 * The latest labels that an agent holds, with those of its sessions; or those of a session and its caller, and what the
 * session's calls raised. Leaves out labels without a definition: the former name of a renamed label is still held, for
 * an undo.
 *
 * @throws AppError `not_found` for an unknown agent or session; `config_unavailable`
 */
export async function listLabelsOf(
  { agent, session }: HolderQuery,
  reader: Actor,
  now = new Date(),
): Promise<LabelsOfHolder> {
  const label = { in: await labelNames() };
  if (agent !== undefined) {
    const holder = await holderOfAgent(agent);
    return { ...(await listHeld({ ...holder, label }, reader, now)), history: [] };
  }
  const id = session ?? "";
  const holder = await holderOfSession(id);
  const [held, history] = await Promise.all([
    listHeld({ ...holder, label }, reader, now),
    readLabelHistory(id, holder),
  ]);
  return { ...held, history };
}

/** The names of the stored labels. */
async function labelNames(): Promise<string[]> {
  const rows = await db().label.findMany({ select: { name: true } });
  return rows.map(({ name }) => name);
}

/** Whose labels are listed. Absent `session` or `label` = all of them. */
interface Holder {
  readonly issuer: string;
  readonly subject: string;
  readonly session?: { readonly in: string[] };
  readonly label?: { readonly in: string[] };
}

/** The latest labels of a holder. @throws AppError `config_unavailable` */
export async function listHeld(
  holder: Holder,
  reader: Actor,
  now: Date,
): Promise<{ readonly items: LabelOfHolder[]; readonly more: boolean }> {
  return latestHeld({ ...holder }, [{ at: "desc" }, { label: "asc" }, { session: "asc" }], reader, now);
}

async function latestHeld(
  where: Prisma.HeldLabelWhereInput,
  orderBy: Prisma.HeldLabelOrderByWithRelationInput[],
  reader: Actor,
  now: Date,
) {
  const unexpired = { ...where, OR: [{ until: null }, { until: { gt: now } }] };
  const rows = await db().heldLabel.findMany({ where: unexpired, orderBy, take: MAX_HOLDERS + 1 });
  const own = await ownHolders(reader, rows);
  const items = rows.slice(0, MAX_HOLDERS).map(({ session, at, until, lastAt, ...row }) => ({
    ...row,
    session: session === "" ? null : session,
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
    lastAt: lastAt.toISOString(),
    own: own(row),
  }));
  return { items, more: rows.length > MAX_HOLDERS };
}

type Caller = Pick<Holder, "issuer" | "subject">;

/** Tells which of these callers are the actor's own, so that another person must clear their labels. */
async function ownHolders(actor: Actor, callers: readonly Caller[]): Promise<(caller: Caller) => boolean> {
  if (callers.length === 0) return () => false;
  const keyOf = ({ issuer, subject }: Caller) => JSON.stringify([issuer, subject]);
  const asked = [];
  for (const { issuer, subject } of new Map(callers.map((caller) => [keyOf(caller), caller])).values()) {
    const agents = await agentsOf({ issuer, subject });
    for (const agent of agents.size === 0 ? [null] : agents) asked.push({ issuer, subject, agent });
  }
  const found = await ownCalls(actor, asked);
  const own = new Set(asked.filter((_caller, index) => found[index] !== null).map(keyOf));
  return (caller) => own.has(keyOf(caller));
}

/** The names of the agents that a caller acts as: by API keys, by a binding, or by connections and clients of ours. */
async function agentsOf({ issuer, subject }: Caller): Promise<ReadonlySet<string>> {
  if (issuer === OWN_ISSUER) return new Set([subject]);
  const { agents, issuers, signIn } = await currentSnapshot();
  const names = new Set<string>();
  for (const row of agents.values())
    if (row.issuer !== null && row.subject === subject && issuers.get(row.issuer)?.issuer === issuer)
      names.add(row.name);
  if (issuer !== publicOrigin() || signIn === null) return names;
  for (const { person, agent } of signIn.connections.values()) if (person === subject) names.add(agent);
  const client = signIn.clients.get(subject)?.agent ?? null;
  return client === null ? names : names.add(client);
}

async function holderOfSession(id: string) {
  const select = { issuer: true, subject: true } as const;
  const row = await db().agentSession.findUnique({ where: { id }, select });
  if (row === null) throw new AppError("not_found", "The session does not exist.");
  return { ...row, session: { in: ["", id] } };
}

/** The principal of an agent: a subject of our own issuer with API keys, a subject of its issuer with tokens. */
async function holderOfAgent(name: string) {
  const { agents, issuers } = await currentSnapshot();
  const agent = agents.get(name);
  if (agent === undefined) throw new AppError("not_found", "The agent does not exist.");
  const issuer = agent.issuer === null ? undefined : issuers.get(agent.issuer);
  if (issuer === undefined) return { issuer: OWN_ISSUER, subject: name };
  return { issuer: issuer.issuer, subject: agent.subject ?? name };
}

/**
 * Takes a label from one run or caller, and records the reason in the audit trail.
 *
 * @throws AppError `forbidden` for the actor's own calls and agents; `not_found` when nobody holds the label so; `stale` when
 * a call raised it after `lastAt`
 */
export async function clearLabel(
  { actor, requestId }: { readonly actor: Actor; readonly requestId: string },
  label: string,
  { issuer, subject, session, lastAt, reason }: ClearLabelInput,
): Promise<void> {
  const isOwn = await ownHolders(actor, [{ issuer, subject }]);
  if (isOwn({ issuer, subject }))
    throw new AppError("forbidden", "This is your own caller or agent. Another person must clear its labels.");
  await db().$transaction(async (tx) => {
    const where = { issuer, subject, session: session ?? "", label };
    // A raise that commits meanwhile changes the row, and Postgres tests the condition again.
    const { count } = await tx.heldLabel.deleteMany({ where: lastAt === undefined ? where : { ...where, lastAt } });
    if (count === 0 && (await tx.heldLabel.count({ where })) > 0)
      throw new AppError("stale", "Another call raised the label since then. Look at it, and clear the label again.");
    if (count === 0) throw new AppError("not_found", "This caller or session no longer holds the label.");
    const detail = `${subject} (${issuer})${session === null ? "" : `, session ${session}`}: ${reason}`;
    const owner = { issuer, subject, session };
    await recordAuditEvent({ actor, action: "labels.cleared", target: label, requestId, detail, owner }, tx);
  });
}
