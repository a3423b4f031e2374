import { DRIFT_KINDS, SEVERITIES } from "@/lib/resources/parts/words";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import type { Change } from "@/lib/store/save/change";
import { bulkDb, db } from "@/lib/store/db/database";
import { text, word, type Filter } from "@/lib/store/db/filters";
import { readPage } from "@/lib/store/db/page";
import type { Stored as StoredRows } from "@/lib/store/save/stored";
import { modelOf, toStored } from "@/lib/store/config/tables";
import type { Stored } from "@/lib/store/config/values";

/** Rows since a time (ISO 8601 with offset). */
const since: Filter = (value) => {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? "use an ISO 8601 time" : { since: { gte: time } };
};

/** Rows that nobody has decided. */
const PENDING = { rejectedBy: null };

const decision: Filter = (value) => {
  if (value === "pending") return PENDING;
  return value === "rejected" ? { rejectedBy: { not: null } } : "use pending or rejected";
};

const LISTING = {
  of: "drift",
  id: "id",
  search: ["id"],
  sort: { since: "time", id: "text", source: "text" },
  filters: {
    source: text("source"),
    kind: word("kind", DRIFT_KINDS),
    severity: word("severity", SEVERITIES),
    decision,
    since,
  },
} as const;

/** A page of drift rows, newest first unless `sort` says otherwise. @throws AppError `invalid_request` */
export async function listDriftRows(query: ListQuery): Promise<Page<Stored<"drift">>> {
  const page = await readPage(modelOf(bulkDb(), "drift"), LISTING, { ...query, sort: query.sort ?? "-since" });
  return { ...page, items: page.items.map((record) => toStored("drift", record)) };
}

/** The number of tools that wait for review. */
export async function countPendingDrift(): Promise<number> {
  return db().drift.count({ where: PENDING });
}

/** The drift row of one tool, or `null`. */
export async function findDrift(id: string): Promise<Stored<"drift"> | null> {
  const record = await modelOf(bulkDb(), "drift").findUnique({ where: { id } });
  return record === null ? null : toStored("drift", record);
}

/** The drift rows of one source, by tool id. */
export async function driftOf(stored: StoredRows, source: string): Promise<ReadonlyMap<string, Stored<"drift">>> {
  return new Map([...(await stored.all("drift"))].filter(([, row]) => row.source === source));
}

/** Deletes the drift rows of tools and sources that the changes delete, because nobody can review them any more. */
export async function driftToDelete(stored: StoredRows, changes: readonly Change[]): Promise<Change[]> {
  const gone = (resource: Change["resource"]) =>
    new Set(
      changes.flatMap((change) => (change.resource === resource && change.action === "delete" ? [change.id] : [])),
    );
  const [tools, sources, decided] = [gone("tools"), gone("sources"), gone("drift")];
  if (tools.size === 0 && sources.size === 0) return [];
  return [...(await stored.all("drift")).values()]
    .filter(({ id, source }) => (tools.has(id) || sources.has(source)) && !decided.has(id))
    .map(({ id }): Change => ({ resource: "drift", action: "delete", id }));
}
