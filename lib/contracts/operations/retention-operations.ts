import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { erasureInput, erasureOutput, erasureQuery } from "@/lib/contracts/log/erasure";
import { archiveRequested, archiveInput, logMonths } from "@/lib/contracts/log/retention";

/** Operations that remove parts of the log on purpose: erasing bodies, archiving and dropping months. */
export const RETENTION_OPERATIONS = {
  erase_bodies: {
    ...at.post("/api/admin/executions/erasure"),
    summary: "Erase the bodies of a caller's calls",
    description:
      "Erases the arguments and results of a subject's or an agent's calls, claims that no other call was decided with, and the contents of their sessions. Rows and seals stay, and each row says that its bodies were erased. This cannot be undone: count first with `dryRun=true`.",
    who: "retention:write",
    query: erasureQuery,
    body: erasureInput,
    answers: [ok("The counts of erased bodies; in a dry run, of those it would erase.", erasureOutput)],
  },
  list_log_months: {
    ...at.get("/api/admin/executions/archives"),
    summary: "List the months of the log with rows, archives and drop dates",
    description:
      "Calls belong to the month in which they began, audit events to the month in which they happened. Both are archived and dropped together.",
    who: "executions:verify",
    answers: [ok("The newest month first.", logMonths)],
  },
  archive_month: {
    ...at.post("/api/admin/executions/archives"),
    summary: "Archive a month of the log",
    description:
      "Writes each call and each audit event, as sealed, to ARCHIVE_DIR or ARCHIVE_URL, and reads the archive back. The list of months has the progress. Archiving drops nothing: the settings say how many months to keep.",
    who: "retention:write",
    body: archiveInput,
    answers: [{ status: 202, description: "The archive is queued.", schema: archiveRequested }],
    errors: ["conflict"],
  },
} as const satisfies Contracts;
