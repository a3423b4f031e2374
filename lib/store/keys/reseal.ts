import { currentPrefix, open, previousPrefixes, seal, type Purpose } from "@/lib/store/keys/cipher";
import { bulkDb } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";

const REQUESTED_SECRETS = "secrets in requests";

/** Every column that lib/store/keys/cipher.ts seals. Each value is bound to its row's id. */
const SEALED = [
  { what: "secrets", table: "secret", id: "name", column: "ciphertext", purpose: "secret" },
  { what: "claims in the log", table: "execution_claims", id: "digest", column: "ciphertext", purpose: "claims" },
  { what: "waiting jobs", table: "kept_call", id: "callId", column: "job", purpose: "calls" },
  { what: "stored answers", table: "kept_call", id: "callId", column: "answer", purpose: "calls" },
  { what: "webhooks", table: "webhook", id: "name", column: "ciphertext", purpose: "webhook" },
  { what: "webhooks that rotate", table: "webhook", id: "name", column: "previousCiphertext", purpose: "webhook" },
  { what: "OpenID sign-ins", table: "person", id: "id", column: "openIdGrant", purpose: "openid" },
  { what: "keys that sign tokens", table: "token_key", id: "id", column: "ciphertext", purpose: "token-key" },
  { what: "linked accounts", table: "linked_account", id: "id", column: "grant", purpose: "linked" },
  { what: "account links under way", table: "link_attempt", id: "id", column: "sealed", purpose: "linked" },
  { what: "clients at upstreams", table: "upstream_client", id: "id", column: "sealed", purpose: "linked" },
  { what: "requests", table: "request", id: "id", column: "body", purpose: "request" },
  { what: REQUESTED_SECRETS, table: "request", id: "id", column: "secrets", purpose: "request" },
  { what: "callbacks", table: "delivery", id: "id", column: "sealed", purpose: "callback" },
] as const satisfies readonly { what: string; table: string; id: string; column: string; purpose: Purpose }[];

/** The purpose under which a column of a table is sealed; `undefined` for any other column, such as a hash. */
export function purposeOf(table: string, column: string): Purpose | undefined {
  return SEALED.find((kind) => kind.table === table && kind.column === column)?.purpose;
}

/** The progress of one kind of sealed value. */
export interface Resealing {
  readonly what: string;
  /** Values that were under another key at the start. */
  readonly total: number;
  readonly done: number;
  /** Values that none of the given keys opens. They stay as they are. */
  readonly unreadable: number;
  /** Requests of an earlier version that hold a secret under an older key. They stay as they are, until they end. */
  readonly kept: number;
}

/**
 * Seals values of older master keys again under the present one. After an interruption, the next run continues with the
 * rest. A value that another process changes meanwhile keeps that change.
 *
 * @param batch rows per step
 * @yields the progress after each step, at least once per kind
 * @throws AppError `config_unavailable`
 */
export async function* reseal(batch = 500): AsyncGenerator<Resealing> {
  for (const kind of SEALED) {
    const { what, purpose } = kind;
    const [column, table] = [kind.column, kind.table].map((name) => Prisma.raw(`"${name}"`));
    const id = Prisma.raw(`"${kind.id}"::text`);
    const older = Prisma.sql`${column} is not null and not starts_with(${column}, ${currentPrefix()})`;
    const [counted] = await bulkDb().$queryRaw<
      { total: bigint }[]
    >`select count(*) as total from ${table} where ${older}`;
    const progress = { what, total: Number(counted?.total ?? 0), done: 0, unreadable: 0, kept: 0 };
    for (let after = ""; ;) {
      const rows = await bulkDb().$queryRaw<{ id: string; sealed: string }[]>`
        select ${id} as id, ${column} as sealed from ${table} where ${older} and ${id} > ${after}
        order by ${id} limit ${batch}`;
      for (const row of rows) {
        const text = open(purpose, row.sealed, row.id);
        if (text === null) progress.unreadable += 1;
        // Its hash covers the sealed secret within, so that nobody may seal that again before the approval.
        else if (what === REQUESTED_SECRETS && previousPrefixes().some((prefix) => text.includes(`"${prefix}`)))
          progress.kept += 1;
        else
          progress.done += await bulkDb().$executeRaw`
            update ${table} set ${column} = ${seal(purpose, text, row.id)}
            where ${id} = ${row.id} and ${column} = ${row.sealed}`;
      }
      yield { ...progress };
      after = rows.at(-1)?.id ?? after;
      if (rows.length < batch) break;
    }
  }
}

/** The number of sealed values of one kind by key. */
interface SealedCount {
  readonly what: string;
  /** Under the present MASTER_KEY. */
  readonly present: number;
  /** Under one of MASTER_KEY_PREVIOUS. */
  readonly older: number;
  /** Under an unknown key: nobody can read them. */
  readonly foreign: number;
}

/** Counts sealed values by key. @throws AppError `config_unavailable` */
export async function countSealed(): Promise<readonly SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const { what, table, column } of SEALED) {
    const [value, from] = [Prisma.raw(`"${column}"`), Prisma.raw(`"${table}"`)];
    const rows = await bulkDb().$queryRaw<{ prefix: string; count: number }[]>`
      select split_part(${value}, '.', 1) || '.' || split_part(${value}, '.', 2) || '.' as prefix, count(*)::int as count
      from ${from} where ${value} is not null group by 1`;
    const sum = (of: (prefix: string) => boolean) =>
      rows.filter(({ prefix }) => of(prefix)).reduce((total, { count }) => total + count, 0);
    const known = previousPrefixes();
    const [present, older] = [sum((prefix) => prefix === currentPrefix()), sum((prefix) => known.includes(prefix))];
    counts.push({ what, present, older, foreign: sum(() => true) - present - older });
  }
  return counts;
}
