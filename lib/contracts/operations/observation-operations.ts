import { observations, observationsQuery } from "@/lib/contracts/decisions/observations";
import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";

/** Operations on what observed rules would change (docs/reference/governance.md#observe). */
export const OBSERVATION_OPERATIONS = {
  read_observations: {
    ...at.get("/api/admin/observations"),
    summary: "Read what an observed rule would change",
    description: "Counts begin again with each edit of the rule, and reach back at most 90 days.",
    who: "executions:read",
    query: observationsQuery,
    answers: [ok("Counts, and the latest calls.", observations)],
    errors: ["not_found"],
  },
} as const satisfies Contracts;
