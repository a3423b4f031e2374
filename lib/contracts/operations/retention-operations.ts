import type { Contracts } from "@/lib/contracts/operations/operation";
import { erasureInput, erasureOutput, erasureQuery } from "@/lib/contracts/log/erasure";
import { archiveRequested, archiveInput, logMonths } from "@/lib/contracts/log/retention";

/** Operations that remove parts of the log on purpose: erasing bodies, archiving and dropping months. */
export const RETENTION_OPERATIONS = {
  erase_bodies: {
    method: "post",
    path: "/api/admin/executions/erasure",
    chapter: "log",
    summary: "Erase what a caller's calls said",
    description:
      "Arguments and results of a subject's or an agent's calls, claims that no other call is decided on, and what its sessions were told. Rows and seals stay, and each row says that its bodies were erased. It cannot be undone: `dryRun=true` counts first.",
    who: "retention:write",
    query: erasureQuery,
    body: erasureInput,
    answers: [{ status: 200, description: "How much was erased, or would be.", schema: erasureOutput }],
  },
  list_log_months: {
    method: "get",
    path: "/api/admin/executions/archives",
    chapter: "log",
    summary: "List the months of the log: their rows, archives, and when they are dropped",
    description:
      "Calls belong to the month in which they began, audit events to the month in which they happened. Both are archived and dropped together.",
    who: "executions:verify",
    answers: [{ status: 200, description: "The newest month first.", schema: logMonths }],
  },
  archive_month: {
    method: "post",
    path: "/api/admin/executions/archives",
    chapter: "log",
    summary: "Archive a month of the log",
    description:
      "Writes each row of calls and each audit event as it was sealed to ARCHIVE_DIR or ARCHIVE_URL, and reads it back; the list says how far it is. Nothing is dropped by this: the settings say how many months are kept.",
    who: "retention:write",
    body: archiveInput,
    answers: [{ status: 202, description: "It was asked for.", schema: archiveRequested }],
    errors: ["conflict"],
  },
} as const satisfies Contracts;
