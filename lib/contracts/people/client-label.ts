/** Longest name of a client for people. The client chooses it. */
export const MAX_CLIENT_NAME = 200;

/** The beginning of the `client_id` of a client that registered itself. No document and no registered client has it. */
export const SELF_REGISTERED = "urn:uuid:";

/** A client as the rows of people and tokens hold it. */
interface NamedClient {
  /** The OAuth `client_id`. */
  readonly client: string;
  /** The client's own name for itself. */
  readonly clientName: string;
}

/** A client for people: its own name for itself, and the host that vouches for it; `null` = the name is the host. */
export function clientParts({ client, clientName }: NamedClient): {
  readonly name: string;
  readonly from: string | null;
} {
  const name = clientName.slice(0, MAX_CLIENT_NAME);
  if (client.startsWith(SELF_REGISTERED)) return { name: name || client, from: "registered itself" };
  const host = URL.canParse(client) ? new URL(client).host : client;
  return name === "" || name === client ? { name: host, from: null } : { name, from: host };
}

/** Both parts in one line. */
export function clientLabel(client: NamedClient): string {
  const { name, from } = clientParts(client);
  return from === null ? name : `${name} (${from})`;
}
