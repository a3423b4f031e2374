import { z } from "zod";
import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { assertionRunInput, assertionRunOutput } from "@/lib/contracts/decisions/assertion-run";
import { DRAFT_BOUNDS } from "@/lib/contracts/changes/document-limits";
import { agentSizes } from "@/lib/contracts/decisions/agent-sizes";
import { builtInGroups } from "@/lib/contracts/decisions/built-in-groups";
import { groupSizes } from "@/lib/contracts/decisions/group-sizes";
import { callersInput, callersOutput } from "@/lib/contracts/decisions/callers";
import { comparisonInput, comparisonOutput } from "@/lib/contracts/decisions/comparison";
import { findingQuery, findingsOutput } from "@/lib/contracts/decisions/finding";
import { groupMatchesInput, groupMatchesOutput } from "@/lib/contracts/decisions/group-matches";
import {
  claimPathsOutput,
  claimValuesOutput,
  claimValuesQuery,
  impactInput,
  impactOutput,
  matcherCountsInput,
  matcherCountsOutput,
} from "@/lib/contracts/decisions/impact";
import { previewInput, previewOutput } from "@/lib/contracts/decisions/preview";
import { replayInput, replayOutput } from "@/lib/contracts/decisions/replay";
import { toolGroups } from "@/lib/contracts/decisions/tool-groups";
import { idInPath, toolId } from "@/lib/resources/parts/name";

/** Operations that preview decisions of a configuration, and its findings (docs/reference/http.md#admin-api). */
export const PREVIEW_OPERATIONS = {
  preview: {
    ...at.post("/api/admin/preview"),
    summary: "Preview a caller's tools, with a reason for each",
    description:
      "The caller is given as claims, a persona, an agent or a logged call. The resolver is the same as for calls. With `config`, it decides on an unsaved configuration document.",
    who: "configuration:read",
    body: previewInput,
    bounds: DRAFT_BOUNDS,
    answers: [ok("Visible and hidden tools, with a trace of every step.", previewOutput)],
    errors: ["not_found", "dropped"],
  },
  measure_impact: {
    ...at.post("/api/admin/impact"),
    summary: "Measure the impact of a change before it is saved",
    description:
      "The change is one row, the settings or a whole document. The answer has the tools that each persona and recent caller gains and loses, and the recent calls whose decision changes. With `arguments`, logged arguments are judged too; this needs `executions:bodies`.",
    who: "configuration:read",
    body: impactInput,
    bounds: DRAFT_BOUNDS,
    answers: [ok("Callers and calls, losses first.", impactOutput)],
    errors: ["not_found", "rate_limited"],
  },
  count_matching_callers: {
    ...at.post("/api/admin/impact/matchers"),
    summary: "Count the recent callers that match conditions",
    description:
      "Without `executions:bodies`, counts are coarse: 0, 1 (1 to 4) or 5 (5 or more), and at most 120 conditions per minute are counted.",
    who: "configuration:read",
    body: matcherCountsInput,
    answers: [ok("One count per condition.", matcherCountsOutput)],
    errors: ["rate_limited"],
  },
  list_claim_paths: {
    ...at.get("/api/admin/impact/claim-paths"),
    summary: "List the claim paths of recent callers",
    who: "configuration:read",
    answers: [ok("Paths without values, the most frequent first.", claimPathsOutput)],
  },
  list_claim_values: {
    ...at.get("/api/admin/impact/claim-values"),
    summary: "List the values that recent callers carried at a claim path",
    who: "executions:bodies",
    query: claimValuesQuery,
    answers: [ok("Values, most frequent first.", claimValuesOutput)],
  },
  list_findings: {
    ...at.get("/api/admin/findings"),
    summary: "List findings: probable mistakes in the configuration",
    who: "configuration:read",
    query: findingQuery,
    answers: [ok("A page, with counts by kind.", findingsOutput)],
  },
  run_assertions: {
    ...at.post("/api/admin/assertions/run"),
    summary: "Run the stored assertions on the present configuration",
    who: "configuration:read",
    body: assertionRunInput,
    answers: [ok("Which assertions hold, and why the others fail.", assertionRunOutput)],
  },
  match_group: {
    ...at.post("/api/admin/groups/matches"),
    summary: "List the members of a draft tool group",
    who: "configuration:read",
    body: groupMatchesInput,
    answers: [ok("Members with the clause that selects each, and near misses.", groupMatchesOutput)],
  },
  list_built_in_groups: {
    ...at.get("/api/admin/built-in-groups"),
    summary: "List the built-in groups, their members and the policies that name them",
    who: "configuration:read",
    answers: [ok("`default` and `(ungrouped)`.", builtInGroups)],
  },
  list_group_sizes: {
    ...at.get("/api/admin/group-sizes"),
    summary: "Count the tools of each stored tool group",
    who: "configuration:read",
    answers: [ok("The stored groups, by name.", groupSizes)],
  },
  list_agent_sizes: {
    ...at.get("/api/admin/agent-sizes"),
    summary: "Count the tools that each agent sees",
    description:
      "For an agent with a state machine, the fewest and the most tools in any of its states. A disabled agent is counted as if it were enabled.",
    who: "configuration:read",
    answers: [ok("The registered agents, by name.", agentSizes)],
  },
  list_groups_of_tool: {
    ...at.get("/api/admin/tools/{id}/groups"),
    summary: "List the groups that contain a tool, each with the reason",
    who: "configuration:read",
    params: z.object({ id: toolId }),
    answers: [ok("The groups, by name.", toolGroups)],
  },
  compare_previews: {
    ...at.post("/api/admin/preview/compare"),
    summary: "Compare two previews",
    description:
      "Compares two callers, or one caller under the present configuration and under a draft or an older revision. Each gained or lost tool comes with the reason that hides it on one side and the grants that show it on the other.",
    who: "configuration:read",
    body: comparisonInput,
    bounds: DRAFT_BOUNDS,
    answers: [ok("The differences.", comparisonOutput)],
    errors: ["not_found", "dropped"],
  },
  list_callers: {
    ...at.post("/api/admin/preview/callers"),
    summary: "List the callers that can see a tool, a group or a policy's tools",
    description:
      "Runs the resolver for every persona, registered agent and recent caller, and gives the deciding reason of each.",
    who: "configuration:read",
    body: callersInput,
    answers: [ok("The callers that can see it, with reasons.", callersOutput)],
    errors: ["not_found", "rate_limited"],
  },
  replay_execution: {
    ...at.post("/api/admin/executions/{id}/replay"),
    chapter: "log",
    summary: "Replay the decision of a logged call",
    description:
      "Decides the logged inputs under the call's revision and under another one. Runs no tool. Writes an audit event, because it reads the inputs.",
    who: "executions:bodies",
    params: idInPath,
    body: replayInput,
    answers: [ok("The logged decision and both new decisions.", replayOutput)],
    errors: ["conflict", "dropped"],
  },
} as const satisfies Contracts;
