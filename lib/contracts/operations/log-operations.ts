import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { auditPage, auditQuery, auditRow } from "@/lib/contracts/log/audit-trail";
import { executionDetail, executionFilters, executionPage, executionQuery } from "@/lib/contracts/log/execution";
import { executionExportQuery, exportManifest, LOG_EXPORT_TYPES } from "@/lib/contracts/log/execution-export";
import { executionHistogram } from "@/lib/contracts/log/histogram";
import { listQuery } from "@/lib/contracts/changes/list";
import { machineActivity } from "@/lib/contracts/decisions/machine-activity";
import { idInPath, nameInPath } from "@/lib/resources/parts/name";
import { attention } from "@/lib/contracts/changes/attention";
import { overviewOutput, overviewQuery } from "@/lib/contracts/changes/overview";
import { executionProof, sealStatus, verifyOutput } from "@/lib/contracts/log/seal";
import { sessionDetail, sessionPage } from "@/lib/contracts/log/session";

/**
 * Operations on the log, its seals and exports, the overview, and agents' sessions (docs/reference/http.md#admin-api).
 */
export const LOG_OPERATIONS = {
  list_audit_trail: {
    ...at.get("/api/admin/audit"),
    summary: "List the audit trail: audit events, refusals and changes of the configuration, newest first",
    who: "audit:read",
    query: auditQuery,
    answers: [ok("Who did what, and when.", auditPage)],
  },
  read_audit_entry: {
    ...at.get("/api/admin/audit/{id}"),
    summary: "Read one entry of the audit trail",
    who: "audit:read",
    params: idInPath,
    answers: [ok("Who did what, and when.", auditRow)],
  },
  list_executions: {
    ...at.get("/api/admin/executions"),
    summary: "List calls, newest first",
    description:
      "`arguments=true` adds each call's arguments, redacted as they are stored, for who has `executions:bodies`; that they were read is logged.",
    who: "executions:read",
    query: executionQuery,
    answers: [ok("A page, without results.", executionPage)],
  },
  count_executions: {
    ...at.get("/api/admin/executions/histogram"),
    summary: "Count calls over time by outcome",
    description: "Takes the filters of the list. Without `from`, it begins with the first call of the last 30 days.",
    who: "executions:read",
    query: executionFilters,
    answers: [ok("Every interval of the time range, including empty ones.", executionHistogram)],
  },
  export_executions: {
    ...at.get("/api/admin/executions/export"),
    summary: "Export the log as CSV, JSONL or OCSF",
    description:
      "Every call that matches the filters, as a file. The request writes an audit event. After the last byte, the address in `Link` has a signed record of the export (filter, count, SHA-256). With `bodies=true` (needs `executions:bodies`, writes an audit event) the file includes redacted arguments and results, or a note that they were erased.",
    who: "executions:export",
    query: executionExportQuery,
    answers: [{ status: 200, description: "One call per line.", types: [...new Set(Object.values(LOG_EXPORT_TYPES))] }],
  },
  read_export: {
    ...at.get("/api/admin/executions/exports/{id}"),
    summary: "Read the record of a log export",
    description: "404 until the export has ended. A file without this record is incomplete.",
    who: "executions:export",
    params: idInPath,
    answers: [ok("The signed manifest.", exportManifest)],
  },
  read_seals: {
    ...at.get("/api/admin/executions/seals"),
    summary: "Read the state of the log's seals",
    description:
      "The last seal, how many rows wait for one, and the last checkpoint of the checkpoint store. Reads no rows.",
    who: "executions:verify",
    answers: [ok("The state of the log.", sealStatus)],
    errors: ["conflict"],
  },
  verify_executions: {
    ...at.get("/api/admin/executions/verify"),
    summary: "Verify the log against its seals",
    description:
      "Compares every row and body with its seal, and every seal with its signature, the seal before it and the checkpoint store. Takes seconds for a million rows. Differences send the event `audit.alarm`, as does a checkpoint store with a damaged line, which is a 409.",
    who: "executions:verify",
    answers: [ok("The counts of compared rows, and every difference.", verifyOutput)],
    errors: ["conflict"],
  },
  prove_execution: {
    ...at.get("/api/admin/executions/{id}/proof"),
    summary: "Export the proof of one call",
    description:
      "The sealed rows of the call, the audit event that answered its approval, the Merkle paths (RFC 9162) to signed roots, and the keys. `npx quartermaster verify-proof` verifies it offline against the keys of `/api/jwks.json?use=seal`. 404 until the call is sealed, which takes seconds.",
    who: "executions:verify",
    params: idInPath,
    answers: [ok("The proof.", executionProof)],
    errors: ["conflict", "dropped"],
  },
  read_overview: {
    ...at.get("/api/admin/overview"),
    summary: "Read statistics of calls: counts, outcomes and durations",
    description:
      "Of a time range, the last 24 hours by default: in total, per interval, per refusing rule and per source.",
    who: "executions:read",
    query: overviewQuery,
    answers: [ok("The statistics.", overviewOutput)],
  },
  read_attention: {
    ...at.get("/api/admin/attention"),
    summary: "Read what waits for people",
    description:
      "In one answer, for the frame of every page: the pauses in force; counts of waiting calls, open requests and tools to review; the changes without review that nobody has confirmed. A part that could not be read is `null`.",
    who: "executions:read",
    answers: [ok("The counts, pauses and changes.", attention)],
  },
  read_execution: {
    ...at.get("/api/admin/executions/{id}"),
    summary: "Read one call",
    description:
      "Redacted bodies are included for `executions:bodies`; reading them writes an audit event. A call of a dropped month is a 410 that names the month, its archive and the command that reads the archive.",
    who: "executions:read",
    params: idInPath,
    answers: [ok("The call, its decision with the reason, and its bodies.", executionDetail)],
    errors: ["dropped"],
  },
  read_machine_activity: {
    ...at.get("/api/admin/machines/{name}/activity"),
    summary: "Count a machine's live sessions per state and its transitions in 24 hours",
    who: "executions:read",
    params: nameInPath,
    answers: [ok("The counts; those of 0 are left out.", machineActivity)],
  },
  list_sessions: {
    ...at.get("/api/admin/sessions"),
    summary: "List the sessions of all agents, most recently used first",
    who: "executions:read",
    query: listQuery,
    answers: [ok("A page without session contents.", sessionPage)],
  },
  read_agent_session: {
    ...at.get("/api/admin/sessions/{id}"),
    summary: "Read one session",
    description: "The contents are included for `executions:bodies`; reading them writes an audit event.",
    who: "executions:read",
    params: idInPath,
    answers: [ok("The session.", sessionDetail)],
  },
} as const satisfies Contracts;
