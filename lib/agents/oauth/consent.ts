import { z } from "zod";
import type { Context, Provider } from "oidc-provider";
import * as errors from "oidc-provider/lib/helpers/errors.js";
import { mayActAs } from "@/lib/resources/agent";
import { actorOf, findUser } from "@/lib/store/config/users";
import { saveConnection } from "@/lib/store/oauth/connections";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

const answer = z.object({ consent: z.object({ agent: z.string() }) });

/**
 * Turns a person's consent, which the app wrote to the interaction, into the connection and its grant; `undefined` = there is
 * no consent. Checks again that the person may act as the agent, because minutes may lie between.
 */
export async function grantOf(ctx: Context, provider: Pick<Provider, "Grant">): Promise<object | undefined> {
  const { result, session, client, requestParamScopes } = ctx.oidc;
  const given = answer.safeParse(result);
  if (!given.success) return undefined;
  const { agent } = given.data.consent;
  const person = await findUser(session.accountId ?? "");
  const row = (await currentSnapshot()).agents.get(agent);
  if (person === null || !person.enabled || row === undefined || !mayActAs(person, row))
    throw new errors.AccessDenied(`The person may not connect clients as the agent ${agent}.`);
  const id = await saveConnection(actorOf(person), {
    person: person.id,
    client: client.clientId,
    clientName: client.clientName ?? "",
    agent,
    scopes: [...requestParamScopes],
  });
  return provider.Grant.find(id);
}
