import { z } from "zod";
import type { Contracts } from "@/lib/contracts/operations/operation";
import { approvalAnswer, approvalDetail, approvalPage } from "@/lib/contracts/log/approval";
import { listQuery } from "@/lib/contracts/changes/list";

const params = z.object({ id: z.string().max(64) });

/** Operations on calls that wait for a person (docs/reference/execution.md#approvals). */
export const APPROVAL_OPERATIONS = {
  list_approvals: {
    method: "get",
    path: "/api/admin/approvals",
    chapter: "log",
    summary: "List the calls that wait for an approval, and those that were answered",
    description:
      "Filters: `status`, `agent`, `subject`, `tool`, `decidedBy`; sort: `closesAt`, `at`. What waits comes first.",
    who: "executions:read",
    query: listQuery,
    answers: [{ status: 200, description: "A page without arguments.", schema: approvalPage }],
  },
  read_approval: {
    method: "get",
    path: "/api/admin/approvals/{id}",
    chapter: "log",
    summary: "Read one of them",
    description:
      "With its arguments for who has `calls:approve` while it waits, and for who has `executions:bodies`; that they were read is written down.",
    who: "executions:read",
    params,
    answers: [{ status: 200, description: "What was asked, by whom, and why it was granted.", schema: approvalDetail }],
    errors: ["dropped"],
  },
  approve_call: {
    method: "post",
    path: "/api/admin/approvals/{id}/approve",
    chapter: "log",
    summary: "Approve a call",
    description:
      "It is decided again before it runs, so it may still be refused. Nobody approves their own call, and an editor none of an agent that they made.",
    who: "calls:approve",
    params,
    body: approvalAnswer,
    answers: [{ status: 200, description: "It is queued.", schema: approvalDetail }],
    errors: ["conflict"],
  },
  refuse_call: {
    method: "post",
    path: "/api/admin/approvals/{id}/refuse",
    chapter: "log",
    summary: "Refuse a call",
    description: "Its caller is told `approval_denied` with the reason.",
    who: "calls:approve",
    params,
    body: approvalAnswer,
    answers: [{ status: 200, description: "It has ended.", schema: approvalDetail }],
    errors: ["conflict"],
  },
} as const satisfies Contracts;
