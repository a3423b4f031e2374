import type { JsonObject } from "@/lib/access/model/configuration";
import type { Step } from "@/lib/config/diff";
import { UNPLANNED_KINDS } from "@/lib/resources/kinds";
import { currentRevision } from "@/lib/store/snapshot/load";
import { inTurns } from "@/lib/store/db/in-turns";
import { readInParts } from "@/lib/store/db/read-in-parts";
import { modelOf, tables, toStored, type Connection } from "@/lib/store/config/tables";
import { readUpstreamDefinitions } from "@/lib/store/sources/upstream-definitions";
import type { Kind, Stored as StoredRow } from "@/lib/store/config/values";

/** Rows of a kind that are read one by one. Beyond, one read of the whole kind is faster. */
const MAX_SINGLE = 50;

/** Changes per statement. The client converts each answer in one blocking step, and rows may be large. */
const PART = 100;

/** A value that a row had before a change. */
interface FormerValue {
  readonly rowId: string;
  readonly before: object;
}

/**
 * The stored rows as one transaction sees them. Reads a kind at its first use and keeps it until the transaction ends.
 * Contains rows that do not parse, so that people can repair or delete them.
 */
export class Stored {
  readonly #connection: Connection;
  readonly #tables = new Map<Kind, Promise<ReadonlyMap<string, StoredRow<Kind>>>>();
  readonly #singles = new Map<Kind, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get<K extends Kind>(kind: K, id: string): Promise<StoredRow<K> | null> {
    const singles = this.#singles.get(kind) ?? 0;
    if (singles >= MAX_SINGLE || this.#tables.has(kind)) return (await this.all(kind)).get(id) ?? null;
    this.#singles.set(kind, singles + 1);
    const record = await modelOf(this.#connection, kind).findUnique({ where: { [tables[kind].id]: id } });
    return record === null ? null : toStored(kind, record);
  }

  /** Every row of a kind by id, in order of id. */
  async all<K extends Kind>(kind: K): Promise<ReadonlyMap<string, StoredRow<K>>> {
    const loading = this.#tables.get(kind) ?? this.#load(kind);
    this.#tables.set(kind, loading);
    return loading as Promise<ReadonlyMap<string, unknown>> as Promise<ReadonlyMap<string, StoredRow<K>>>;
  }

  /** The ids of the rows that match a database condition, in order. */
  async matching(kind: Kind, where: object): Promise<string[]> {
    const { id } = tables[kind];
    const records = await modelOf(this.#connection, kind).findMany({
      where,
      select: { [id]: true },
      orderBy: { [id]: "asc" },
    });
    return records.map((record) => String(record[id]));
  }

  /** The saved changes of these kinds in revisions after `after` up to `upTo`, oldest first. In parts: there may be many. */
  async *changes(after: number, upTo: number, resource: { in: string[] } | { notIn: string[] }): AsyncGenerator<Step> {
    // Writers take turns, so the ids grow with the revisions.
    for (let last = { revision: after + 1, id: 0n }; ;) {
      const part = await this.#connection.change.findMany({
        where: { revision: { gte: last.revision, lte: upTo }, id: { gt: last.id }, resource },
        orderBy: [{ revision: "asc" }, { id: "asc" }],
        select: { id: true, revision: true, resource: true, rowId: true, before: true, after: true },
        take: PART,
      });
      yield* part;
      last = part.at(-1) ?? last;
      if (part.length < PART) return;
    }
  }

  /** The values that the rows of these ids had before each of their changes, newest first. In parts, as `changes`. */
  async *formerValues(resource: Kind, ids: readonly string[]): AsyncGenerator<FormerValue> {
    for (let last: bigint | null = null; ;) {
      const part: { id: bigint; rowId: string; before: unknown }[] = await this.#connection.change.findMany({
        where: { resource, rowId: { in: [...ids] }, ...(last !== null && { id: { lt: last } }) },
        orderBy: { id: "desc" },
        select: { id: true, rowId: true, before: true },
        take: PART,
      });
      for await (const { rowId, before } of inTurns(part))
        if (before !== null) yield { rowId, before: before as object };
      last = part.at(-1)?.id ?? last;
      if (part.length < PART) return;
    }
  }

  /** Whether a plan of revision `based` may be outdated at revision `present`. */
  async isChangedSince(based: number, present: number): Promise<boolean> {
    if (based === present) return false;
    // A restored backup may have a lower revision.
    if (based > present) return true;
    const where = { revision: { gt: based }, resource: { notIn: [...UNPLANNED_KINDS] } };
    return (await this.#connection.change.findFirst({ where, select: { id: true } })) !== null;
  }

  /** The sources' own definitions of these tools at the last accepted import, by tool id. */
  async upstreamDefinitions(ids: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
    return readUpstreamDefinitions(ids, this.#connection);
  }

  /** The present revision; 0 in an empty database. */
  async revision(): Promise<number> {
    return currentRevision(this.#connection);
  }

  async #load(kind: Kind): Promise<ReadonlyMap<string, StoredRow<Kind>>> {
    return readInParts(this.#connection, kind);
  }
}
