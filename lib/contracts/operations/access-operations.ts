import { accessApproval, accessDetail, accessPage, accessRefusal } from "@/lib/contracts/changes/access";
import { listQuery } from "@/lib/contracts/changes/list";
import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { idInPath } from "@/lib/resources/parts/name";

const detail = (description: string) => [{ status: 200, description, schema: accessDetail }] as const;

/** Operations on access requests (docs/reference/governance.md#access-requests). */
export const ACCESS_OPERATIONS = {
  list_access_requests: {
    ...at.get("/api/admin/access-requests"),
    summary: "List access requests, open and answered",
    description:
      "Filters: `status`, `ended`, `asker`, `target`, `decidedBy`; sort: `closesAt`, `at`. Open requests come first.",
    who: "executions:read",
    query: listQuery,
    answers: [ok("A page of requests.", accessPage)],
  },
  read_access_request_of_agent: {
    ...at.get("/api/admin/access-requests/{id}"),
    summary: "Read an access request and its grant",
    who: "executions:read",
    params: idInPath,
    answers: detail("The request, its answer and its grant."),
  },
  approve_access: {
    ...at.post("/api/admin/access-requests/{id}/approve"),
    summary: "Grant access for a time",
    description:
      "The grant begins at once. `hours` may shorten the request, never lengthen it. `hash` is the hash of the request as you read it. A person cannot answer their own request, an editor cannot answer requests of an agent that they created, and no token answers requests.",
    who: "calls:approve",
    params: idInPath,
    body: accessApproval,
    answers: detail("The request and its grant."),
    errors: ["conflict"],
  },
  refuse_access: {
    ...at.post("/api/admin/access-requests/{id}/refuse"),
    summary: "Refuse access",
    description: "The caller receives the reason.",
    who: "calls:approve",
    params: idInPath,
    body: accessRefusal,
    answers: detail("The refused request."),
    errors: ["conflict"],
  },
  end_access: {
    ...at.post("/api/admin/access-requests/{id}/end"),
    summary: "End a grant early",
    description: "The tool leaves the caller's list at once.",
    who: "calls:approve",
    params: idInPath,
    answers: detail("The request and its ended grant."),
    errors: ["conflict"],
  },
} as const satisfies Contracts;
