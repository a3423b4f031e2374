import type { Prisma } from "@/lib/store/generated/client";
import { modelOf, tables, toStored } from "@/lib/store/config/tables";
import type { Kind, Stored } from "@/lib/store/config/values";

interface KnownRow {
  /** The transaction that wrote the row (Postgres's `xmin`). It differs after every change of the row. */
  readonly writer: string;
  readonly row: Stored<Kind>;
}

/** The last reading of a kind. */
interface Reading {
  /** From `digestsOf`: an equal digest means unchanged rows. */
  readonly digest: string;
  readonly known: ReadonlyMap<string, KnownRow>;
  readonly rows: ReadonlyMap<string, Stored<Kind>>;
}

/** Ids per statement. The client converts each answer in one blocking step. */
const CHUNK = 100;

/**
 * Caches rows between readings and fetches only rows written since, so that a change of one policy does not read ten
 * thousand tools. Unchanged rows keep their objects; an unchanged kind keeps its map.
 */
export class KnownRows {
  readonly #kinds = new Map<Kind, Reading>();

  /** Every row of these kinds by id, as the transaction sees them. */
  async read<K extends Kind>(
    tx: Prisma.TransactionClient,
    kinds: readonly K[],
  ): Promise<Readonly<Record<K, ReadonlyMap<string, Stored<Kind>>>>> {
    const digests = await digestsOf(tx, kinds);
    const read: Partial<Record<K, ReadonlyMap<string, Stored<Kind>>>> = {};
    for (const kind of kinds) {
      const digest = digests.get(kind);
      if (digest === undefined) throw new Error(`No digest of the rows of ${kind}.`);
      const last = this.#kinds.get(kind);
      const reading =
        last?.digest === digest ? last : { digest, ...(await readChanges(tx, kind, last?.known ?? new Map())) };
      this.#kinds.set(kind, reading);
      read[kind] = reading.rows;
    }
    return read as Record<K, ReadonlyMap<string, Stored<Kind>>>;
  }
}

async function readChanges(
  tx: Prisma.TransactionClient,
  kind: Kind,
  before: ReadonlyMap<string, KnownRow>,
): Promise<Pick<Reading, "known" | "rows">> {
  const { table, id: key } = tables[kind];
  const writers = await tx.$queryRawUnsafe<{ id: string; writer: string }[]>(
    `select "${key}" as id, xmin::text as writer from "${table}" order by 1`,
  );
  const missing = writers.filter(({ id, writer }) => before.get(id)?.writer !== writer).map(({ id }) => id);
  const fetched = await fetchRows(tx, kind, missing);
  const known = new Map<string, KnownRow>();
  for (const { id, writer } of writers) {
    const row = fetched.get(id) ?? before.get(id)?.row;
    if (row !== undefined) known.set(id, { writer, row });
  }
  return { known, rows: new Map([...known].map(([id, { row }]) => [id, row])) };
}

/** A digest per kind that changes whenever a row is written or deleted: the sum of 64-bit hashes of id and writer. */
async function digestsOf(tx: Prisma.TransactionClient, kinds: readonly Kind[]): Promise<ReadonlyMap<Kind, string>> {
  const each = kinds.map((kind) => {
    const { table, id: key } = tables[kind];
    return `select '${kind}' as kind,
      count(*) || ' ' || coalesce(sum(hashtextextended("${key}" || ' ' || xmin::text, 0)), 0) as digest from "${table}"`;
  });
  const rows = await tx.$queryRawUnsafe<{ kind: Kind; digest: string }[]>(each.join("\nunion all\n"));
  return new Map(rows.map(({ kind, digest }) => [kind, digest]));
}

async function fetchRows(tx: Prisma.TransactionClient, kind: Kind, ids: string[]): Promise<Map<string, Stored<Kind>>> {
  const { id: key } = tables[kind];
  const rows = new Map<string, Stored<Kind>>();
  for (let start = 0; start < ids.length; start += CHUNK) {
    const records = await modelOf(tx, kind).findMany({ where: { [key]: { in: ids.slice(start, start + CHUNK) } } });
    for (const record of records) rows.set(String(record[key]), toStored(kind, record));
  }
  return rows;
}
