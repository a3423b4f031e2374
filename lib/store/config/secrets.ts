import { mentionsOf } from "@/lib/config/references";
import { AppError } from "@/lib/errors";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import type { SecretInput, SecretRow } from "@/lib/resources/secret";
import { open, seal } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import { element } from "@/lib/store/db/filters";
import { noteUse } from "@/lib/store/keys/last-used";
import { readPage } from "@/lib/store/db/page";
import type { Connection, Model } from "@/lib/store/config/tables";
import { write, writeAndRead, type Actor } from "@/lib/store/save/write";

type SecretRecord = NonNullable<Awaited<ReturnType<ReturnType<typeof db>["secret"]["findUnique"]>>>;

/**
 * Lists secrets and the sources that use each, without values; by name unless `sort` says otherwise. Filter: `origin`.
 *
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor; `config_unavailable`
 */
export async function listSecrets(query: ListQuery): Promise<Page<SecretRow>> {
  const listing = {
    of: "secrets",
    id: "name",
    search: ["name"],
    sort: { name: "text", setAt: "time" },
    filters: { origin: element("origins") },
  } as const;
  const page = await readPage(db().secret as unknown as Model, listing, query);
  return { ...page, items: await toRows(page.items as unknown as SecretRecord[]) };
}

/** One secret, without its value. @throws AppError `not_found`, `config_unavailable` */
export async function getSecret(name: string, connection: Connection = db()): Promise<SecretRow> {
  const stored = await connection.secret.findUnique({ where: { name } });
  const [row] = stored === null ? [] : await toRows([stored], connection);
  if (row === undefined) throw new AppError("not_found", `There is no secret \`${name}\`.`);
  return row;
}

async function toRows(stored: readonly SecretRecord[], connection: Connection = db()): Promise<SecretRow[]> {
  const sources = await connection.source.findMany({ orderBy: { name: "asc" } });
  const uses = sources.flatMap((source) =>
    mentionsOf("sources", source).map(({ name }) => ({ name, source: source.name })),
  );
  return stored.map(({ name, origins, setAt, lastUsedAt, revision, ciphertext }) => ({
    name,
    origins,
    usedBy: uses.flatMap((use) => (use.name === name ? [use.source] : [])),
    setAt: setAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revision,
    readable: open("secret", ciphertext, name) !== null,
  }));
}

/**
 * Creates or changes a secret. The change row holds `setAt` and the origins, never the value. Without a value, the stored one
 * stays.
 *
 * @param ifMatch the revision that the change is based on; 0 = the secret must be new; absent = any
 * @throws AppError `invalid_request` for a new secret without a value; `conflict`, `stale`, `not_found`, `forbidden`
 */
export async function setSecret(
  actor: Actor,
  name: string,
  { value, origins }: SecretInput,
  { ifMatch, now = new Date() }: { readonly ifMatch?: number | undefined; readonly now?: Date } = {},
): Promise<SecretRow> {
  return writeAndRead(
    actor,
    async (stored) => {
      const before = await stored.get("secrets", name);
      const secret = value === undefined ? {} : { ciphertext: seal("secret", value, name) };
      const setAt = value === undefined && before !== null ? before.setAt : now.toISOString();
      const after = { name, origins: [...new Set(origins)], setAt };
      if (ifMatch !== undefined && ifMatch !== 0) requireFresh(name, before, ifMatch);
      if (before !== null && ifMatch !== 0) return [{ resource: "secrets", action: "update", id: name, after, secret }];
      if (value === undefined && before === null)
        throw new AppError("invalid_request", `There is no secret \`${name}\` yet: set its value.`, {
          errors: [{ path: "value", message: "set the value of a new secret" }],
        });
      return [{ resource: "secrets", action: "create", after, secret }];
    },
    (tx) => getSecret(name, tx),
    { now },
  );
}

/** @throws AppError `not_found`, or `stale` with the current row */
function requireFresh(name: string, before: { readonly revision: number } | null, ifMatch: number): void {
  if (before === null) throw new AppError("not_found", `There is no secret \`${name}\`.`);
  if (before.revision === ifMatch) return;
  const message = `The secret \`${name}\` has changed since. Open it again to see its origins.`;
  throw new AppError("stale", message, { extra: { current: before } });
}

/** Deletes a secret. @throws AppError `not_found`; `in_use` naming the sources that use it; `forbidden` */
export async function deleteSecret(actor: Actor, name: string): Promise<void> {
  await write(actor, () => [{ resource: "secrets", action: "delete", id: name }]);
}

/** The value of a secret, and where calls may send it. */
export interface UsableSecret {
  readonly value: string;
  /** The only origins that may receive the value. */
  readonly origins: readonly string[];
}

/**
 * Reads a secret for a call, and records the use. Never cached: no call may use a value that was changed or deleted.
 *
 * @throws AppError `upstream_auth_failed` when it does not exist or no configured master key decrypts it
 */
export async function readSecretValue(name: string): Promise<UsableSecret> {
  const row = await db().secret.findUnique({ where: { name } });
  if (row === null) throw new AppError("upstream_auth_failed", `There is no secret \`${name}\`.`);
  const value = open("secret", row.ciphertext, name);
  if (value === null)
    throw new AppError(
      "upstream_auth_failed",
      `The secret \`${name}\` cannot be read with this master key: set it again.`,
    );
  noteUse(`secret:${name}`, (at) => db().secret.updateMany({ where: { name }, data: { lastUsedAt: at } }));
  return { value, origins: row.origins };
}
