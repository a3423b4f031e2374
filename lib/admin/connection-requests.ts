import { AppError } from "@/lib/errors";
import { mayActAs } from "@/lib/resources/agent";
import { findUser, type StoredUser } from "@/lib/store/config/users";
import {
  answerConnectionRequest,
  findConnectionRequest,
  type ConnectionRequest,
} from "@/lib/store/oauth/connection-requests";
import { connectionsOf } from "@/lib/store/oauth/connections";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** A client's request to connect, as a person sees it. */
export interface RequestView extends ConnectionRequest {
  /** The agents that the person may choose. */
  readonly agents: readonly { readonly name: string; readonly description: string }[];
  /** The agent of this person's connection with the same client and scopes; `null` = there is none. */
  readonly remembered: string | null;
  /** The agent of this person's newest connection with the same client, whatever its scopes; `null` = there is none. */
  readonly connectedAs: string | null;
  /** The scopes that connection lacks. Empty without one, because then every scope is new. */
  readonly newScopes: readonly string[];
}

/** A client's request to connect; `null` when it has expired or was answered. */
export async function viewConnectionRequest(id: string, userId: string): Promise<RequestView | null> {
  const [requested, person] = await Promise.all([findConnectionRequest(id), findUser(userId)]);
  if (requested === null || person === null) return null;
  const agents = await agentsOf(person);
  const known = (await connectionsOf(userId)).filter(
    ({ client, agent }) => client === requested.client && agents.some(({ name }) => name === agent),
  );
  // Equal scopes only: a repeated answer replaces the scopes, and any site can begin a request with fewer.
  const remembered = known.find(
    ({ scopes }) =>
      scopes.length === requested.scopes.length && requested.scopes.every((scope) => scopes.includes(scope)),
  );
  const [newest] = known;
  return {
    ...requested,
    agents,
    remembered: remembered?.agent ?? null,
    connectedAs: newest?.agent ?? null,
    newScopes: newest === undefined ? [] : requested.scopes.filter((scope) => !newest.scopes.includes(scope)),
  };
}

/**
 * Answers a client's request to connect: with the agent that it acts as, or `null` to decline.
 *
 * @returns the address at which the browser continues
 * @throws AppError `not_found` when the request has expired or was answered, `forbidden` for another's agent
 */
export async function answerRequest(id: string, userId: string | null, agent: string | null): Promise<string> {
  const person = userId === null ? null : await findUser(userId);
  if (person === null)
    throw new AppError("forbidden", "Only a signed-in person can connect a client: a token stands for no person.");
  if (agent !== null && !(await agentsOf(person)).some(({ name }) => name === agent))
    throw new AppError("forbidden", `You are not an owner of the agent \`${agent}\`.`);
  const location = await answerConnectionRequest(
    id,
    agent === null
      ? { error: "access_denied", error_description: "The person declined." }
      : {
          login: { accountId: person.id, amr: [person.issuer === null ? "pwd" : "fed"], remember: false },
          consent: { agent },
        },
  );
  if (location === null) throw new AppError("not_found", "This request has expired: start again in the client.");
  return location;
}

async function agentsOf(person: StoredUser): Promise<{ name: string; description: string }[]> {
  const { agents } = await currentSnapshot();
  return [...agents.values()]
    .filter((agent) => agent.enabled && mayActAs(person, agent))
    .map(({ name, description }) => ({ name, description }));
}
