import { clearLabelInput, heldLabelList, holderQuery, labelsOfHolder } from "@/lib/contracts/log/held-label";
import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { nameInPath } from "@/lib/resources/parts/name";

/** Operations on the labels that runs and callers hold (docs/reference/http.md#held-labels). */
export const LABEL_OPERATIONS = {
  list_label_holders: {
    ...at.get("/api/admin/labels/{name}/held"),
    summary: "List who holds a label",
    who: "executions:read",
    params: nameInPath,
    answers: [ok("The 200 latest holders.", heldLabelList)],
  },
  list_held_labels: {
    ...at.get("/api/admin/held-labels"),
    summary: "List the labels that an agent or a session holds",
    description:
      "`agent`: the labels of the agent and of its sessions. `session`: those of the session and of its caller, and in `history` what the session's calls raised, until when, and who cleared it.",
    who: "executions:read",
    query: holderQuery,
    answers: [ok("The 200 latest.", labelsOfHolder)],
    errors: ["not_found"],
  },
  clear_label: {
    ...at.post("/api/admin/labels/{name}/clear"),
    summary: "Take a label from one run or caller",
    description:
      "Lists and calls follow within the bound of immediacy. Nobody clears a label of a call of their own or of an agent that they created. The audit trail shows the reason. With `lastAt` from the list, a label that a later call raised is not cleared.",
    who: "calls:approve",
    params: nameInPath,
    body: clearLabelInput,
    answers: [{ status: 204, description: "Cleared." }],
    errors: ["not_found", "stale"],
  },
} as const satisfies Contracts;
