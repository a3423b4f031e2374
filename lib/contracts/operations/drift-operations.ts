import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { driftDecided, driftDecision, driftDecisions, driftDetail, driftPage } from "@/lib/contracts/sources/drift";
import { importStarted } from "@/lib/contracts/sources/import-job";
import { listQuery } from "@/lib/contracts/changes/list";
import { nameInPath, toolInPath } from "@/lib/resources/parts/name";
import { sourceHealthList } from "@/lib/contracts/sources/source-health";

const decided = [ok("The revision with the decision.", driftDecided)] as const;

/** Operations on syncs, their findings and their health (docs/reference/execution.md#sync). */
export const DRIFT_OPERATIONS = {
  sync_source: {
    ...at.post("/api/admin/sources/{name}/sync"),
    summary: "Sync a source from its stored address",
    description:
      "Changed tools go into quarantine, and missing tools become deprecated. New operations wait for review, unless the source adds them by itself: see `GET /api/admin/drift`. A source has one sync at a time.",
    who: "configuration:write",
    params: nameInPath,
    answers: [
      { status: 202, description: "Poll this import until it is `applied` or `failed`.", schema: importStarted },
    ],
    errors: ["conflict"],
  },
  list_source_health: {
    ...at.get("/api/admin/source-health"),
    summary: "List the health of sources: syncs and open circuit breakers",
    who: "configuration:read",
    answers: [ok("Every imported source, and every circuit breaker that is not closed.", sourceHealthList)],
  },
  list_drift: {
    ...at.get("/api/admin/drift"),
    summary: "List drift: differences between sources and the catalogue, newest first",
    description: "Filters: `source`, `kind`, `severity`, `since` (ISO 8601), `decision` (`pending` or `rejected`).",
    who: "configuration:read",
    query: listQuery,
    answers: [ok("A page.", driftPage)],
  },
  read_drift: {
    ...at.get("/api/admin/drift/{id}"),
    summary: "Read the drift of one tool with both definitions",
    who: "configuration:read",
    params: toolInPath,
    answers: [ok("The approved definition and the new one.", driftDetail)],
  },
  approve_drift: {
    ...at.post("/api/admin/drift/{id}/approve"),
    summary: "Approve the drift of one tool",
    description:
      "`hash` names the reviewed definition. If the tool or its source has changed since, the answer is a 409.",
    who: "configuration:write",
    reviewed: true,
    params: toolInPath,
    body: driftDecision,
    answers: decided,
    errors: ["stale", "conflict"],
  },
  reject_drift: {
    ...at.post("/api/admin/drift/{id}/reject"),
    summary: "Reject the drift of one tool",
    who: "configuration:write",
    params: toolInPath,
    body: driftDecision,
    answers: decided,
    errors: ["stale", "conflict"],
  },
  approve_drift_items: {
    ...at.post("/api/admin/drift/approve"),
    summary: "Approve the drift of several tools, all or none",
    who: "configuration:write",
    reviewed: true,
    body: driftDecisions,
    answers: decided,
    errors: ["not_found", "stale", "conflict"],
  },
  reject_drift_items: {
    ...at.post("/api/admin/drift/reject"),
    summary: "Reject the drift of several tools, all or none",
    description: "A tool that is missing from its source cannot be rejected: the answer is a 409.",
    who: "configuration:write",
    body: driftDecisions,
    answers: decided,
    errors: ["not_found", "stale", "conflict"],
  },
} as const satisfies Contracts;
