import { createHash } from "node:crypto";
import { AppError } from "@/lib/errors";
import { isInForce, tokenKey, type RevocationInput, type RevocationRow } from "@/lib/contracts/people/revocation";
import { db } from "@/lib/store/db/database";
import type { Stored } from "@/lib/store/save/stored";
import type { RevocationValue } from "@/lib/store/config/values";
import { write, type Actor, type Change, type WriteOptions } from "@/lib/store/save/write";

/** The least milliseconds of a revocation that states no end. */
const DEFAULT_MS = 24 * 60 * 60 * 1000;

/** The name of a configured issuer, or the `iss` of our own authorization server, which has no row. */
type TokenIssuer = string | { readonly iss: string };

/** An issuer, and the milliseconds that none of its tokens outlives. */
interface Found {
  readonly iss: string;
  readonly maxTokenAgeMs: number;
}

/** The revoked tokens of an issuer, the latest first. @throws AppError `not_found` for an unknown issuer */
export async function listRevocations(of: TokenIssuer, now = new Date()): Promise<RevocationRow[]> {
  const row =
    typeof of === "string"
      ? await db().issuer.findUnique({ where: { name: of }, select: { issuer: true } })
      : { issuer: of.iss };
  if (row === null) throw noIssuer(String(of));
  const revoked = await db().revokedToken.findMany({
    where: { issuer: row.issuer },
    orderBy: [{ createdAt: "desc" }, { name: "asc" }],
  });
  return revoked
    .map(({ jti, until, by, reason, createdAt }) => ({
      jti,
      until: until.toISOString(),
      by,
      reason,
      since: createdAt.toISOString(),
    }))
    .filter(({ until }) => isInForce(until, now.getTime()));
}

/**
 * Revokes one token of an issuer from the next request on (docs/reference/promises.md#tokens). Applies to the issuer's
 * `iss`, even after its row changes. A second revocation never shortens the first. Deletes all expired revocations in
 * the same change, so that their number stays limited.
 *
 * @throws AppError `not_found` for an unknown issuer; `invalid_request` for a time that has passed; `forbidden`
 */
export async function revokeToken(
  actor: Actor,
  of: TokenIssuer,
  input: RevocationInput,
  now = new Date(),
  options: Pick<WriteOptions, "onSaved"> = {},
): Promise<RevocationRow> {
  if (input.until !== null && Date.parse(input.until) <= now.getTime())
    throw new AppError("invalid_request", "A revocation must end in the future.", {
      errors: [{ path: "until", message: "this time has passed: state when the token expires, or omit it" }],
    });
  await write(
    actor,
    async (stored) => {
      const { iss, maxTokenAgeMs } = await find(stored, of);
      const name = nameOf(iss, input.jti);
      // Compared as text with a stored one, so always of one form.
      const until = new Date(input.until ?? now.getTime() + Math.max(DEFAULT_MS, maxTokenAgeMs)).toISOString();
      const after = {
        name,
        issuer: iss,
        jti: input.jti,
        until,
        by: actor.name,
        reason: input.reason,
      };
      const rows = await stored.all("revocations");
      return [...longer(rows.get(name), after), ...overdue(rows, name, now)];
    },
    { now, ...options },
  );
  const row = (await listRevocations(of, now)).find(({ jti }) => jti === input.jti);
  if (row === undefined) throw new AppError("conflict", "The revocation was undone in the meantime.");
  return row;
}

type Rows = ReadonlyMap<string, RevocationValue>;

function longer(before: RevocationValue | undefined, after: RevocationValue): Change[] {
  if (before === undefined) return [{ resource: "revocations", action: "create", after }];
  return before.until >= after.until ? [] : [{ resource: "revocations", action: "update", id: after.name, after }];
}

function overdue(rows: Rows, kept: string, now: Date): Change[] {
  return [...rows.values()]
    .filter(({ name, until }) => name !== kept && !isInForce(until, now.getTime()))
    .map(({ name }) => ({ resource: "revocations", action: "delete", id: name }));
}

/** Lifts a revocation. @throws AppError `not_found` when the issuer is unknown or the token is not revoked; `forbidden` */
export async function liftRevocation(actor: Actor, of: TokenIssuer, jti: string): Promise<void> {
  await write(actor, async (stored) => {
    const name = nameOf((await find(stored, of)).iss, jti);
    if ((await stored.get("revocations", name)) === null)
      throw new AppError("not_found", `No token \`${jti}\` of this issuer is revoked.`);
    return [{ resource: "revocations", action: "delete", id: name }];
  });
}

/** Hashes both, because together they may exceed an index entry. */
function nameOf(iss: string, jti: string): string {
  return createHash("sha256").update(tokenKey(iss, jti)).digest("hex");
}

async function find(stored: Stored, of: TokenIssuer): Promise<Found> {
  // Access tokens of our own authorization server live for less than the least milliseconds of a revocation.
  if (typeof of !== "string") return { iss: of.iss, maxTokenAgeMs: 0 };
  const row = await stored.get("issuers", of);
  if (row === null) throw noIssuer(of);
  return { iss: row.issuer, maxTokenAgeMs: row.maxTokenAgeSeconds * 1_000 };
}

function noIssuer(name: string): AppError {
  return new AppError("not_found", `There is no issuer \`${name}\`.`);
}
