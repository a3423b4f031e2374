import { z } from "zod";
import type { Contracts } from "@/lib/contracts/operations/operation";
import { denialDetail, denialPage, denialQuery } from "@/lib/contracts/decisions/denial";

const params = z.object({ id: z.string().max(64) });

/** Operations on refusals by kind, and the grants that would allow them (docs/reference/interface.md). */
export const DENIAL_OPERATIONS = {
  list_denials: {
    method: "get",
    path: "/api/admin/denials",
    chapter: "log",
    summary: "List refusals by caller, tool and rule",
    description:
      "Those of the last seven days unless `from` says; sort: `lastAt`, `calls`. What was dealt with is left out until it is refused again; `state=handled` lists it.",
    who: "executions:read",
    query: denialQuery,
    answers: [{ status: 200, description: "A page of kinds, the latest refused first.", schema: denialPage }],
  },
  read_denial: {
    method: "get",
    path: "/api/admin/denials/{id}",
    chapter: "log",
    summary: "Read one kind of refusal, and the smallest grant that would allow it",
    description:
      "Any refused call names its kind. Decided by the resolver on the configuration in force. With the smallest change for who has `executions:bodies`, for it tells claims; that it was read is written down.",
    who: "executions:read",
    params,
    answers: [{ status: 200, description: "The kind, its latest calls, what today says.", schema: denialDetail }],
    errors: ["dropped"],
  },
  handle_denial: {
    method: "put",
    path: "/api/admin/denials/{id}/handled",
    chapter: "log",
    summary: "Take a kind of refusal out of the inbox until it happens again",
    who: "configuration:write",
    params,
    answers: [{ status: 204, description: "It is out." }],
  },
  reopen_denial: {
    method: "delete",
    path: "/api/admin/denials/{id}/handled",
    chapter: "log",
    summary: "Put a kind of refusal back into the inbox",
    who: "configuration:write",
    params,
    answers: [{ status: 204, description: "It is in." }],
  },
} as const satisfies Contracts;
