import type { JsonObject } from "@/lib/access/configuration";
import { open } from "@/lib/store/cipher";
import { db } from "@/lib/store/database";
import { translated } from "@/lib/store/translate";

/** How many of the latest calls are looked at, and how many distinct callers among them. */
const MOST_CALLS = 2000;
const MOST_CALLERS = 200;

/**
 * The claims of the latest distinct callers in the execution log, as the log keeps them: without those that
 * change with every token, secrets masked. Claims of another master key are left out.
 *
 * @throws AppError `config_unavailable`
 */
export async function loadRecentClaims(): Promise<readonly JsonObject[]> {
  const rows = await translated(
    () => db().$queryRaw<{ digest: string; ciphertext: string }[]>`
      SELECT claims."digest", claims."ciphertext"
      FROM (
        SELECT "claimsDigest", max("at") AS "at"
        FROM (SELECT "claimsDigest", "at" FROM execution ORDER BY "at" DESC, "callId" DESC LIMIT ${MOST_CALLS}) latest
        GROUP BY "claimsDigest" ORDER BY "at" DESC LIMIT ${MOST_CALLERS}
      ) callers
      JOIN execution_claims claims ON claims."digest" = callers."claimsDigest"`,
  );
  return rows.flatMap(({ digest, ciphertext }) => {
    const text = open("claims", ciphertext, digest);
    return text === null ? [] : [JSON.parse(text) as JsonObject];
  });
}
