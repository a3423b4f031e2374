import type { Contracts } from "@/lib/contracts/operations/operation";
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
    method: "get",
    path: "/api/admin/approvals",
    summary: "List approvals, waiting and answered",
    description:
      "Filters: `status`, `agent`, `subject`, `tool`, `source`, `decidedBy`; sort: `closesAt`, `at`. Waiting approvals come first.",
    who: "executions:read",
    query: listQuery,
    answers: [{ status: 200, description: "A page without arguments.", schema: approvalPage }],
  },
  read_approval: {
    method: "get",
    path: "/api/admin/approvals/{id}",
    summary: "Read an approval",
    description:
      "The arguments are included for `calls:approve` while the call waits, and always for `executions:bodies`. Reading them writes an audit event.",
    who: "executions:read",
    params: idInPath,
    answers: [
      { status: 200, description: "The call, its caller, and the decision that granted it.", schema: approvalDetail },
    ],
    errors: ["dropped"],
  },
  read_approvals: {
    method: "post",
    path: "/api/admin/approvals/details",
    summary: "Read several approvals",
    description:
      "Like `GET /api/admin/approvals/{id}` for up to 100 calls. Ids of unknown and of dropped calls are left out. Reading arguments writes an audit event per call.",
    who: "executions:read",
    body: approvalsInput,
    answers: [{ status: 200, description: "The approvals in the order of their ids.", schema: approvalsOutput }],
  },
  approve_call: {
    method: "post",
    path: "/api/admin/approvals/{id}/approve",
    summary: "Approve a call",
    description:
      "The call is decided again before it runs, so it may still be refused. A person cannot approve their own call, and an editor cannot approve calls of an agent that they created.",
    who: "calls:approve",
    params: idInPath,
    body: approvalAnswer,
    answers: [{ status: 200, description: "The approval; the call is queued.", schema: approvalDetail }],
    errors: ["conflict"],
  },
  refuse_call: {
    method: "post",
    path: "/api/admin/approvals/{id}/refuse",
    summary: "Refuse a call",
    description: "The caller receives `approval_denied` with the reason.",
    who: "calls:approve",
    params: idInPath,
    body: approvalAnswer,
    answers: [{ status: 200, description: "The approval; the call has ended.", schema: approvalDetail }],
    errors: ["conflict"],
  },
} as const satisfies Contracts;
