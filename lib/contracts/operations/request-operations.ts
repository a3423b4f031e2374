import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { listQuery } from "@/lib/contracts/changes/list";
import {
  requestApproval,
  requestBypass,
  requestClosing,
  requestDetail,
  requestImpact,
  requestImpactQuery,
  requestPage,
} from "@/lib/contracts/changes/request";
import { idInPath } from "@/lib/resources/parts/name";

/** Operations on requests that wait for a second person (docs/reference/governance.md). */
export const REQUEST_OPERATIONS = {
  list_requests: {
    ...at.get("/api/admin/requests"),
    summary: "List requests, open and answered",
    description:
      "Filters: `kind`, `status`, `ended`, `asker` (`me`: your own), `target`, `decidedBy`; sort: `closesAt`, `at`. Open requests come first. `facts` omits rows that your role may not read. A `target` that your role may not read is `hidden`.",
    who: "configuration:read",
    query: listQuery,
    answers: [ok("A page.", requestPage)],
  },
  read_request: {
    ...at.get("/api/admin/requests/{id}"),
    summary: "Read a request with its changes",
    who: "configuration:read",
    params: idInPath,
    answers: [ok("The request; secrets are never returned.", requestDetail)],
  },
  measure_request: {
    ...at.get("/api/admin/requests/{id}/impact"),
    summary: "Measure the impact of an open change request",
    description:
      "The answer has the tools that personas, agents and recent callers gain and lose, and the recent calls whose decision changes. `impact` is `null` for a closed request, and for one whose changes affect no decision, approval or limit. With `arguments=true`, logged arguments are judged too; this needs `executions:bodies` and writes an audit event.",
    who: "configuration:read",
    params: idInPath,
    query: requestImpactQuery,
    answers: [ok("The impact on the present configuration.", requestImpact)],
    errors: ["conflict", "rate_limited"],
  },
  approve_request: {
    ...at.post("/api/admin/requests/{id}/approve"),
    summary: "Approve a change request and apply it",
    description:
      "Only a person can approve a request, and nobody can approve their own. Quartermaster judges the changes again on the present configuration.",
    who: "changes:approve",
    params: idInPath,
    body: requestApproval,
    answers: [ok("The request; its changes are saved.", requestDetail)],
    errors: ["conflict", "in_use", "stale"],
  },
  refuse_request: {
    ...at.post("/api/admin/requests/{id}/refuse"),
    summary: "Refuse a change request",
    who: "changes:approve",
    params: idInPath,
    body: requestClosing,
    answers: [ok("The request; nothing is saved.", requestDetail)],
    errors: ["conflict"],
  },
  bypass_request: {
    ...at.post("/api/admin/requests/{id}/bypass"),
    summary: "Apply a change request without review",
    description:
      "For emergencies, with a reason and a sign-in of the last 10 minutes. The change is saved at once and reverted after `review.bypassHours`, unless a second person confirms it. Changes of people, tokens, secrets, approvers and the settings of reviews cannot be applied without review.",
    who: "changes:bypass",
    params: idInPath,
    body: requestBypass,
    answers: [ok("The request; its changes are saved.", requestDetail)],
    errors: ["conflict", "in_use", "stale"],
  },
  confirm_request: {
    ...at.post("/api/admin/requests/{id}/confirm"),
    summary: "Confirm a change that was applied without review",
    description: "Only a second person can confirm: neither the requester nor the admin who applied the change.",
    who: "changes:approve",
    params: idInPath,
    body: requestApproval,
    answers: [ok("The request; its changes stay.", requestDetail)],
    errors: ["conflict"],
  },
  revert_request: {
    ...at.post("/api/admin/requests/{id}/revert"),
    summary: "Revert a change that was applied without review",
    who: "changes:approve",
    params: idInPath,
    body: requestClosing,
    answers: [ok("The request; its rows are as they were before.", requestDetail)],
    errors: ["conflict", "in_use", "stale"],
  },
  withdraw_request: {
    ...at.post("/api/admin/requests/{id}/withdraw"),
    summary: "Withdraw your change request",
    who: "configuration:read",
    params: idInPath,
    body: requestClosing,
    answers: [ok("The request; nothing is saved.", requestDetail)],
    errors: ["conflict"],
  },
} as const satisfies Contracts;
