import { registeredIn, requestAgain, requestOfAgent } from "@/lib/access/impact/request";
import type { RequestAnswer } from "@/lib/access/model/request";
import { MAX_EVALUATED_CALLERS } from "@/lib/contracts/decisions/callers";
import { previewInput } from "@/lib/contracts/decisions/preview";
import { loadUnregisteredCallers } from "@/lib/store/log/recent-calls";
import { previewRequest } from "@/lib/admin/preview";
import { runInTurns } from "@/lib/store/db/in-turns";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";

/** A known caller, with the request that it would make. */
export interface KnownCaller {
  readonly kind: "persona" | "agent" | "caller";
  readonly name: string;
  readonly issuer: string | null;
  /** For a caller from the log: its latest call. */
  readonly callId: string | null;
  readonly answer: RequestAnswer;
}

/**
 * All known callers: personas with their sample claims, registered agents as authentication sees them, and other distinct
 * callers of the log, each with the request that it would make today. `more` when there may be other callers.
 *
 * @throws AppError `config_unavailable`
 */
export async function loadCallers(snapshot: Snapshot): Promise<{ callers: KnownCaller[]; more: boolean }> {
  const { personas } = snapshot.index.config;
  const agents = [...snapshot.agents.keys()].toSorted();
  const seen = await loadUnregisteredCallers(MAX_EVALUATED_CALLERS);
  const registered = await runInTurns(registeredIn(snapshot.index));
  const nobody = { issuer: null, callId: null };
  return {
    callers: [
      ...personas.map(({ name }) => ({
        kind: "persona" as const,
        name,
        ...nobody,
        answer: previewRequest(previewInput.parse({ persona: name }), snapshot),
      })),
      ...agents
        .slice(0, MAX_EVALUATED_CALLERS)
        .map((name) => ({ kind: "agent" as const, name, ...nobody, answer: requestOfAgent(registered, name) })),
      ...seen.callers.map((caller) => ({
        kind: "caller" as const,
        name: caller.subject,
        issuer: caller.issuer,
        callId: caller.callId,
        answer: requestAgain(registered, registered, caller),
      })),
    ],
    more: agents.length > MAX_EVALUATED_CALLERS || seen.more,
  };
}
