/** The most characters of a client's name that people see. Clients choose their names. */
export const MAX_CLIENT_NAME = 200;

/**
 * The prefix of the `client_id` of a client that registered itself. Other clients have the URL of their client document
 * or a name that an admin gave.
 */
export const SELF_REGISTERED = "urn:uuid:";

/** A client, as connections and tokens store it. */
interface NamedClient {
  /** The OAuth `client_id`. */
  readonly client: string;
  /** The client's own name for itself. */
  readonly clientName: string;
}

/** A client as people see it. `from` says where the name comes from; `null` when the name is the host or the client's id. */
export function clientParts({ client, clientName }: NamedClient): {
  readonly name: string;
  readonly from: string | null;
} {
  const name = clientName.slice(0, MAX_CLIENT_NAME);
  if (client.startsWith(SELF_REGISTERED)) return { name: name || client, from: "registered itself" };
  const host = URL.canParse(client) ? new URL(client).host : client;
  return name === "" || name === client ? { name: host, from: null } : { name, from: host };
}

/** The name and where it comes from, in one line. */
export function clientLabel(client: NamedClient): string {
  const { name, from } = clientParts(client);
  return from === null ? name : `${name} (${from})`;
}
