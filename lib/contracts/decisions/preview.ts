import { z } from "zod";
import type { Readable } from "@/lib/contracts/operations/operation";
import { EFFECTS } from "@/lib/resources/policy";
import { OPERATORS } from "@/lib/access/model/matcher";
import { heldLabels } from "@/lib/resources/parts/flow";
import { REASONS, STEPS, type Reason } from "@/lib/access/decide/resolution";
import { raisedLabel } from "@/lib/contracts/log/held-label";
import { MEMBERSHIP_WAYS } from "@/lib/contracts/decisions/group-matches";
import { grantOutput } from "@/lib/contracts/decisions/grant";
import { manifestFormat, manifestNote } from "@/lib/contracts/agents/agent-api";
import { instant, jsonObject, revisionNumber, statedState } from "@/lib/resources/parts/name";
import { DRAFTED } from "@/lib/resources/sections";

const names = z.array(z.string().min(1).max(200)).max(500);
/** One step of a resolution. */
export const step = z.enum(STEPS);
/** One reason code. */
export const reason = z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]);

/**
 * `POST /api/admin/preview` (docs/reference/http.md). The caller is free claims, a persona's sample claims, a
 * registered agent, or the inputs of a logged execution. `config` resolves against a whole document and saves nothing.
 */
export const previewInput = z.strictObject({
  claims: jsonObject.optional(),
  /** null or absent: no narrowing. */
  group: names.nullable().default(null),
  state: statedState.nullable().default(null),
  machine: z.string().max(64).nullable().default(null),
  profile: z.string().max(64).nullable().default(null),
  persona: z.string().max(64).nullable().default(null),
  capabilities: z.array(z.string().max(200)).max(500).nullable().default(null),
  intent: z.string().max(64).nullable().default(null),
  confidence: z.number().min(0).max(1).nullable().default(null),
  escalated: z.boolean().default(false),
  /** The labels that the caller holds; absent = those that the agent holds now, and none for another caller. */
  labels: heldLabels.optional(),
  includeDisabled: z.boolean().default(false),
  skipCache: z.boolean().default(false),
  revision: revisionNumber.optional(),
  config: z.unknown().optional(),
  /**
   * An edited rule that takes part in the decision (`id`: the rule to replace; without `input`: its deletion). An
   * edited machine is the request's machine unless `machine` names another.
   */
  draft: z
    .strictObject({
      resource: z.enum(DRAFTED),
      id: z.string().min(1).max(200).optional(),
      input: z.record(z.string(), z.unknown()).optional(),
    })
    .refine(({ id, input }) => id !== undefined || input !== undefined, "state `id`, `input` or both")
    .optional(),
  agent: z.string().max(64).optional(),
  executionId: z.string().max(64).optional(),
  /** The time of the decision; absent = now. */
  now: instant.optional(),
  explain: z.union([z.literal("all"), z.array(z.string().max(200)).max(1000)]).optional(),
  /**
   * The most hidden tools in the answer, and the most traced policies besides those that match or that an explanation
   * names; absent = all. The answer has the number of the others.
   */
  limit: z.int().min(1).max(10_000).optional(),
  /** Only hidden tools whose id, name or reason contains this text. */
  search: z.string().max(200).default(""),
  /** A tool to find grants for, which would give it to this caller. */
  grants: z.string().max(200).optional(),
  /** Also renders the manifest of the visible tools in this format, with the renderer of the agent API. */
  manifest: manifestFormat.optional(),
  /** Also estimates the tokens of the manifest in every format. */
  manifestSizes: z.boolean().optional(),
});

/** A rule, by kind and name. */
export const ref = z.object({
  kind: z.enum([
    "policy",
    "group",
    "tool",
    "source",
    "machine",
    "flow",
    "profile",
    "intent",
    "settings",
    "pause",
    "agent",
    "persona",
    "grant",
  ]),
  name: z.string(),
});

/** The smallest change that would show a hidden tool; null when no change of rules would. */
export const fix = z
  .object({ size: z.int(), changes: z.array(z.object({ kind: z.string(), text: z.string(), refs: z.array(ref) })) })
  .nullable();

const matcherTrace = z.object({
  claim: z.string(),
  operator: z.union([z.enum(OPERATORS), z.string()]),
  expected: z.json(),
  actual: z.json().optional(),
  outcome: z.enum(["match", "no_match", "missing", "uncomparable"]),
  held: z.boolean(),
});

/** One granted group that lets a tool through. */
export const via = z.object({
  group: z.string(),
  how: z.array(z.enum(MEMBERSHIP_WAYS)),
  policies: z.array(z.string()),
});

/** The explanation of one tool in API form. */
export const explanationOutput = z.object({
  toolId: z.string(),
  visible: z.boolean(),
  callable: z.boolean(),
  decidedBy: step.nullable(),
  reason: reason.nullable(),
  steps: z.array(
    z.object({ step, passed: z.boolean(), reason: reason.nullable(), detail: z.string(), refs: z.array(ref) }),
  ),
  via: z.array(via),
  capabilities: z.object({ required: z.array(z.string()), granted: z.array(z.string()), missing: z.array(z.string()) }),
  fix,
  grantsToRemove: z.array(z.object({ policy: z.string(), group: z.string() })),
  /**
   * The fewest calls that lead to a state in which the tool is available; `calls` is empty when none do. `null` when the
   * state is not what hides the tool, or the tools name too many states to search.
   */
  statePath: z
    .object({
      from: z.string(),
      calls: z.array(
        z.object({
          toolId: z.string(),
          /** The state after the call. */
          to: z.string(),
          /** The caller may not call this tool. True only when every path has such a call. */
          hidden: z.boolean(),
        }),
      ),
      /** The server holds this caller's state, so the calls need one session. Otherwise the caller may state it. */
      needsSession: z.boolean(),
    })
    .nullable(),
  /** Whether a call would wait for a person's approval; of a hidden tool, once it is visible. */
  needsApproval: z.boolean(),
});

/**
 * A caller's request after resolution, whether the caller, its agent or persona, a session or the log stated its parts.
 */
export const resolvedRequest = z.object({
  agent: z.string().nullable(),
  /** null: no narrowing. */
  group: z.array(z.string()).nullable(),
  state: z.string().nullable(),
  machine: z.string().nullable(),
  profiles: z.array(z.string()),
  capabilities: z.array(z.string()),
  intent: z.string().nullable(),
  confidence: z.number().nullable(),
  escalated: z.boolean(),
  labels: z.array(z.string()),
  includeDisabled: z.boolean(),
});

/** The parts of a resolution that do not name tools. */
export const resolved = {
  grantedGroups: z.array(z.string()),
  requestedGroups: z.array(z.string()),
  state: z.string(),
  machine: z.string().nullable(),
  profile: z.array(z.string()),
  mode: z.enum(["full", "restricted", "restricted_with_resolution", "none"]),
  tier: z.array(z.string()).nullable(),
};

/** The most tools by which observed rules would change a previewed list. */
export const MAX_OBSERVED_CHANGES = 100;

/** The answer of a preview. */
export const previewOutput = z.object({
  revision: z.int(),
  ...resolved,
  tools: z.array(
    z.object({
      toolId: z.string(),
      name: z.string(),
      displayName: z.string().nullable(),
      description: z.string(),
      source: z.string(),
      hasSideEffects: z.boolean(),
      callable: z.boolean(),
      /** Calls wait for a person, by the tool, the settings or a flow rule. */
      needsApproval: z.boolean(),
      conditional: z.boolean(),
      /** The policies' descriptions of argument conditions, when calls are allowed for some arguments only. */
      conditions: z.array(z.string()),
      groups: z.array(z.string()),
      via: z.array(via),
      tokens: z.int(),
      /** The state after a successful call; the present state when no transition applies. */
      nextState: z.string(),
      /** The labels that a call raises. */
      raises: z.array(z.string()),
    }),
  ),
  hidden: z.array(
    z.object({
      toolId: z.string(),
      name: z.string(),
      displayName: z.string().nullable(),
      source: z.string(),
      hasSideEffects: z.boolean(),
      decidedBy: step,
      reason,
      fix: fix.optional(),
    }),
  ),
  /** How many more hidden tools `search` finds than `limit` allows. */
  moreHidden: z.int(),
  /** By tool id, for the tools named in `explain`. */
  explanations: z.record(z.string(), explanationOutput).optional(),
  /** For the tool named in `grants`, smallest first; empty when no policy can give it. */
  grants: z.array(grantOutput).optional(),
  trace: z.object({
    policies: z.array(
      z.object({
        name: z.string(),
        effect: z.enum(EFFECTS),
        priority: z.int(),
        skipped: z.enum(["inactive", "observed", "not_yet_valid", "expired"]).nullable(),
        matched: z.boolean(),
        matchers: z.array(matcherTrace),
        groups: z.array(z.string()),
        hasArguments: z.boolean(),
      }),
    ),
    /** How many more policies there are than `limit` allows. */
    morePolicies: z.int(),
    groups: z.array(
      z.object({
        name: z.string(),
        granted: z.boolean(),
        deniedBy: z.array(z.string()),
        grantedBy: z.array(z.string()),
        active: z.boolean(),
        requested: z.boolean(),
        members: z.int(),
        error: z.string().nullable(),
      }),
    ),
    steps: z.array(z.object({ name: step, before: z.int(), after: z.int() })),
    unknownGroups: z.array(z.string()),
    errors: z.array(z.string()),
  }),
  /** What the active observed rules would do if all of them were enforced. */
  observed: z.object({
    /** The tools that the caller would gain or lose, at most `MAX_OBSERVED_CHANGES`, each with the rule behind it. */
    changes: z.array(
      z.object({
        toolId: z.string(),
        change: z.enum(["shown", "hidden"]),
        rule: z.object({ kind: z.enum(["policy", "flow"]), name: z.string() }),
      }),
    ),
    more: z.boolean(),
  }),
  etag: z.string(),
  /** Estimated tokens of the whole native manifest. */
  tokens: z.int(),
  /** The caller's claims for the decision. */
  claims: jsonObject,
  request: resolvedRequest,
  /** For a logged call and an agent: the calls that raised labels of the request. */
  raisedBy: z.array(raisedLabel),
  /** Present when the request sets `manifest`: what this caller's client would receive. */
  manifest: z.unknown().optional(),
  /** With `manifest`: its estimated tokens, and what the format cannot express. */
  manifestTokens: z.int().optional(),
  manifestNotes: z.array(manifestNote).optional(),
  /** Present when the request sets `manifestSizes`: estimated tokens by format. */
  manifestSizes: z.record(manifestFormat, z.int()).optional(),
});

/** A preview's request, normalised. */
export type PreviewInput = z.output<typeof previewInput>;
type Answer = z.output<typeof previewOutput>;
/** A preview's answer. People save its grants. */
export type PreviewOutput = Readable<Omit<Answer, "grants">> & Pick<Answer, "grants">;
/** A caller's resolved request, without its claims. */
export type ResolvedRequest = Readable<z.output<typeof resolvedRequest>>;
/** One tool's explanation in API form. */
export type ExplanationOutput = Readable<z.output<typeof explanationOutput>>;
