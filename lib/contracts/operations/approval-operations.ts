import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import {
  approvalAnswer,
  approvalDetail,
  approvalPage,
  approvalsInput,
  approvalsOutput,
} from "@/lib/contracts/log/approval";
import { listQuery } from "@/lib/contracts/changes/list";
import { idInPath } from "@/lib/resources/parts/name";

/** Operations on calls that wait for a person (docs/reference/execution.md#approvals). */
export const APPROVAL_OPERATIONS = {
  list_approvals: {
    ...at.get("/api/admin/approvals"),
    summary: "List approvals, waiting and answered",
    description:
      "Filters: `status`, `agent`, `subject`, `tool`, `source`, `decidedBy`; sort: `closesAt`, `at`. Waiting approvals come first.",
    who: "executions:read",
    query: listQuery,
    answers: [ok("A page without arguments.", approvalPage)],
  },
  read_approval: {
    ...at.get("/api/admin/approvals/{id}"),
    summary: "Read an approval",
    description:
      "The arguments are included for `calls:approve` while the call waits, and always for `executions:bodies`. Reading them writes an audit event.",
    who: "executions:read",
    params: idInPath,
    answers: [ok("The call, its caller, and the decision that granted it.", approvalDetail)],
    errors: ["dropped"],
  },
  read_approvals: {
    ...at.post("/api/admin/approvals/details"),
    summary: "Read several approvals",
    description:
      "Like `GET /api/admin/approvals/{id}` for up to 100 calls. Ids of unknown and of dropped calls are left out. Reading arguments writes an audit event per call.",
    who: "executions:read",
    body: approvalsInput,
    answers: [ok("The approvals in the order of their ids.", approvalsOutput)],
  },
  approve_call: {
    ...at.post("/api/admin/approvals/{id}/approve"),
    summary: "Approve a call",
    description:
      "The call is decided again before it runs, so it may still be refused. A person cannot approve their own call, and an editor cannot approve calls of an agent that they created.",
    who: "calls:approve",
    params: idInPath,
    body: approvalAnswer,
    answers: [ok("The approval; the call is queued.", approvalDetail)],
    errors: ["conflict"],
  },
  refuse_call: {
    ...at.post("/api/admin/approvals/{id}/refuse"),
    summary: "Refuse a call",
    description: "The caller receives `approval_denied` with the reason.",
    who: "calls:approve",
    params: idInPath,
    body: approvalAnswer,
    answers: [ok("The approval; the call has ended.", approvalDetail)],
    errors: ["conflict"],
  },
} as const satisfies Contracts;
