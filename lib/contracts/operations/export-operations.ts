import type { Operation } from "@/lib/contracts/operations/operation";
import { EXPORT_TYPES } from "@/lib/contracts/changes/export";
import { EXPORTED_LISTS, type ExportedList } from "@/lib/contracts/changes/exported-lists";

/** The chapter of each list. */
const CHAPTERS = {
  approvals: "log",
  audit: "log",
  changes: "log",
  deliveries: "webhooks",
  denials: "log",
  drift: "imports",
  findings: "preview",
  profiles: "profiles",
  secrets: "secrets",
  sessions: "log",
} as const satisfies Record<ExportedList, Operation["chapter"]>;

/** Exports of lists without a resource. Exports of resources are among the operations of each resource. */
export const EXPORT_OPERATIONS: readonly Operation[] = (Object.keys(EXPORTED_LISTS) as ExportedList[]).map((list) => {
  const { words, query, who } = EXPORTED_LISTS[list];
  return {
    id: `export_${list}`,
    method: "get",
    path: `/api/admin/exports/${list}`,
    chapter: CHAPTERS[list],
    summary: `Export ${words[1]} as CSV or JSONL`,
    description: "Every row that the list matches, with its search, filters and order, as a file. No bodies.",
    who,
    query,
    answers: [{ status: 200, description: "One row a line.", types: Object.values(EXPORT_TYPES) }],
  };
});
