import type { Operation } from "@/lib/api/operation";
import { erasureInput, erasureOutput, erasureQuery } from "@/lib/resources/erasure";

/** What leaves the log on purpose: bodies that are erased, months that are archived and dropped. */
export const RETENTION_OPERATIONS: readonly Operation[] = [
  {
    id: "erase_bodies",
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
];
