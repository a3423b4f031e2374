import type { JsonObject } from "@/lib/access/model/configuration";
import { OWN_ISSUER } from "@/lib/access/model/claims";
import type { Caller } from "@/lib/auth/agents/caller";
import { AppError } from "@/lib/errors";
import type { TryInput, TryOutput } from "@/lib/contracts/log/try";
import type { PrintedLine } from "@/lib/sandbox/messages";
import { currentSnapshot, type Snapshot } from "@/lib/store/snapshot/snapshot";
import type { Call } from "@/lib/calls/pipeline/call";
import { production } from "@/lib/calls/pipeline/dependencies";
import { execute } from "@/lib/calls/pipeline/execute";

/** A call that a person makes as somebody else, to see what happens. */
interface Trial {
  readonly callId: string;
  readonly requestId: string;
  readonly toolId: string;
  readonly input: TryInput;
  /** The id of the person who tries, whose linked accounts the call uses; `null` for a personal access token. */
  readonly person: string | null;
  /** Authorises the person again, when the rules changed meanwhile. @throws AppError */
  readonly authorize: () => Promise<unknown>;
}

/**
 * Tries a tool: a real call with real effects through the whole pipeline. It has the rights of the chosen caller, not
 * those of the person. The log records the door `try`.
 *
 * @throws AppError `invalid_request` naming the field
 */
export async function tryTool({ callId, requestId, toolId, input, person, authorize }: Trial): Promise<TryOutput> {
  const printed: PrintedLine[] = [];
  const call: Call = {
    callId,
    requestId,
    door: "try",
    caller: callerOf(input, person, await currentSnapshot()),
    reauthenticate: async () => {
      await authorize();
      return callerOf(input, person, await currentSnapshot());
    },
    toolId,
    name: null,
    arguments: input.arguments,
    sessionId: null,
    stated: { group: input.group, state: input.state },
    at: Date.now(),
    idempotencyKey: null,
    mode: "now",
    listener: { progress: () => {}, chunk: () => {}, print: (line) => printed.push(line) },
    trace: null,
  };
  const { output } = await execute(call, production());
  return { ...output, printed };
}

/** The caller as agent authentication would produce it (docs/reference/http.md#authentication), without a credential to forward. */
function callerOf(input: TryInput, person: string | null, snapshot: Snapshot): Caller {
  const { revision } = snapshot;
  const trial = { credential: { kind: "trial", person }, bearer: "", revision } as const;
  if (input.agent === undefined) return { ...personaOf(input.persona ?? "", snapshot), ...trial };
  const agent = snapshot.agents.get(input.agent);
  if (agent === undefined) throw refused("agent", `there is no agent \`${input.agent}\``);
  if (!agent.enabled) throw refused("agent", `the agent \`${agent.name}\` is disabled`);
  const issuer = agent.issuer === null ? null : (snapshot.issuers.get(agent.issuer) ?? null);
  if (issuer?.enabled === false) throw refused("agent", `the issuer \`${issuer.name}\` of the agent is disabled`);
  const iss = issuer?.issuer ?? OWN_ISSUER;
  const subject = issuer === null ? agent.name : (agent.subject ?? agent.name);
  // With a token the attributes are one claim of it; with a key they are the claims.
  const claims = issuer === null ? agent.attributes : { qm: { agent: agent.attributes } };
  return {
    claims: { ...claims, iss, sub: subject } as JsonObject,
    agent,
    issuer,
    principal: { issuer: iss, subject, agent: agent.name, client: null },
    ...trial,
  };
}

function personaOf(name: string, snapshot: Snapshot): Pick<Caller, "claims" | "agent" | "issuer" | "principal"> {
  const persona = snapshot.index.config.personas.find((one) => one.name === name);
  if (persona === undefined) throw refused("persona", `there is no persona \`${name}\``);
  const claims = persona.sampleClaims;
  const { iss, sub } = claims;
  const issuer = typeof iss === "string" ? iss : OWN_ISSUER;
  return {
    claims,
    agent: null,
    issuer: [...snapshot.issuers.values()].find((one) => one.issuer === iss) ?? null,
    // The prefix separates a persona's limits and log rows from those of real callers.
    principal: { issuer, subject: `persona:${typeof sub === "string" ? sub : name}`, agent: null, client: null },
  };
}

function refused(path: string, message: string): AppError {
  return new AppError("invalid_request", `The tool cannot be tried: ${message}.`, { errors: [{ path, message }] });
}
