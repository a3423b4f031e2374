/** Longest name of a client for people. The client chooses it. */
export const MAX_CLIENT_NAME = 200;

/** The beginning of the `client_id` of a client that registered itself. No document and no registered client has it. */
export const SELF_REGISTERED = "urn:uuid:";

/** A client for people: its own name for itself, and the host that vouches for it. */
export function clientLabel({ client, clientName }: { readonly client: string; readonly clientName: string }): string {
  if (client.startsWith(SELF_REGISTERED))
    return `${clientName.slice(0, MAX_CLIENT_NAME) || client} (registered itself)`;
  const host = URL.canParse(client) ? new URL(client).host : client;
  const name = clientName.slice(0, MAX_CLIENT_NAME);
  return name === "" || name === client ? host : `${name} (${host})`;
}
