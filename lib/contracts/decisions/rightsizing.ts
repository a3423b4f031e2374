import { z } from "zod";
import { runState } from "@/lib/contracts/decisions/run-state";
import { CANDIDATE_KINDS } from "@/lib/access/rightsizing/kinds";
import { pageOf, positionCursor } from "@/lib/contracts/changes/list";
import { toolId } from "@/lib/resources/parts/name";

/** The shortest, the default and the longest window in days. */
const WINDOW_DAYS = { min: 30, default: 90, max: 365 } as const;
/** Most exceptions that a candidate names. */
export const MAX_EXCEPTIONS = 20;

const days = z.coerce.number().int().min(WINDOW_DAYS.min).max(WINDOW_DAYS.max).default(WINDOW_DAYS.default);

/** The query of `GET /api/admin/rightsizing`; the policy with the most unused tokens comes first. */
export const rightsizingQuery = z.strictObject({
  days,
  /** Only this policy. */
  policy: z.string().max(64).optional(),
  /** Only policies whose name contains this, ignoring case. */
  q: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: positionCursor,
});

/** The window of a question about one policy or agent. */
export const windowQuery = z.strictObject({ days });

const figures = {
  /** Tools that recent callers get now. */
  granted: z.int(),
  /** Granted tools that were called in the window. */
  used: z.int(),
  /** Granted tools that were not called, did not change in the window and are not marked to keep. */
  unused: z.int(),
  /** Estimated tokens that the unused tools add to each list. */
  tokens: z.int(),
};

/** Whether the counts include the made-up calls of the demo. */
const includesDemo = z.boolean();

/** The use of one allow policy. */
export const rightsizingRow = z.object({
  policy: z.string(),
  /** Distinct recent callers that it matches: sets of claims with a request. */
  callers: z.int(),
  ...figures,
  /** Unused tools that a person marked to keep. */
  kept: z.int(),
  /** Whether the policy was changed in the window. Then no tool counts as unused. */
  changed: z.boolean(),
});

/** A page of policies. */
export const rightsizingPage = pageOf(rightsizingRow).extend({
  /** The first day of the window that has counted calls; null when none was counted. */
  since: z.iso.date().nullable(),
  demo: includesDemo,
  revision: z.int(),
});

/** The use of one agent. */
export const agentUse = z.object({ agent: z.string(), ...figures, demo: includesDemo });

/** One tool of a policy. */
const toolUse = z.object({
  tool: z.string(),
  calls: z.int(),
  callers: z.int(),
  lastDay: z.iso.date().nullable(),
  unused: z.boolean(),
  /** Changed in the window. */
  changed: z.boolean(),
  kept: z.object({ reason: z.string(), by: z.string(), at: z.iso.datetime() }).nullable(),
});

/** Calls of one caller and tool that a candidate decides differently. */
const exception = z.object({
  who: z.string(),
  tool: z.string(),
  calls: z.int(),
  change: z.enum(["refused", "allowed"]),
  reason: z.string(),
});

/** A smaller grant, with what it does to the calls of the window. */
export const candidateOutput = z.object({
  kind: z.enum(CANDIDATE_KINDS),
  /** Groups that the policy no longer grants. */
  dropped: z.array(z.string()),
  /** Groups that are changed or created. */
  groups: z.array(z.string()),
  /** Tools that nobody gets through the policy any more. */
  removed: z.int(),
  /** Estimated tokens less in each list. */
  tokens: z.int(),
  calls: z.int(),
  same: z.int(),
  notJudged: z.int(),
  /** The first exceptions, most calls first, and how many there are. */
  exceptions: z.array(exception),
  moreExceptions: z.int(),
});

/** One policy with its tools and candidates. Both are empty while the replay runs. */
export const rightsizingDetail = rightsizingRow.extend({
  revision: z.int(),
  demo: includesDemo,
  days: z.int(),
  replay: runState,
  tools: z.array(toolUse),
  candidates: z.array(candidateOutput),
});

/** Marks unused tools of a policy to keep, with a reason; `null` removes the marks. */
export const keepInput = z.strictObject({
  tools: z.array(toolId).min(1).max(500),
  reason: z.string().trim().min(1, "enter a reason").max(500).nullable(),
});

/** Which candidate to open as a draft. */
export const candidateDraftInput = z.strictObject({
  candidate: z.enum(CANDIDATE_KINDS),
  days,
});

/** A candidate as a configuration document to merge. Nothing is saved. */
export const candidateDraft = z.object({
  /** The document as JSON, for `PUT /api/admin/config?mode=merge` with `If-Match`. */
  document: z.string(),
  /** The present revision. Its rules are those that the candidate was replayed on. */
  revision: z.int(),
  /** What the document changes, one sentence each. */
  sentences: z.array(z.string()),
  /** The name of the assertion that the kept tools stay visible; null when no claims can show it. */
  assertion: z.string().nullable(),
  result: candidateOutput,
});

/** The query, parsed. */
export type RightsizingQuery = z.output<typeof rightsizingQuery>;
/** The use of one policy. */
export type RightsizingRow = z.output<typeof rightsizingRow>;
/** A page of policies. */
export type RightsizingPage = z.output<typeof rightsizingPage>;
/** The use of one agent. */
export type AgentUse = z.output<typeof agentUse>;
/** One policy with its candidates. */
export type RightsizingDetail = z.output<typeof rightsizingDetail>;
/** A candidate with its result. */
export type CandidateOutput = z.output<typeof candidateOutput>;
/** A candidate as a document. */
export type CandidateDraft = z.output<typeof candidateDraft>;
