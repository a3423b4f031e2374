import type { CheckResult } from "@/bin/commands/doctor/check-report";
import { env } from "@/lib/env";
import { db } from "@/lib/store/db/database";
import { signingKeys } from "@/lib/store/keys/signing-keys";

/** Days after which a key is old (docs/keys.md). */
const OLD_DAYS = 365;
const DAY_MS = 86_400_000;
/** The most keys that are listed by name. */
const MAX_NAMED = 5;

/** Reports old keys. The age of MASTER_KEY counts from its first seal, that of a source's secret from its last change. */
export async function checkKeys(now = new Date()): Promise<CheckResult[]> {
  const longAgo = new Date(now.getTime() - OLD_DAYS * DAY_MS);
  const results: CheckResult[] = [];
  const [{ kid }] = signingKeys("seal");
  const first = await db().seal.findFirst({ where: { keyId: kid }, orderBy: { number: "asc" } });
  if (first !== null && first.at < longAgo)
    results.push({
      state: "warning",
      says: `MASTER_KEY has been in use since ${first.at.toISOString().slice(0, 10)}.`,
      todo: "Rotate it (docs/keys.md): set both keys, restart, run `npx quartermaster rotate-key`.",
    });
  else
    results.push({
      state: "ok",
      says:
        first === null
          ? "MASTER_KEY has signed no seal yet."
          : `MASTER_KEY is in use since ${first.at.toISOString().slice(0, 10)}.`,
    });
  const secrets = await db().secret.findMany({ where: { setAt: { lt: longAgo } }, orderBy: { name: "asc" } });
  const old = secrets.map(({ name }) => name);
  if (old.length > 0)
    results.push({
      state: "warning",
      says: `Secrets of sources that were set more than a year ago: ${old.slice(0, MAX_NAMED).join(", ")}${old.length > MAX_NAMED ? ", …" : ""}.`,
      todo: "Create new secrets at the upstreams, and set them under Secrets.",
    });
  if (env.NEXTAUTH_SECRET_PREVIOUS.length > 0)
    results.push({
      state: "warning",
      says: "NEXTAUTH_SECRET_PREVIOUS is still set.",
      todo: "Remove it half a day after the rotation, when all older sessions have ended.",
    });
  return results;
}
