import { slug } from "@/lib/resources/parts/name";
import type { Snapshot } from "@/lib/store/snapshot/build";

/** The grant type of an identity assertion (RFC 7523). */
export const IDENTITY_ASSERTION = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Milliseconds between two reads of the store for clients that are unknown here: anybody may name one. */
const READ_AGAIN_MS = 1_000;

/** The configurations of a process, in which it looks clients up. */
interface Sources {
  readonly current: () => Promise<Snapshot>;
  /** The configuration of the store's present revision. Reads the store. */
  readonly newest: () => Promise<Snapshot>;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * Finds the OAuth metadata of registered clients. Another instance may have registered a client a moment ago, so the
 * configuration is read again before one is refused, at most once a second for all requests.
 */
export function registeredClients({ current, newest, now }: Sources): (id: string) => Promise<object | null> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Snapshot> | null = null;

  async function read(): Promise<Snapshot> {
    readAt = now();
    try {
      return await newest();
    } finally {
      reading = null;
    }
  }

  return async (id) => {
    const known = metadataOf(id, await current());
    if (known !== null || !slug.safeParse(id).success) return known;
    if (reading === null && now() - readAt < READ_AGAIN_MS) return null;
    reading ??= read();
    return metadataOf(id, await reading);
  };
}

/** The OAuth metadata of a registered client (RFC 7591, 2); `null` = there is none, or it is disabled. */
function metadataOf(id: string, { signIn }: Pick<Snapshot, "signIn">): object | null {
  const client = signIn?.clients.get(id);
  if (client?.enabled !== true) return null;
  const { name, description, redirectUris, agent, jwks } = client;
  const signsIn = redirectUris.length > 0;
  return {
    client_id: name,
    client_name: description === "" ? name : description,
    redirect_uris: redirectUris,
    response_types: signsIn ? ["code"] : [],
    grant_types: [
      ...(signsIn ? ["authorization_code", "refresh_token"] : []),
      ...(agent === null ? [] : ["client_credentials"]),
      ...(jwks === null ? [] : [IDENTITY_ASSERTION]),
    ],
    token_endpoint_auth_method: jwks === null ? "none" : "private_key_jwt",
    ...(jwks !== null && { jwks }),
  };
}
