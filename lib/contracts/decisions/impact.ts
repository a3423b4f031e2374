import { z } from "zod";
import { callerShape } from "@/lib/contracts/decisions/caller-shape";
import { findingRow } from "@/lib/contracts/decisions/finding";
import { EFFECTS } from "@/lib/resources/policy";
import { matcherInput } from "@/lib/resources/parts/matcher";
import { revisionNumber } from "@/lib/resources/parts/name";
import { DECIDING } from "@/lib/resources/sections";

/** The resources that decide which tools a caller has. */
const IMPACT_RESOURCES = [...DECIDING, "settings"] as const;

/** The most distinct callers of the log to evaluate, taken from the latest calls. */
export const MAX_CALLERS = 200;
/** The most agents without recent calls to evaluate. */
export const MAX_AGENTS = 200;
/** The number of latest calls to decide again. */
export const MAX_REPLAYED = 200;
/** The answer names at most this many tools that a caller gains or loses; it counts all. */
export const MAX_NAMED = 100;
/** The answer names at most this many findings that a change adds or removes; it counts all. */
export const MAX_NAMED_FINDINGS = 20;

/**
 * `POST /api/admin/impact` (docs/reference/http.md): the effect of an unsaved change. A change is one row (without `id`
 * a new one, without `input` a deletion), the settings, a whole document with its stated sections, or a restore.
 */
export const impactInput = z
  .strictObject({
    resource: z.enum(IMPACT_RESOURCES).optional(),
    /** The row to replace or delete; absent for a new row and for the settings. */
    id: z.string().min(1).max(200).optional(),
    /** The row to save; absent: the row is deleted. */
    input: z.record(z.string(), z.unknown()).optional(),
    config: z.unknown().optional(),
    /** The mode of the document, as in `PUT config`; a TrustGraph document is always merged. */
    mode: z.enum(["replace", "merge"]).default("replace"),
    /** The revision to restore. */
    restores: revisionNumber.optional(),
    /** The revision to compare with; absent: the current configuration. */
    revision: revisionNumber.optional(),
    /**
     * Also judges the logged arguments of calls whose policies have conditions. Needs `executions:bodies`, and is
     * logged.
     */
    arguments: z.boolean().default(false),
  })
  .superRefine(({ resource, id, input, config, mode, restores }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if ([resource, config, restores].filter((stated) => stated !== undefined).length !== 1)
      return issue("resource", "state one of `resource`, `config` and `restores`");
    if (resource === undefined && (id !== undefined || input !== undefined))
      issue("config", "a document cannot be combined with a row: omit `id` and `input`");
    if (config === undefined && mode === "merge") issue("mode", "only a document is merged: state it as `config`");
    if (resource === "settings" && (id !== undefined || input === undefined))
      issue("input", "settings have no `id` and cannot be deleted: state them as `input`");
    if (resource !== undefined && resource !== "settings" && id === undefined && input === undefined)
      issue("input", "state `input` for a new row, `id` for a deletion, both for a replacement");
  });

const movedTools = z.object({
  count: z.int(),
  /** The first of these tools, in list order. */
  tools: z.array(z.object({ toolId: z.string(), name: z.string() })),
});

/**
 * One persona with its sample claims, one caller of the log with its latest request, or one agent without recent calls,
 * with its attributes.
 */
const impactCaller = z.object({
  ...callerShape,
  at: z.iso.datetime().nullable(),
  /** The number of the caller's tools before and after. */
  before: z.int(),
  after: z.int(),
  gained: movedTools,
  lost: movedTools,
  /** Gained, and lost, only in states of the caller's machine other than the one in which it is decided. */
  gainedInOtherStates: movedTools,
  lostInOtherStates: movedTools,
  /** Of the tools that the caller keeps, in any compared state of its machine: those whose calls would newly wait for an approval. */
  approvalAdded: movedTools,
  /** Those whose calls would no longer wait for one. */
  approvalRemoved: movedTools,
  /** Those whose calls would have other limits. */
  limitsChanged: movedTools,
  /** Those whose calls might have any arguments, and would be bound by conditions. */
  argumentsLimited: movedTools,
  /** Those whose calls would be bound by other conditions on arguments, or by none. */
  argumentsChanged: movedTools,
  /** Why the caller would not be served at all. */
  problem: z.string().nullable(),
  /** Whether the caller is not served without the change either: then the change does not refuse it. */
  isRefusedBefore: z.boolean(),
  /** The initial state of the caller's machine, if it is decided in that state; null in another one and without a machine. */
  initialState: z.string().nullable(),
  /** The state that decides: the initial one, or that of the caller's latest call; null without a machine. */
  state: z.string().nullable(),
  /** Whether the server would newly keep the caller's state, and so refuse its requests without a session. */
  needsSession: z.boolean(),
});

/** A logged call that would get a different decision. */
const impactCall = z.object({
  callId: z.string(),
  at: z.iso.datetime(),
  toolId: z.string(),
  /** The agent, else the subject. */
  who: z.string(),
  /**
   * Why the call would be refused, or is refused now: a reason code, `unknown_tool`, `arguments_refused`,
   * `session_required` or `caller_refused`; for a limit, the reason of the log; `needs_approval`.
   */
  reason: z.string(),
  detail: z.string().nullable(),
});

const changedFindings = z.object({
  count: z.int(),
  /** The first of these findings, the gravest kinds first. */
  items: z.array(findingRow.pick({ id: true, kind: true, severity: true, about: true, text: true })),
});

/** The answer: callers that lose most come first, then those that gain most. */
export const impactOutput = z.object({
  /** The revision that the change is compared with. */
  revision: z.int(),
  callers: z.array(impactCaller),
  /** True when the log has more distinct callers than were evaluated. */
  moreCallers: z.boolean(),
  /** True when there are more agents without recent calls than were evaluated. */
  moreAgents: z.boolean(),
  calls: z.object({
    /** The number of latest calls decided again, and the time of the earliest. */
    replayed: z.int(),
    since: z.iso.datetime().nullable(),
    refused: z.array(impactCall),
    /** Refused now, and allowed after the change. */
    allowed: z.array(impactCall),
    /** Allowed now and after the change, which would make them wait for an approval. */
    waiting: z.array(impactCall),
    /** Allowed now and after the change, which would make them reach a limit; counted within these calls. */
    limited: z.array(impactCall),
    /** The number of calls that depend on arguments that were not read or are no longer complete. */
    undecided: z.int(),
  }),
  /** The findings in the rules that the change adds, and those that it removes. */
  findings: z.object({ added: changedFindings, removed: changedFindings }),
  /** Claims that policies read but the log does not keep unchanged: for its callers they count as missing or masked. */
  notKept: z.array(z.string()),
});

/** The most matchers of a request: as many as a policy may have. */
const MAX_MATCHERS = 50;

/** `POST /api/admin/impact/matchers`: the number of recent callers that satisfy each condition of a policy. */
export const matcherCountsInput = z.strictObject({
  effect: z.enum(EFFECTS).default("allow"),
  matchers: z.array(matcherInput.nullable()).max(MAX_MATCHERS),
});

/** True when counts are coarse: 0, 1 (1 to 4) or 5 (5 and more), for roles that may not read bodies. */
const coarse = z.boolean();

/** The counts; `null` for an incomplete matcher. */
export const matcherCountsOutput = z.object({
  /** Distinct recent callers. */
  callers: z.int(),
  coarse,
  matching: z.array(z.int().nullable()),
  /** Callers that satisfy all conditions. */
  all: z.int(),
  /** Claims that the log does not keep unchanged. */
  notKept: z.array(z.string()),
});

/** Query of `GET /api/admin/impact/claim-values`: a claim path. */
export const claimValuesQuery = z.strictObject({ path: z.string().min(1).max(512) });

/** The texts, numbers and booleans that recent callers carried at a path; what most carried first. */
export const claimValuesOutput = z.object({
  values: z.array(z.object({ value: z.string(), callers: z.int() })),
});

/** `GET /api/admin/impact/claim-paths`: the paths at which recent callers carried claims, without values. */
export const claimPathsOutput = z.object({
  callers: z.int(),
  coarse,
  /** `list`: one of them carried a list there. */
  paths: z.array(z.object({ path: z.string(), callers: z.int(), list: z.boolean() })),
});

/** A change to evaluate. */
export type ImpactInput = z.output<typeof impactInput>;
/** The effect of a change. */
export type ImpactOutput = z.output<typeof impactOutput>;
/** The effect of a change on one caller. */
export type ImpactCaller = z.output<typeof impactCaller>;
/** One call that would get a different decision. */
export type ImpactCall = z.output<typeof impactCall>;
/** Conditions to count callers for. */
export type MatcherCountsInput = z.output<typeof matcherCountsInput>;
/** The number of callers per condition. */
export type MatcherCounts = z.output<typeof matcherCountsOutput>;
/** Claim paths in use. */
export type ClaimPaths = z.output<typeof claimPathsOutput>;
/** Values of a claim, with the number of recent callers that carried each. */
export type ClaimValues = z.output<typeof claimValuesOutput>;
