import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { denialDetail, denialPage, denialQuery } from "@/lib/contracts/decisions/denial";
import { idInPath } from "@/lib/resources/parts/name";

/** Operations on refusals by kind, and the grants that would allow them (docs/reference/interface.md). */
export const DENIAL_OPERATIONS = {
  list_denials: {
    ...at.get("/api/admin/denials"),
    summary: "List refusals by caller, tool and rule",
    description:
      "Groups of the last seven days, or since `from`; sort: `lastAt`, `calls`. A resolved group is left out until it occurs again; calls that a person refused count as resolved. `state=handled` lists resolved groups.",
    who: "executions:read",
    query: denialQuery,
    answers: [ok("A page of groups, the most recent refusal first.", denialPage)],
  },
  read_denial: {
    ...at.get("/api/admin/denials/{id}"),
    summary: "Read a group of refusals and the smallest grant that would allow it",
    description:
      "Each refused call names its group. The resolver decides the grant on the present configuration. Where no grant helps, the smallest change is included for `executions:bodies`, because it contains claims; an answer with it writes an audit event.",
    who: "executions:read",
    params: idInPath,
    answers: [ok("The group, its latest calls, and today's decision.", denialDetail)],
    errors: ["dropped"],
  },
  handle_denial: {
    ...at.put("/api/admin/denials/{id}/handled"),
    summary: "Mark a group of refusals as resolved until it occurs again",
    who: "configuration:write",
    params: idInPath,
    answers: [{ status: 204, description: "Marked as resolved." }],
  },
  reopen_denial: {
    ...at.delete("/api/admin/denials/{id}/handled"),
    summary: "Reopen a group of refusals",
    description: "Calls that a person refused stay resolved: `conflict`.",
    who: "configuration:write",
    params: idInPath,
    answers: [{ status: 204, description: "Reopened." }],
    errors: ["conflict"],
  },
} as const satisfies Contracts;
