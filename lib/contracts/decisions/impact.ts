import { z } from "zod";
import { matcherInput } from "@/lib/resources/parts/matcher";
import { revisionNumber } from "@/lib/resources/parts/name";
import { DECIDING } from "@/lib/resources/sections";

/** What a change can be a change of: everything that decides which tools a caller has. */
export const IMPACT_RESOURCES = [...DECIDING, "settings"] as const;

/** How many distinct callers of the log are looked at, among the latest so many calls. */
export const MOST_CALLERS = 200;
/** How many of the latest calls are decided again. */
export const MOST_REPLAYED = 200;
/** How many tools that a caller gains or loses an answer names; it counts them all. */
export const MOST_NAMED = 100;

/**
 * `POST /api/admin/impact` (docs/reference/http.md): what a change that is not saved would do. A change is of one row (without `id` a
 * new one, without `input` a deletion), of the settings, or a whole document whose stated sections count.
 */
export const impactInput = z
  .strictObject({
    resource: z.enum(IMPACT_RESOURCES).optional(),
    /** The row that is replaced or deleted; absent for a new one and for the settings. */
    id: z.string().min(1).max(200).optional(),
    /** The row as it would be saved; absent: it is deleted. */
    input: z.record(z.string(), z.unknown()).optional(),
    config: z.unknown().optional(),
    /** What the document does, as in `PUT config`; one of TrustGraph is always merged. */
    mode: z.enum(["replace", "merge"]).default("replace"),
    /** Compare with this revision; absent: with the configuration in force. */
    revision: revisionNumber.optional(),
    /** Also judge the logged arguments of calls whose policies have conditions; needs `executions:bodies`, and is logged. */
    arguments: z.boolean().default(false),
  })
  .superRefine(({ resource, id, input, config, mode }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if ((resource === undefined) === (config === undefined))
      return issue("resource", "state either `resource` or `config`");
    if (resource === undefined && (id !== undefined || input !== undefined))
      issue("config", "a document stands alone: leave out `id` and `input`");
    if (config === undefined && mode === "merge") issue("mode", "only a document is merged: state it as `config`");
    if (resource === "settings" && (id !== undefined || input === undefined))
      issue("input", "settings have no `id` and cannot be deleted: state them as `input`");
    if (resource !== undefined && resource !== "settings" && id === undefined && input === undefined)
      issue("input", "state `input` for a new row, `id` for a deletion, both for a replacement");
  });

const movedTools = z.object({
  count: z.int(),
  /** The first of them, in the order of a list. */
  tools: z.array(z.object({ toolId: z.string(), name: z.string() })),
});

/** One persona with its sample claims, or one caller of the log with its latest request. */
export const impactCaller = z.object({
  kind: z.enum(["persona", "agent", "caller"]),
  /** The persona's or the agent's name, or the subject. */
  name: z.string(),
  /** Who called; null for a persona. */
  issuer: z.string().nullable(),
  /** Its latest call, whose inputs the preview can load; null for a persona. */
  callId: z.string().nullable(),
  at: z.iso.datetime().nullable(),
  /** How many tools it has, and would have. */
  before: z.int(),
  after: z.int(),
  gained: movedTools,
  lost: movedTools,
  /** Why it would not be served at all. */
  problem: z.string().nullable(),
});

/** A call of the log that would be decided otherwise. */
export const impactCall = z.object({
  callId: z.string(),
  at: z.iso.datetime(),
  toolId: z.string(),
  /** The agent, else the subject. */
  who: z.string(),
  /** Why it would be refused, or why it is refused now: a reason code, `unknown_tool`, `arguments_refused`, `caller_refused`. */
  reason: z.string(),
  detail: z.string().nullable(),
});

/** The answer; callers that lose most first, then those that gain most. */
export const impactOutput = z.object({
  /** The revision that the change is compared with. */
  revision: z.int(),
  callers: z.array(impactCaller),
  /** There are more distinct callers in the log than were looked at. */
  moreCallers: z.boolean(),
  calls: z.object({
    /** How many of the latest calls were decided again, and when the first of them was made. */
    replayed: z.int(),
    since: z.iso.datetime().nullable(),
    refused: z.array(impactCall),
    /** Refused today, and no longer afterwards. */
    allowed: z.array(impactCall),
    /** Decided by conditions on arguments that were not looked at or are no longer kept whole. */
    undecided: z.int(),
  }),
  /** Claims that policies read and the log does not keep as they were: for its callers they count as missing or masked. */
  notKept: z.array(z.string()),
});

/** How many matchers a question may have: as many as a policy. */
const MOST_MATCHERS = 50;

/** `POST /api/admin/impact/matchers`: how many recent callers each of a policy's conditions holds for. */
export const matcherCountsInput = z.strictObject({
  effect: z.enum(["allow", "deny"]).default("allow"),
  matchers: z.array(matcherInput.nullable()).max(MOST_MATCHERS),
});

/** Whether counts are coarse: 0, 1 (1 to 4) or 5 (5 and more), for who may not read bodies. */
const coarse = z.boolean();

/** The counts; a matcher that is not complete yet (`null`) has none. */
export const matcherCountsOutput = z.object({
  /** Distinct recent callers. */
  callers: z.int(),
  coarse,
  matching: z.array(z.int().nullable()),
  /** Callers that all of them hold for. */
  all: z.int(),
  /** Claims that the log does not keep as they were. */
  notKept: z.array(z.string()),
});

/** `GET /api/admin/impact/claim-paths`: where recent callers carried claims; names only, no values. */
export const claimPathsOutput = z.object({
  callers: z.int(),
  coarse,
  paths: z.array(z.object({ path: z.string(), callers: z.int() })),
});

/** A change to look at. */
export type ImpactInput = z.output<typeof impactInput>;
/** What it would do. */
export type ImpactOutput = z.output<typeof impactOutput>;
/** What it would do to one caller. */
export type ImpactCaller = z.output<typeof impactCaller>;
/** One call that would be decided otherwise. */
export type ImpactCall = z.output<typeof impactCall>;
/** Conditions to count for. */
export type MatcherCountsInput = z.output<typeof matcherCountsInput>;
/** How many callers they hold for. */
export type MatcherCounts = z.output<typeof matcherCountsOutput>;
/** Claim paths in use. */
export type ClaimPaths = z.output<typeof claimPathsOutput>;
