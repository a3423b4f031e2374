import { z } from "zod";
import { isServedOverTls } from "@/lib/env";
import { deleteOAuthRow, findOAuthRow, saveOAuthRow } from "@/lib/store/oauth/oauth-rows";

// A client that wants to connect waits for a person's answer. The gateway writes the request; the app reads it and writes the
// answer; the gateway reads the answer when the browser returns.

/**
 * Name of the cookie that binds a request to the browser in which it began: its value is the request's id. Each request has its
 * own, because several can begin in one browser. Over TLS, the prefix keeps other hosts of the domain from setting it.
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
  /** The host that serves the client's document, which vouches for its name; `null` = it has no document. */
  clientHost: z.string().nullable(),
  /** Whether the client registered itself, so that nobody vouches for its name. */
  isSelfRegistered: z.boolean().default(false),
  redirectUri: z.string(),
  scopes: z.array(z.string()),
});

/** What a client asks for. */
export type ConnectionRequest = z.output<typeof connectionRequest>;

/** Stores what a client asks for, beside the provider's interaction with the same id. */
export async function saveConnectionRequest(id: string, request: ConnectionRequest): Promise<void> {
  await saveOAuthRow("ConnectionRequest", id, request, REQUEST_SECONDS);
}

/** What the client of a request asks for; `null` when it has expired or was answered. */
export async function findConnectionRequest(id: string): Promise<ConnectionRequest | null> {
  const row = await findOAuthRow("ConnectionRequest", id);
  return row === null ? null : connectionRequest.parse(row);
}

/** A person's answer: the provider's result, with our own `consent`. */
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
  if (interaction === null || !(await deleteOAuthRow("ConnectionRequest", id))) return null;
  await saveOAuthRow("Interaction", id, { ...interaction, result: answer }, REQUEST_SECONDS);
  return String(interaction["returnTo"]);
}
