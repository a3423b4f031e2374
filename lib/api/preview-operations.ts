import { z } from "zod";
import type { Operation } from "@/lib/api/operation";
import { callersInput, callersOutput } from "@/lib/resources/callers";
import { comparisonInput, comparisonOutput } from "@/lib/resources/comparison";
import { replayInput, replayOutput } from "@/lib/resources/replay";

/** What the preview can do beside one preview: two compared, and a logged call decided again. */
export const PREVIEW_OPERATIONS: readonly Operation[] = [
  {
    id: "compare_previews",
    method: "post",
    path: "/api/admin/preview/compare",
    chapter: "preview",
    summary: "Compare two previews",
    description:
      "Two callers, or one caller under the rules in force and under a draft or an old revision: tools gained and lost, each with the reason that hides it on the one side and the grants that show it on the other.",
    who: "configuration:read",
    body: comparisonInput,
    answers: [{ status: 200, description: "What differs between the two.", schema: comparisonOutput }],
    errors: ["not_found", "dropped"],
  },
  {
    id: "list_callers",
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
  {
    id: "replay_execution",
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
];
