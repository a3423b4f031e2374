import { AppError } from "@/lib/errors";
import { auditRow, type AuditQuery, type AuditRow } from "@/lib/contracts/log/audit-trail";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import { MAX_COUNTED, toTotal, type Page } from "@/lib/contracts/changes/list";
import type { Role } from "@/lib/resources/permissions";
import { AUDIT_ACTIONS } from "@/lib/contracts/log/audit-actions";
import { rowsOf } from "@/lib/store/db/database";
import { fromCursor, isTime, toCursor } from "@/lib/store/db/keyset";
import { Prisma } from "@/lib/store/generated/client";

/** A row of either table. `part` and `number` order rows with the same time. */
interface Stored {
  readonly part: number;
  readonly number: string;
  readonly at: Date;
  readonly kind: string;
  readonly actor: string;
  readonly role: string;
  readonly action: string;
  readonly target: string;
  readonly detail: string | null;
  readonly address: string | null;
  readonly count: number;
  readonly requestId: string | null;
}

/** The position of a row in the list. */
type Position = readonly [at: string, part: number, number: string];

/** The two tables of the list. `part` orders rows of the same millisecond. */
const PARTS = { change: 0, event: 1 } as const;
type Part = keyof typeof PARTS;

const COLUMNS: Readonly<Record<Part, Prisma.Sql>> = {
  event: Prisma.sql`SELECT 1 AS part, id, at, kind, actor, role, action, target, detail, address, count, "requestId" FROM audit_event`,
  change: Prisma.sql`SELECT 0 AS part, id, at, kind, actor, role, action, "rowId" AS target, resource AS detail,
    NULL AS address, 1 AS count, NULL AS "requestId" FROM change`,
};
const TABLES: Readonly<Record<Part, Prisma.Sql>> = {
  event: Prisma.sql`SELECT 1 FROM audit_event`,
  change: Prisma.sql`SELECT 1 FROM change`,
};

const ACTIONS = Object.keys(AUDIT_ACTIONS);
const REFUSALS = ACTIONS.filter(isRefusal);
const EVENTS = ACTIONS.filter((action) => !isRefusal(action));

/**
 * Lists audit events and configuration changes by time. Leaves out changes that the role may not read.
 *
 * @throws AppError `invalid_request` for a cursor that this list did not issue
 */
export async function listAuditTrail(query: AuditQuery, reader: Role): Promise<Page<AuditRow>> {
  const after = query.cursor === undefined ? null : readPosition(query.cursor);
  const isAscending = query.sort === "at";
  const parts = partsOf(query.kind);
  const order = isAscending ? Prisma.sql`ORDER BY at, id` : Prisma.sql`ORDER BY at DESC, id DESC`;
  const take = query.limit + 1;
  const reads = parts.map((part) => {
    const conditions = [
      ...conditionsOf(part, query, reader),
      ...(after === null ? [] : [conditionAfter(part, after, isAscending)]),
    ];
    return Prisma.sql`(${COLUMNS[part]} ${where(conditions)} ${order} LIMIT ${take})`;
  });
  const counts = parts.map((part) => {
    const conditions = conditionsOf(part, query, reader);
    // A count with a condition needs the order: without it, Postgres may scan the whole table instead of an index.
    const by = conditions.length === 0 ? Prisma.empty : order;
    return Prisma.sql`(${TABLES[part]} ${where(conditions)} ${by} LIMIT ${MAX_COUNTED + 1})`;
  });
  const all = isAscending ? Prisma.sql`ORDER BY at, part, id` : Prisma.sql`ORDER BY at DESC, part DESC, id DESC`;
  const union = Prisma.sql` UNION ALL `;
  const [rows, counted] = await Promise.all([
    rowsOf<Stored>(
      Prisma.sql`SELECT id::text AS number, * FROM (${Prisma.join(reads, union.sql)}) entries ${all} LIMIT ${take}`,
    ),
    rowsOf<{ counted: number }>(
      Prisma.sql`SELECT count(*)::int AS counted FROM (${Prisma.join(counts, union.sql)}) entries`,
    ),
  ]);
  const shown = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(toRow),
    nextCursor: last === undefined ? null : toCursor([last.at.toISOString(), last.part, last.number]),
    ...toTotal(counted[0]?.counted ?? 0),
  };
}

/** One entry. @throws AppError `not_found`, also for a change that the role may not read */
export async function getAuditEntry(id: string, reader: Role): Promise<AuditRow> {
  const [, part, number] = /^(event|change)-(\d{1,18})$/.exec(id) ?? [];
  if (part === undefined || number === undefined) throw noSuchEntry();
  const conditions = [Prisma.sql`id = ${number}::bigint`, ...(part === "change" ? visible(reader) : [])];
  const [row] = await rowsOf<Stored>(
    Prisma.sql`SELECT id::text AS number, * FROM (${COLUMNS[part as Part]} ${where(conditions)}) entry`,
  );
  if (row === undefined) throw noSuchEntry();
  return toRow(row);
}

function partsOf(kind: AuditQuery["kind"]): readonly Part[] {
  if (kind === undefined) return ["change", "event"];
  return [kind === "change" ? "change" : "event"];
}

function conditionsOf(part: Part, query: AuditQuery, reader: Role): Prisma.Sql[] {
  const { q = "", from, to, kind, action, actor, target } = query;
  const targetColumn = part === "change" ? Prisma.sql`"rowId"` : Prisma.sql`target`;
  const searched = q.trim();
  return [
    ...(part === "change" ? visible(reader) : []),
    ...(part === "event" && kind !== undefined
      ? [Prisma.sql`action = ANY(${kind === "refusal" ? REFUSALS : EVENTS}::text[])`]
      : []),
    ...(from === undefined ? [] : [Prisma.sql`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [Prisma.sql`at < ${to}::timestamptz`]),
    ...(action === undefined ? [] : [Prisma.sql`action = ${action}`]),
    ...(actor === undefined ? [] : [Prisma.sql`actor = ${actor}`]),
    ...(target === undefined ? [] : [Prisma.sql`${targetColumn} = ${target}`]),
    ...(searched === "" ? [] : [Prisma.sql`(actor = ${searched} OR ${targetColumn} = ${searched})`]),
  ];
}

function visible(reader: Role): Prisma.Sql[] {
  const hidden = hiddenFrom(reader);
  return hidden.length === 0 ? [] : [Prisma.sql`resource <> ALL(${hidden}::text[])`];
}

/** The condition for rows after a position of the list, in one of its tables. */
function conditionAfter(part: Part, [at, atPart, number]: Position, isAscending: boolean): Prisma.Sql {
  const [own, other] = [PARTS[part], atPart];
  const time = Prisma.sql`${at}::timestamptz`;
  const sign = Prisma.raw(isAscending ? ">" : "<");
  if (own === other) return Prisma.sql`(at, id) ${sign} (${time}, ${number}::bigint)`;
  const follows = isAscending ? own > other : own < other;
  return follows ? Prisma.sql`at ${sign}= ${time}` : Prisma.sql`at ${sign} ${time}`;
}

function where(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join([...conditions], " AND ")}`;
}

function toRow({ part, number, at, kind, actor, role, ...row }: Stored): AuditRow {
  const isChange = part === PARTS.change;
  return auditRow.parse({
    ...row,
    id: `${isChange ? "change" : "event"}-${number}`,
    at: at.toISOString(),
    kind: isChange ? "change" : isRefusal(row.action) ? "refusal" : "event",
    actor: { kind, name: actor, role },
    change: isChange ? number : null,
  });
}

function isRefusal(action: string): boolean {
  return action.startsWith("refused.");
}

function readPosition(cursor: string): Position {
  const [at, part, number] = fromCursor(cursor);
  if (isTime(at) && (part === 0 || part === 1) && typeof number === "string" && /^\d{1,18}$/.test(number))
    return [at, part, number];
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "not a cursor of this list" }],
  });
}

function noSuchEntry(): AppError {
  return new AppError("not_found", "There is no such entry in the audit trail.");
}
