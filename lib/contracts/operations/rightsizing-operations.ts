import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import {
  agentUse,
  candidateDraft,
  candidateDraftInput,
  keepInput,
  rightsizingDetail,
  rightsizingPage,
  rightsizingQuery,
  windowQuery,
} from "@/lib/contracts/decisions/rightsizing";
import { nameInPath } from "@/lib/resources/parts/name";

/** Operations that compare what policies grant with what is used (docs/reference/decision.md#rightsizing). */
export const RIGHTSIZING_OPERATIONS = {
  list_rightsizing: {
    ...at.get("/api/admin/rightsizing"),
    summary: "List allow policies by the unused tools that they grant",
    description: "Reads counted use, never the log. The policy whose unused tools take the most tokens comes first.",
    who: "executions:read",
    query: rightsizingQuery,
    answers: [ok("A page of policies.", rightsizingPage)],
  },
  read_rightsizing: {
    ...at.get("/api/admin/rightsizing/{name}"),
    summary: "Read smaller grants for a policy, replayed on the calls of the window",
    description:
      "The first request starts the replay in the background; repeat it until `replay.state` is `done`. Every candidate comes with the calls that it keeps, and the exceptions.",
    who: "executions:read",
    params: nameInPath,
    query: windowQuery,
    answers: [ok("The policy, its tools and its candidates.", rightsizingDetail)],
    errors: ["overloaded"],
  },
  keep_tools: {
    ...at.put("/api/admin/rightsizing/{name}/keep"),
    summary: "Mark unused tools of a policy to keep, with a reason",
    description: "Marked tools do not count as unused. A `reason` of `null` removes the marks.",
    who: "configuration:write",
    params: nameInPath,
    body: keepInput,
    answers: [{ status: 204, description: "Marked." }],
  },
  draft_rightsizing: {
    ...at.post("/api/admin/rightsizing/{name}/draft"),
    summary: "Open a candidate as a draft",
    description:
      "Answers a configuration document with the smaller grant and an assertion that the kept tools stay visible. Saves nothing.",
    who: "configuration:write",
    params: nameInPath,
    body: candidateDraftInput,
    answers: [ok("The document and its result.", candidateDraft)],
    errors: ["conflict", "overloaded"],
  },
  read_agent_use: {
    ...at.get("/api/admin/agents/{name}/use"),
    summary: "Read how many of its tools an agent uses",
    who: "executions:read",
    params: nameInPath,
    query: windowQuery,
    answers: [ok("The counts.", agentUse)],
  },
} as const satisfies Contracts;
