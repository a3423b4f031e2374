import { z } from "zod";
import { fix, previewInput, reason, resolvedRequest, step, via } from "@/lib/contracts/decisions/preview";
import { jsonObject } from "@/lib/resources/parts/name";

const side = previewInput.omit({ explain: true, manifest: true, manifestSizes: true });

/**
 * `POST /api/admin/preview/compare` (docs/reference/http.md): two previews. Two callers, the rules in force against a draft, or
 * against an old revision: whatever differs between the two is what is compared.
 */
export const comparisonInput = z.strictObject({ before: side, after: side });

/** What a preview came to, without its tools. */
const comparedSide = z.object({
  revision: z.int(),
  visible: z.int(),
  hidden: z.int(),
  /** Estimated tokens of the native manifest. */
  tokens: z.int(),
  etag: z.string(),
  /** In evaluation order. */
  matchedPolicies: z.array(z.string()),
  grantedGroups: z.array(z.string()),
  requestedGroups: z.array(z.string()),
  state: z.string(),
  machine: z.string().nullable(),
  profile: z.array(z.string()),
  mode: z.enum(["full", "restricted", "restricted_with_resolution", "none"]),
  tier: z.array(z.string()).nullable(),
  claims: jsonObject,
  request: resolvedRequest,
});

const named = z.object({
  toolId: z.string(),
  name: z.string(),
  displayName: z.string().nullable(),
  source: z.string(),
  /** Tokens that it takes in the manifest. */
  tokens: z.int(),
});

/** A tool that one of the two sees. */
const movedTool = named.extend({
  /** Why the other does not see it; null: there it does not exist. */
  hidden: z.object({ decidedBy: step, reason, fix: fix.optional() }).nullable(),
  /** Through what the one sees it. */
  via: z.array(via),
});

/** The answer of a comparison. Tools are in the order of the manifest that shows them. */
export const comparisonOutput = z.object({
  before: comparedSide,
  after: comparedSide,
  /** Seen after and not before. */
  gained: z.array(movedTool),
  /** Seen before and not after. */
  lost: z.array(movedTool),
  /** Seen by both, but not the same: members of the manifest's entry that differ, `callable` beside them. */
  altered: z.array(named.extend({ fields: z.array(z.string()) })),
  /** Seen by both, and the same. */
  unchanged: z.array(named),
});

/** Two previews to compare, normalised. */
export type ComparisonInput = z.output<typeof comparisonInput>;
/** What differs between two previews. */
export type ComparisonOutput = z.output<typeof comparisonOutput>;
