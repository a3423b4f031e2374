import { z } from "zod";
import { isServedOverTls } from "@/lib/env";
import { db } from "@/lib/store/db/database";
import { deleteOAuthRow, findOAuthRow, saveOAuthRow } from "@/lib/store/oauth/oauth-rows";

// A client that wants to connect waits for a person's answer. The gateway writes the request; the app reads it and writes the
// answer; the gateway reads the answer when the browser returns.

/**
 * The name of the cookie that binds a request to its browser. Its value is the request's id. Each request has its own cookie,
 * because several can begin in one browser. Over TLS, the prefix keeps other hosts of the domain from setting it.
 */
export function requestCookieName(id: string): string {
  return `${isServedOverTls() ? "__Host-" : ""}qm_connect_${id}`;
}

/** Seconds that a person has for the answer. */
export const REQUEST_SECONDS = 30 * 60;

const connectionRequest = z.object({
  /** The OAuth `client_id`. */
  client: z.string(),
  clientName: z.string(),
  /** The host of the client document, which vouches for the name; `null` = the client has no document. */
  clientHost: z.string().nullable(),
  /** Whether the client registered itself: nobody vouches for its name. */
  isSelfRegistered: z.boolean().default(false),
  redirectUri: z.string(),
  scopes: z.array(z.string()),
});

/** The request of a client to connect. */
export type ConnectionRequest = z.output<typeof connectionRequest>;

/** Stores a request under the id of the provider's interaction. */
export async function saveConnectionRequest(id: string, request: ConnectionRequest): Promise<void> {
  await saveOAuthRow("ConnectionRequest", id, request, REQUEST_SECONDS);
}

/** Reads a request; `null` when it has expired or was answered. */
export async function findConnectionRequest(id: string): Promise<ConnectionRequest | null> {
  const row = await findOAuthRow("ConnectionRequest", id);
  return row === null ? null : connectionRequest.parse(row);
}

/** A person's answer, as the provider's interaction result. Its `consent` has our own fields. */
type Answer =
  | {
      readonly login: { readonly accountId: string; readonly amr: readonly string[]; readonly remember: false };
      readonly consent: { readonly agent: string };
    }
  | { readonly error: "access_denied"; readonly error_description: string };

/**
 * Writes the answer to a request. Returns the address at which the browser returns to the gateway; `null` when the request has
 * expired or was answered.
 */
export async function answerConnectionRequest(id: string, answer: Answer): Promise<string | null> {
  const interaction = await findOAuthRow("Interaction", id);
  if (interaction === null) return null;
  // In one transaction: an answer that cannot be saved leaves the request open.
  return db().$transaction(async (tx) => {
    if (!(await deleteOAuthRow("ConnectionRequest", id, tx))) return null;
    await saveOAuthRow("Interaction", id, { ...interaction, result: answer }, REQUEST_SECONDS, tx);
    return String(interaction["returnTo"]);
  });
}
