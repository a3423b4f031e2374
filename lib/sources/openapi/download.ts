import { AppError } from "@/lib/errors";
import { OUTBOUND_LIMITS, type Outbound, type OutboundAnswer } from "@/lib/outbound/fetch";
import { asRead, readingCaller, readingRefused, withRemedy, type ReadSource } from "@/lib/sources/import/reading";
import { NO_CREDENTIALS, sharedCredentials, type Credentials } from "@/lib/calls/credentials/credentials";
import { isOriginExcluded } from "@/lib/calls/credentials/origin-excluded";
import { withCredentials } from "@/lib/calls/credentials/with-credentials";

/** A document before parsing. */
export interface Downloaded {
  readonly document: string | Uint8Array;
  /** The secrets of the request, to mask in case the document repeats them. */
  readonly hidden: readonly string[];
  /** Why the source's credentials were not sent; `null` = they were sent, if there are any. */
  readonly unsent: string | null;
}

/**
 * Fetches the document at an address. Sends the source's credentials if their secret allows that origin
 * (docs/reference/execution.md#credentials), and none otherwise, because most documents are public. Credentials that fail
 * for another reason fail the reading: an anonymous reader may see fewer operations. Follows no redirects, so that
 * credentials never cross an origin.
 *
 * @param person the id of the person who reads, or `null`
 * @throws AppError a sentence for the admin; `upstream_auth_failed` names the field to set
 */
export async function downloadDocument(
  url: string,
  source: ReadSource,
  send: Outbound,
  person: string | null,
): Promise<Downloaded> {
  const wanting = { source: asRead(source), caller: readingCaller(person), url };
  const credentials = sharedCredentials();
  let unsent: string | null = null;
  const first = await credentials.of(wanting).catch((error: unknown): Credentials => {
    // No person is behind a scheduled reading. The import refuses what would disappear without an account.
    const isWithheld = (known: AppError) => known.code === "authorization_needed" || isOriginExcluded(known, url);
    if (!(error instanceof AppError) || !isWithheld(error)) throw error;
    unsent = error.message;
    return NO_CREDENTIALS;
  });
  const ask = (given: Credentials) =>
    send(withCredentials({ ...REQUEST, url }, given)).catch((error: unknown) => {
      throw error instanceof AppError ? withRemedy(error, "url") : error;
    });
  let [given, answer] = [first, await ask(first)];
  if (answer.status === 401 && first.token !== null) {
    given = await credentials.of(wanting, first.token);
    answer = await ask(given);
  }
  requireDocument(answer, source, unsent);
  return { document: answer.body, hidden: given.hidden, unsent };
}

const REQUEST = {
  headers: { accept: "application/json, application/yaml, */*;q=0.5" },
  maxBytes: OUTBOUND_LIMITS.documentBytes,
};

function requireDocument({ status }: OutboundAnswer, source: ReadSource, unsent: string | null): void {
  if (status === 401 || status === 403) throw readingRefused(status, source, unsent);
  if (status >= 300 && status < 400)
    throw new AppError(
      "upstream_error",
      `The address answers with a redirect (${status}): give the final address as \`url\`.`,
    );
  if (status !== 200)
    throw new AppError(
      "upstream_error",
      `The address answered with status ${status} instead of a document: check \`url\`.`,
    );
}
