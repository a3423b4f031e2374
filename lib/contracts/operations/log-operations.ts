import { z } from "zod";
import type { Contracts } from "@/lib/contracts/operations/operation";
import { auditPage, auditQuery, auditRow } from "@/lib/contracts/log/audit-trail";
import { executionDetail, executionFilters, executionPage, executionQuery } from "@/lib/contracts/log/execution";
import { executionExportQuery, exportManifest, LOG_EXPORT_TYPES } from "@/lib/contracts/log/execution-export";
import { executionHistogram } from "@/lib/contracts/log/histogram";
import { listQuery } from "@/lib/contracts/changes/list";
import { machineActivity } from "@/lib/contracts/decisions/machine-activity";
import { slug } from "@/lib/resources/parts/name";
import { overviewOutput, overviewQuery } from "@/lib/contracts/changes/overview";
import { executionProof, sealStatus, verifyOutput } from "@/lib/contracts/log/seal";
import { sessionDetail, sessionPage } from "@/lib/contracts/log/session";

/**
 * Operations on the log, its seals and exports, the overview, and agents' sessions (docs/reference/http.md#admin-api).
 */
export const LOG_OPERATIONS = {
  list_audit_trail: {
    method: "get",
    path: "/api/admin/audit",
    chapter: "log",
    summary: "List the audit trail: audit events, refusals and changes of the configuration, newest first",
    who: "audit:read",
    query: auditQuery,
    answers: [{ status: 200, description: "Who did what, when.", schema: auditPage }],
  },
  read_audit_entry: {
    method: "get",
    path: "/api/admin/audit/{id}",
    chapter: "log",
    summary: "Read one entry of the audit trail",
    who: "audit:read",
    params: z.object({ id: z.string().max(64) }),
    answers: [{ status: 200, description: "Who did what, when.", schema: auditRow }],
  },
  list_executions: {
    method: "get",
    path: "/api/admin/executions",
    chapter: "log",
    summary: "List calls, newest first",
    who: "executions:read",
    query: executionQuery,
    answers: [{ status: 200, description: "A page without bodies.", schema: executionPage }],
  },
  count_executions: {
    method: "get",
    path: "/api/admin/executions/histogram",
    chapter: "log",
    summary: "Count calls over time by how they ended",
    description: "Under the filters of the list. Without `from` it reaches back to the first call of the last 30 days.",
    who: "executions:read",
    query: executionFilters,
    answers: [{ status: 200, description: "Every step of that time, empty ones too.", schema: executionHistogram }],
  },
  export_executions: {
    method: "get",
    path: "/api/admin/executions/export",
    chapter: "log",
    summary: "Export the log as CSV, JSONL or OCSF",
    description:
      "Every call that the filters match, as a file. That it was asked for is logged; what it was (filter, count, SHA-256) is at the address in `Link`, signed, once the last byte has gone out. With `bodies=true` (JSONL and OCSF, for who has `executions:bodies`; written down as reading them) also arguments and results, redacted, or that they were erased.",
    who: "executions:export",
    query: executionExportQuery,
    answers: [{ status: 200, description: "One call a line.", types: [...new Set(Object.values(LOG_EXPORT_TYPES))] }],
  },
  read_export: {
    method: "get",
    path: "/api/admin/executions/exports/{id}",
    chapter: "log",
    summary: "Read what an export of the log was",
    description: "404 until it was written to its end: a file without this is not whole.",
    who: "executions:export",
    params: z.object({ id: z.string().max(64) }),
    answers: [{ status: 200, description: "Its manifest.", schema: exportManifest }],
  },
  read_seals: {
    method: "get",
    path: "/api/admin/executions/seals",
    chapter: "log",
    summary: "Read how the log's seals stand",
    description:
      "The last seal, how many rows wait for one, and the last checkpoint of the checkpoint store. Reads no rows.",
    who: "executions:verify",
    answers: [{ status: 200, description: "How the log stands.", schema: sealStatus }],
  },
  verify_executions: {
    method: "get",
    path: "/api/admin/executions/verify",
    chapter: "log",
    summary: "Verify that nobody edited the log",
    description:
      "Every row and body against its seal, every seal against its signature, the seal before it and the checkpoint store. Takes seconds for a million rows. What is found is announced as `audit.alarm`.",
    who: "executions:verify",
    answers: [{ status: 200, description: "What was compared, and everything that is wrong.", schema: verifyOutput }],
  },
  prove_execution: {
    method: "get",
    path: "/api/admin/executions/{id}/proof",
    chapter: "log",
    summary: "Prove one execution to somebody else",
    description:
      "Its sealed rows, the Merkle paths (RFC 9162) to signed roots, and the keys. `npx quartermaster verify-proof` checks it offline, against the keys of `/api/jwks.json`. 404 until it is sealed, which takes seconds.",
    who: "executions:verify",
    params: z.object({ id: z.string().max(64) }),
    answers: [{ status: 200, description: "The proof.", schema: executionProof }],
    errors: ["conflict", "dropped"],
  },
  read_overview: {
    method: "get",
    path: "/api/admin/overview",
    chapter: "log",
    summary: "Read how many calls there were, how they ended and how long they took",
    description:
      "Between two times, the last 24 hours unless stated: in all, step by step, by rule that refused, by source.",
    who: "executions:read",
    query: overviewQuery,
    answers: [{ status: 200, description: "The figures.", schema: overviewOutput }],
  },
  read_execution: {
    method: "get",
    path: "/api/admin/executions/{id}",
    chapter: "log",
    summary: "Read one call",
    description:
      "With its redacted bodies for who has `executions:bodies`; that they were read is written down. A call of a month that was dropped is a 410 that names the month, its archive and the command that reads it there.",
    who: "executions:read",
    params: z.object({ id: z.string().max(64) }),
    answers: [
      { status: 200, description: "The call, why it was decided so, and its bodies.", schema: executionDetail },
    ],
    errors: ["dropped"],
  },
  read_machine_activity: {
    method: "get",
    path: "/api/admin/machines/{name}/activity",
    chapter: "log",
    summary: "Read how many live sessions are in each state of a machine, and which transitions calls took in 24 hours",
    who: "executions:read",
    params: z.object({ name: slug }),
    answers: [{ status: 200, description: "What there is; what is at 0 is left out.", schema: machineActivity }],
  },
  list_sessions: {
    method: "get",
    path: "/api/admin/sessions",
    chapter: "log",
    summary: "List the sessions of all agents, last used first",
    who: "executions:read",
    query: listQuery,
    answers: [{ status: 200, description: "A page, without what they were told.", schema: sessionPage }],
  },
  read_agent_session: {
    method: "get",
    path: "/api/admin/sessions/{id}",
    chapter: "log",
    summary: "Read one session",
    description: "With what it was told for who has `executions:bodies`; that it was read is written down.",
    who: "executions:read",
    params: z.object({ id: z.string().max(64) }),
    answers: [{ status: 200, description: "The session.", schema: sessionDetail }],
  },
} as const satisfies Contracts;
