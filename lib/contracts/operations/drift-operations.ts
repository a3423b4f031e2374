import { z } from "zod";
import type { Contracts } from "@/lib/contracts/operations/operation";
import { driftDecided, driftDecision, driftDecisions, driftDetail, driftPage } from "@/lib/contracts/sources/drift";
import { importStarted } from "@/lib/contracts/sources/import-job";
import { listQuery } from "@/lib/contracts/changes/list";
import { slug, toolInPath } from "@/lib/resources/parts/name";
import { sourceHealthList } from "@/lib/contracts/sources/source-health";

const decided = [{ status: 200, description: "The revision that holds the decision.", schema: driftDecided }] as const;

/** Operations on syncs, their findings and their health (docs/reference/execution.md#sync). */
export const DRIFT_OPERATIONS = {
  sync_source: {
    method: "post",
    path: "/api/admin/sources/{name}/sync",
    chapter: "imports",
    summary: "Read a source again from its stored address",
    description:
      "Changed tools go into quarantine, tools that are gone become deprecated, new operations wait, or join where the source says so: see `GET /api/admin/drift`. One at a time for each source.",
    who: "configuration:write",
    params: z.object({ name: slug }),
    answers: [
      { status: 202, description: "Ask for this import until it is `applied` or `failed`.", schema: importStarted },
    ],
    errors: ["conflict"],
  },
  list_source_health: {
    method: "get",
    path: "/api/admin/source-health",
    chapter: "imports",
    summary: "List how the syncs of imported sources go, and breakers that are not closed",
    who: "configuration:read",
    answers: [{ status: 200, description: "Every imported source, every tripped breaker.", schema: sourceHealthList }],
  },
  list_drift: {
    method: "get",
    path: "/api/admin/drift",
    chapter: "imports",
    summary: "List what sources say otherwise than the catalogue, newest first",
    description: "Filters: `source`, `kind`, `severity`, `since` (ISO 8601), `decision` (`pending` or `rejected`).",
    who: "configuration:read",
    query: listQuery,
    answers: [{ status: 200, description: "A page.", schema: driftPage }],
  },
  read_drift: {
    method: "get",
    path: "/api/admin/drift/{id}",
    chapter: "imports",
    summary: "Read one tool of the review with both definitions",
    who: "configuration:read",
    params: toolInPath,
    answers: [{ status: 200, description: "The approved definition and the new one.", schema: driftDetail }],
  },
  approve_drift: {
    method: "post",
    path: "/api/admin/drift/{id}/approve",
    chapter: "imports",
    summary: "Take the new definition over",
    description: "`hash` is of what was looked at: when the tool or its source changed meanwhile, it is a 409.",
    who: "configuration:write",
    params: toolInPath,
    body: driftDecision,
    answers: decided,
    errors: ["stale", "conflict"],
  },
  reject_drift: {
    method: "post",
    path: "/api/admin/drift/{id}/reject",
    chapter: "imports",
    summary: "Keep a changed tool in quarantine, or a new one out",
    who: "configuration:write",
    params: toolInPath,
    body: driftDecision,
    answers: decided,
    errors: ["stale", "conflict"],
  },
  approve_drift_items: {
    method: "post",
    path: "/api/admin/drift/approve",
    chapter: "imports",
    summary: "Take several new definitions over, all or none",
    who: "configuration:write",
    body: driftDecisions,
    answers: decided,
    errors: ["not_found", "stale", "conflict"],
  },
  reject_drift_items: {
    method: "post",
    path: "/api/admin/drift/reject",
    chapter: "imports",
    summary: "Keep several changed tools in quarantine, and several new ones out, all or none",
    description: "One that is gone from its source is a 409: there is nothing to keep.",
    who: "configuration:write",
    body: driftDecisions,
    answers: decided,
    errors: ["not_found", "stale", "conflict"],
  },
} as const satisfies Contracts;
