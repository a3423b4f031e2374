import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { listQuery } from "@/lib/contracts/changes/list";
import { flowImpactInput, flowImpactOutput } from "@/lib/contracts/decisions/flow-impact";
import { trifectaOutput } from "@/lib/contracts/decisions/trifecta";
import { flowGuessAnswer, flowGuessAnswered, flowGuessPage } from "@/lib/contracts/sources/flow-guess";

/** Operations on guessed flow, and on what callers can do with it (docs/reference/decision.md#flow). */
export const FLOW_OPERATIONS = {
  list_flow_guesses: {
    ...at.get("/api/admin/flow-guesses"),
    chapter: "imports",
    summary: "List tools whose flow an import guessed",
    description:
      "Filters: `source`, `method`, `guess` (a guessed label or class). `unguessed` counts imported tools that state no flow and have no guess: `change_many` with `guess_flow` guesses them.",
    who: "configuration:read",
    query: listQuery,
    answers: [ok("A page, by tool.", flowGuessPage)],
  },
  answer_flow_guesses: {
    ...at.post("/api/admin/flow-guesses/answer"),
    chapter: "imports",
    summary: "Confirm or replace guessed flow of several tools, all or none",
    description:
      "A guess binds until a person answers it. `items` states the revision in which each tool was seen: when one has changed since, no guess is answered. With `flow` null, the guess becomes part of the tool's flow; a guessed label that no longer exists is left out.",
    who: "configuration:write",
    reviewed: true,
    body: flowGuessAnswer,
    answers: [ok("The revision with the answer.", flowGuessAnswered)],
    errors: ["not_found", "conflict", "stale"],
  },
  list_triangles: {
    ...at.get("/api/admin/trifecta"),
    summary: "List the callers that can read private data, read untrusted text and then send out",
    description:
      "Personas, agents and recent callers, decided by the resolver. An open triangle names its tools and the restriction that closes it with the fewest tools. When the time limit ends the work, `callers` has fewer than `known` rows.",
    who: "executions:read",
    answers: [ok("The callers, open triangles first.", trifectaOutput)],
  },
  measure_flow_impact: {
    ...at.post("/api/admin/flow-impact"),
    summary: "Replay logged calls under an unsaved flow rule, label, tool, guess or answer to guesses",
    description:
      "Saves nothing. The replay runs in the background: send the same request again until `replay.state` is not `running`. A flow rule counts as active and enforced, and is compared with its absence.",
    who: "executions:read",
    body: flowImpactInput,
    answers: [ok("The replay, and its result once it is done.", flowImpactOutput)],
    errors: ["overloaded"],
  },
} as const satisfies Contracts;
