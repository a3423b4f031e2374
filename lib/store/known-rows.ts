import type { Prisma } from "@/lib/store/generated/client";
import { modelOf, tableOf, toStored, type Kind, type Stored } from "@/lib/store/tables";

/** Rows from which on the database is first asked whether any has changed: to compare thousands here takes its time. */
const MANY = 500;

interface Known {
  /** The transaction that wrote the row (Postgres' `xmin`): another one for every change, whoever made it. */
  readonly writer: string;
  readonly row: Stored<Kind>;
}

/** Ids that one statement asks for: what the client makes of one answer is made in one piece. */
const CHUNK = 100;

/**
 * Rows read before: reading a kind again fetches only what was written since, so that a change of one
 * policy does not read ten thousand tools. Unchanged rows stay the same objects.
 */
export class KnownRows {
  readonly #kinds = new Map<Kind, ReadonlyMap<string, Known>>();
  /** What was answered last of the kinds that have many rows, and the digest that it has. */
  readonly #many = new Map<Kind, { readonly digest: string; readonly rows: ReadonlyMap<string, Stored<Kind>> }>();

  /** Every row of a kind by id, as the transaction sees them; the same map while none has changed, where there are many. */
  async read(tx: Prisma.TransactionClient, kind: Kind): Promise<ReadonlyMap<string, Stored<Kind>>> {
    if ((this.#kinds.get(kind)?.size ?? 0) < MANY) return this.#compare(tx, kind);
    const digest = await digestOf(tx, kind);
    const last = this.#many.get(kind);
    if (last?.digest === digest) return last.rows;
    const rows = await this.#compare(tx, kind);
    this.#many.set(kind, { digest, rows });
    return rows;
  }

  async #compare(tx: Prisma.TransactionClient, kind: Kind): Promise<ReadonlyMap<string, Stored<Kind>>> {
    const { table, id: key } = tableOf(kind);
    const writers = await tx.$queryRawUnsafe<{ id: string; writer: string }[]>(
      `select "${key}" as id, xmin::text as writer from "${table}" order by 1`,
    );
    const known = this.#kinds.get(kind) ?? new Map<string, Known>();
    const missing = writers.filter(({ id, writer }) => known.get(id)?.writer !== writer).map(({ id }) => id);
    const fetched = await fetch(tx, kind, missing);
    const rows = new Map<string, Known>();
    for (const { id, writer } of writers) {
      const row = fetched.get(id) ?? known.get(id)?.row;
      if (row !== undefined) rows.set(id, { writer, row });
    }
    this.#kinds.set(kind, rows);
    return new Map([...rows].map(([id, { row }]) => [id, row]));
  }
}

/** Another one whenever a row of the kind was written, made or deleted: the sum of a 64-bit hash of each id and writer. */
async function digestOf(tx: Prisma.TransactionClient, kind: Kind): Promise<string> {
  const { table, id: key } = tableOf(kind);
  const [row] = await tx.$queryRawUnsafe<{ digest: string }[]>(
    `select count(*) || ' ' || coalesce(sum(hashtextextended("${key}" || ' ' || xmin::text, 0)), 0) as digest from "${table}"`,
  );
  if (row === undefined) throw new Error(`No digest of the rows of ${kind}.`);
  return row.digest;
}

async function fetch(tx: Prisma.TransactionClient, kind: Kind, ids: string[]): Promise<Map<string, Stored<Kind>>> {
  const { id: key } = tableOf(kind);
  const rows = new Map<string, Stored<Kind>>();
  for (let start = 0; start < ids.length; start += CHUNK) {
    const records = await modelOf(tx, kind).findMany({ where: { [key]: { in: ids.slice(start, start + CHUNK) } } });
    for (const record of records) rows.set(String(record[key]), toStored(kind, record));
  }
  return rows;
}
