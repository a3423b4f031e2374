import { z } from "zod";
import type { Contracts } from "@/lib/contracts/operations/operation";
import { assertionRunInput, assertionRunOutput } from "@/lib/contracts/decisions/assertion-run";
import { DRAFT_BOUNDS } from "@/lib/contracts/changes/document-limits";
import { callersInput, callersOutput } from "@/lib/contracts/decisions/callers";
import { comparisonInput, comparisonOutput } from "@/lib/contracts/decisions/comparison";
import { findingQuery, findingsOutput } from "@/lib/contracts/decisions/finding";
import { groupMatchesInput, groupMatchesOutput } from "@/lib/contracts/decisions/group-matches";
import {
  claimPathsOutput,
  impactInput,
  impactOutput,
  matcherCountsInput,
  matcherCountsOutput,
} from "@/lib/contracts/decisions/impact";
import { previewInput, previewOutput } from "@/lib/contracts/decisions/preview";
import { replayInput, replayOutput } from "@/lib/contracts/decisions/replay";

/** Operations that preview decisions of a configuration, and its findings (docs/reference/http.md#admin-api). */
export const PREVIEW_OPERATIONS = {
  preview: {
    method: "post",
    path: "/api/admin/preview",
    chapter: "preview",
    summary: "Preview which tools a caller has, and why",
    description:
      "A caller is free claims, a persona, an agent, or a logged execution. Through the same resolver as every call; with `config` against a whole document that is not saved.",
    who: "configuration:read",
    body: previewInput,
    bounds: DRAFT_BOUNDS,
    answers: [
      { status: 200, description: "Visible and hidden tools, with the trace of every step.", schema: previewOutput },
    ],
    errors: ["not_found", "dropped"],
  },
  measure_impact: {
    method: "post",
    path: "/api/admin/impact",
    chapter: "preview",
    summary: "Measure what a change would do before it is saved",
    description:
      "Of one row, the settings or a whole document: per persona and distinct recent caller the tools gained and lost, and which of the latest calls would be decided otherwise. With `arguments` logged arguments are judged too; that needs `executions:bodies`.",
    who: "configuration:read",
    body: impactInput,
    bounds: DRAFT_BOUNDS,
    answers: [{ status: 200, description: "Callers and calls, what is lost first.", schema: impactOutput }],
    errors: ["not_found", "rate_limited"],
  },
  count_matching_callers: {
    method: "post",
    path: "/api/admin/impact/matchers",
    chapter: "preview",
    summary: "Count the recent callers that conditions hold for",
    description:
      "Without `executions:bodies` counts are coarse: 0, 1 (1 to 4) or 5 (5 and more), and at most 120 conditions a minute are counted.",
    who: "configuration:read",
    body: matcherCountsInput,
    answers: [{ status: 200, description: "One count a condition.", schema: matcherCountsOutput }],
    errors: ["rate_limited"],
  },
  list_claim_paths: {
    method: "get",
    path: "/api/admin/impact/claim-paths",
    chapter: "preview",
    summary: "List where recent callers carried claims",
    who: "configuration:read",
    answers: [{ status: 200, description: "Paths without values, what most carried first.", schema: claimPathsOutput }],
  },
  list_findings: {
    method: "get",
    path: "/api/admin/findings",
    chapter: "preview",
    summary: "List what in the configuration is probably not meant",
    who: "configuration:read",
    query: findingQuery,
    answers: [{ status: 200, description: "A page, with counts by kind.", schema: findingsOutput }],
  },
  run_assertions: {
    method: "post",
    path: "/api/admin/assertions/run",
    chapter: "preview",
    summary: "Run the stored assertions on the configuration in force",
    who: "configuration:read",
    body: assertionRunInput,
    answers: [
      { status: 200, description: "Which hold, and what is wrong with the others.", schema: assertionRunOutput },
    ],
  },
  match_group: {
    method: "post",
    path: "/api/admin/groups/matches",
    chapter: "preview",
    summary: "List who would be in a draft of a tool group",
    who: "configuration:read",
    body: groupMatchesInput,
    answers: [
      {
        status: 200,
        description: "Members, with the clause that caught each, and near misses.",
        schema: groupMatchesOutput,
      },
    ],
  },
  compare_previews: {
    method: "post",
    path: "/api/admin/preview/compare",
    chapter: "preview",
    summary: "Compare two previews",
    description:
      "Two callers, or one caller under the rules in force and under a draft or an old revision: tools gained and lost, each with the reason that hides it on the one side and the grants that show it on the other.",
    who: "configuration:read",
    body: comparisonInput,
    bounds: DRAFT_BOUNDS,
    answers: [{ status: 200, description: "What differs between the two.", schema: comparisonOutput }],
    errors: ["not_found", "dropped"],
  },
  list_callers: {
    method: "post",
    path: "/api/admin/preview/callers",
    chapter: "preview",
    summary: "List who can see a tool, a group or what a policy gives",
    description:
      "Every persona, registered agent and recent caller, with the sentence that decided: the real resolver, asked for each.",
    who: "configuration:read",
    body: callersInput,
    answers: [{ status: 200, description: "Who can see it, and why.", schema: callersOutput }],
    errors: ["not_found"],
  },
  replay_execution: {
    method: "post",
    path: "/api/admin/executions/{id}/replay",
    chapter: "log",
    summary: "Decide a logged call again",
    description:
      "From its own inputs, under its own revision and under another. Nothing is run; that its inputs were read is written down.",
    who: "executions:bodies",
    params: z.object({ id: z.string().max(64) }),
    body: replayInput,
    answers: [
      { status: 200, description: "What the log says, and what both sets of rules say.", schema: replayOutput },
    ],
    errors: ["conflict", "dropped"],
  },
} as const satisfies Contracts;
