import { registeredIn, requestAgain } from "@/lib/access/impact/request";
import type { RequestAnswer } from "@/lib/access/model/request";
import { MOST_ASKED } from "@/lib/contracts/decisions/callers";
import { previewInput } from "@/lib/contracts/decisions/preview";
import { loadRecentCallers } from "@/lib/admin/impact-log";
import { previewRequest } from "@/lib/admin/preview";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";

/** Somebody who could be asked for, with the request that is made for it. */
export interface KnownCaller {
  readonly kind: "persona" | "agent" | "caller";
  readonly name: string;
  readonly issuer: string | null;
  /** The latest call of a caller of the log. */
  readonly callId: string | null;
  readonly answer: RequestAnswer;
}

/**
 * Everybody that the installation knows: personas with their sample claims, registered agents as at the door, and the
 * distinct callers of the log that are neither, as they would ask today.
 *
 * @throws AppError `config_unavailable`
 */
export async function loadCallers(snapshot: Snapshot): Promise<{ callers: KnownCaller[]; more: boolean }> {
  const { personas } = snapshot.index.config;
  const agents = [...snapshot.agents.keys()].toSorted();
  const seen = (await loadRecentCallers(MOST_ASKED)).filter(({ agent }) => agent === null);
  const registered = registeredIn(snapshot.index);
  const asked = (part: { persona: string } | { agent: string }) => previewRequest(previewInput.parse(part), snapshot);
  const nobody = { issuer: null, callId: null };
  return {
    callers: [
      ...personas.map(({ name }) => ({ kind: "persona" as const, name, ...nobody, answer: asked({ persona: name }) })),
      ...agents
        .slice(0, MOST_ASKED)
        .map((name) => ({ kind: "agent" as const, name, ...nobody, answer: asked({ agent: name }) })),
      ...seen.slice(0, MOST_ASKED).map((caller) => ({
        kind: "caller" as const,
        name: caller.subject,
        issuer: caller.issuer,
        callId: caller.callId,
        answer: requestAgain(registered, registered, caller),
      })),
    ],
    more: agents.length > MOST_ASKED || seen.length > MOST_ASKED,
  };
}
