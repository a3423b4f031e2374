import type { Index } from "@/lib/access/compile/compile";
import { routeTier } from "@/lib/access/decide/routing";
import { AppError } from "@/lib/errors";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import type { SessionDetail, SessionRow } from "@/lib/contracts/log/session";
import { ROUTING_MODES } from "@/lib/resources/parts/words";
import type { Snapshot } from "@/lib/store/snapshot/build";
import { db } from "@/lib/store/db/database";
import { flag, text, type Filter } from "@/lib/store/db/filters";
import { readPage } from "@/lib/store/db/page";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import type { Model } from "@/lib/store/config/tables";

/** Texts that the agent sent: long, and hidden from some roles. */
const BODIES = { question: true, history: true, metadata: true } as const;

type Whole = NonNullable<Awaited<ReturnType<ReturnType<typeof db>["agentSession"]["findUnique"]>>>;
type Stored = Omit<Whole, keyof typeof BODIES>;

/**
 * Lists the sessions of all agents, by last use unless `sort` says otherwise.
 *
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor; `config_unavailable`
 */
export async function listSessions(query: ListQuery, now: Date): Promise<Page<SessionRow>> {
  const snapshot = await currentSnapshot();
  const sessions = db().agentSession as unknown as Model;
  const model = {
    findMany: (args: object) => sessions.findMany({ ...args, omit: BODIES }),
    count: (args: object) => sessions.count(args),
  };
  const listing = {
    of: "sessions",
    id: "id",
    search: ["id", "subject", "agent"],
    sort: { lastUsedAt: "time", createdAt: "time", expiresAt: "time", calls: "number" },
    filters: {
      agent: text("agent"),
      issuer: text("issuer"),
      subject: text("subject"),
      state: text("state"),
      escalated: flag("escalated"),
      mode: modeFilter(snapshot.index),
      live: liveFilter(now),
    },
  } as const;
  const page = await readPage(model, listing, { ...query, sort: query.sort ?? "-lastUsedAt" });
  return { ...page, items: page.items.map((row) => toRow(row as unknown as Stored, snapshot, now)) };
}

/**
 * One session of any agent, with the texts that the agent sent only if `bodies` is set.
 *
 * @throws AppError `not_found`, `config_unavailable`
 */
export async function getSession(
  id: string,
  { bodies, now }: { readonly bodies: boolean; readonly now: Date },
): Promise<SessionDetail> {
  const row = await db().agentSession.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", "The session does not exist.");
  const snapshot = await currentSnapshot();
  const { groups } = routeTier(snapshot.index.intents, snapshot.settings.routing, row);
  return {
    ...toRow(row, snapshot, now),
    tier: groups === null ? null : [...groups],
    question: bodies ? row.question : null,
    history: bodies ? (row.history as SessionDetail["history"]) : null,
    metadata: bodies ? (row.metadata as SessionDetail["metadata"]) : null,
    bodiesHidden: !bodies,
  };
}

function toRow(row: Stored, { index, agents, settings }: Snapshot, now: Date): SessionRow {
  return {
    id: row.id,
    issuer: row.issuer,
    subject: row.subject,
    agent: row.agent,
    group: row.group as string[],
    state: row.state,
    machine: row.machine ?? agents.get(row.agent ?? "")?.machine ?? null,
    profile: row.profile,
    intent: row.intent,
    confidence: row.confidence,
    escalated: row.escalated,
    mode: routeTier(index.intents, settings.routing, row).mode,
    calls: row.calls,
    live: row.expiresAt > now,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

function liveFilter(now: Date): Filter {
  return (value) =>
    value === "true" || value === "false"
      ? { expiresAt: value === "true" ? { gt: now } : { lte: now } }
      : "use true or false";
}

/**
 * Filters by mode, which is no column: it follows from the intents and thresholds in force. Asks the router once for
 * each intent at the lower end of each confidence band; its answer holds for the whole band.
 */
function modeFilter({ intents, config }: Index): Filter {
  const { routing } = config.settings;
  const bands = [
    { foot: 0, within: [{ confidence: null }, { confidence: { lt: routing.medium } }] },
    { foot: routing.medium, within: [{ confidence: { gte: routing.medium, lt: routing.high } }] },
    { foot: routing.high, within: [{ confidence: { gte: routing.high } }] },
  ];
  return (value) => {
    if (!ROUTING_MODES.some((mode) => mode === value)) return `use one of ${ROUTING_MODES.join(", ")}`;
    const routed = [...intents.keys()].flatMap((intent) =>
      bands
        .filter(
          ({ foot }) => routeTier(intents, routing, { intent, confidence: foot, escalated: false }).mode === value,
        )
        .map(({ within }) => ({ intent, escalated: false, OR: within })),
    );
    const unrouted = [{ intent: null }, { intent: { notIn: [...intents.keys()] } }, { escalated: true }];
    return { OR: value === "full" ? [...routed, ...unrouted] : routed };
  };
}
