import { visibleNumbers } from "@/lib/access/decide/resolve";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import type { Agent } from "@/lib/access/model/configuration";
import { previewRequest } from "@/lib/admin/preview";
import type { AgentSizes } from "@/lib/contracts/decisions/agent-sizes";
import { previewInput } from "@/lib/contracts/decisions/preview";
import { inTurns } from "@/lib/store/db/in-turns";
import { heldLabelSets } from "@/lib/store/labels/held-labels";
import { currentSnapshot, type Snapshot } from "@/lib/store/snapshot/snapshot";

/**
 * Counts the tools that each registered agent sees, in each state of its machine, as its preview does. In turns with
 * other requests, because there may be hundreds of agents.
 *
 * @throws AppError `config_unavailable`; the reason of `signal`
 */
export async function listAgentSizes(signal?: AbortSignal): Promise<AgentSizes> {
  const now = Date.now();
  const snapshot = await currentSnapshot();
  const sizes = new Map<string, AgentSizes["items"][number]>();
  for await (const { name, request } of inTurns(await requestsOfAgents(snapshot, now))) {
    signal?.throwIfAborted();
    const count = visibleNumbers(snapshot.index, request, now).length;
    const { fewest, most } = sizes.get(name) ?? { fewest: count, most: count };
    sizes.set(name, { name, fewest: Math.min(fewest, count), most: Math.max(most, count) });
  }
  return { items: [...sizes.values()] };
}

interface AgentRequest {
  readonly name: string;
  readonly request: ResolveRequest;
}

/** The requests for everything that the agents would make, one in each state of their machine, by the agent's name. */
async function requestsOfAgents(snapshot: Snapshot, now: number): Promise<readonly AgentRequest[]> {
  const machines = new Map(snapshot.index.config.machines.map((machine) => [machine.name, machine]));
  const agents: { agent: Agent; request: ResolveRequest }[] = [];
  for await (const agent of inTurns(snapshot.agents.values())) {
    const answer = previewRequest(previewInput.parse({ agent: agent.name }), snapshot);
    if (answer.ok) agents.push({ agent, request: answer.request });
  }
  agents.sort((left, right) => (left.agent.name < right.agent.name ? -1 : 1));
  const holders = agents.map(({ request: { claims } }) => holderOf(claims));
  const held = await heldLabelSets(holders, new Date(now));
  return agents.flatMap(({ agent: { name, machine }, request }, at) => {
    const labels = (held[at] ?? "").split(",").filter((label) => label !== "");
    const states = machines.get(machine ?? "")?.states ?? [{ name: request.state }];
    return states.map((state) => ({ name, request: { ...request, labels, state: state.name } }));
  });
}

function holderOf({ iss, sub }: ResolveRequest["claims"]) {
  return { issuer: String(iss), subject: String(sub), sessionId: null };
}
