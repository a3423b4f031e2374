import type { LinkedAccountRow } from "@/lib/contracts/people/linked-account";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import type { Model } from "@/lib/store/config/tables";
import { db } from "@/lib/store/db/database";
import { text } from "@/lib/store/db/filters";
import { readPage } from "@/lib/store/db/page";

// Linked accounts as people read them: never a token.

/**
 * Lists linked accounts without tokens, the latest first. Filters: `source`, `person` (a name).
 *
 * @param reader the person who reads; `null` = a token
 * @param all whether the reader sees the accounts of other people
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor; `config_unavailable`
 */
export async function listLinks(
  query: ListQuery,
  reader: string | null,
  all: boolean,
): Promise<Page<LinkedAccountRow>> {
  const { person, ...rest } = query as ListQuery & { readonly person?: unknown };
  const whose = person === undefined ? null : await idsOf([person].flat().map(String));
  const within = {
    endedAt: null,
    ...(!all && { personId: reader ?? NOBODY }),
    ...(whose !== null && { AND: [{ personId: { in: whose } }] }),
  };
  const page = await readPage(db().linkedAccount as unknown as Model, LISTING, rest as ListQuery, within);
  return { ...page, items: await toRows(page.items as unknown as Stored[], reader) };
}

const LISTING = {
  of: "linked accounts",
  id: "id",
  search: ["source", "origin", "issuer"],
  sort: { linkedAt: "time", source: "text" },
  filters: { source: text("source") },
} as const;

/** Nobody has this id. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

async function idsOf(names: readonly string[]): Promise<string[]> {
  const where = { name: { in: [...names] } };
  return (await db().user.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** A person's linked account without its tokens. */
export async function readLink(personId: string, source: string): Promise<LinkedAccountRow | null> {
  const where = { personId, source, endedAt: null };
  const stored = await db().linkedAccount.findFirst({ where });
  const [row] = stored === null ? [] : await toRows([stored], personId);
  return row ?? null;
}

type Stored = NonNullable<Awaited<ReturnType<ReturnType<typeof db>["linkedAccount"]["findFirst"]>>>;

async function toRows(stored: readonly Stored[], reader: string | null): Promise<LinkedAccountRow[]> {
  const ids = [...new Set(stored.map(({ personId }) => personId))];
  const people = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return stored.map(({ personId, grant, linkedAt, refreshedAt, refreshFailedAt, lastUsedAt, ...row }) => ({
    id: row.id,
    source: row.source,
    person: names.get(personId) ?? null,
    own: personId === reader,
    origin: row.origin,
    issuer: row.issuer,
    scope: row.scope,
    wantedScope: row.wantedScope,
    state: grant === null ? "sign_in_again" : "linked",
    linkedAt: linkedAt.toISOString(),
    refreshedAt: refreshedAt?.toISOString() ?? null,
    refreshFailedAt: refreshFailedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** The id of the person of a name; `null` = there is none. */
export async function findPersonId(name: string): Promise<string | null> {
  return (await idsOf([name]))[0] ?? null;
}

/** Linked accounts of a source by their state. */
interface LinkCount {
  readonly source: string;
  readonly state: LinkedAccountRow["state"];
  readonly accounts: number;
  /** How many have a refresh that failed and has not worked since. */
  readonly failing: number;
}

/** Counts the linked accounts of each source. */
export async function countLinks(): Promise<readonly LinkCount[]> {
  return db().$queryRaw<LinkCount[]>`
    SELECT source, CASE WHEN "grant" IS NULL THEN 'sign_in_again' ELSE 'linked' END AS state, count(*)::int AS accounts,
      count("refreshFailedAt")::int AS failing
    FROM linked_account WHERE "endedAt" IS NULL GROUP BY 1, 2 ORDER BY 1, 2`;
}
