import { z } from "zod";
import type { Readable } from "@/lib/contracts/operations/operation";
import { fix, previewInput, reason, resolved, resolvedRequest, step, via } from "@/lib/contracts/decisions/preview";
import { jsonObject } from "@/lib/resources/parts/name";

const side = previewInput.omit({ explain: true, manifest: true, manifestSizes: true });

/**
 * `POST /api/admin/preview/compare` (docs/reference/http.md): compares two previews. They may differ in the caller, or
 * in the rules: current, a draft, or an old revision.
 */
export const comparisonInput = z.strictObject({ before: side, after: side });

/** The result of one preview, without its tools. */
const comparedSide = z.object({
  revision: z.int(),
  visible: z.int(),
  hidden: z.int(),
  /** Estimated tokens of the native manifest. */
  tokens: z.int(),
  etag: z.string(),
  /** In evaluation order. */
  matchedPolicies: z.array(z.string()),
  ...resolved,
  claims: jsonObject,
  request: resolvedRequest,
});

const comparedTool = z.object({
  toolId: z.string(),
  name: z.string(),
  displayName: z.string().nullable(),
  source: z.string(),
  /** Estimated tokens of the tool in the manifest. */
  tokens: z.int(),
});

/** A tool that only one side sees. */
const movedTool = comparedTool.extend({
  /** Why the other side does not see the tool; null when the tool does not exist there. */
  hidden: z.object({ decidedBy: step, reason, fix: fix.optional() }).nullable(),
  /** The groups through which the tool is visible. */
  via: z.array(via),
});

/** The answer of a comparison. Tools keep the order of their manifest. */
export const comparisonOutput = z.object({
  before: comparedSide,
  after: comparedSide,
  /** Visible only after the change. */
  gained: z.array(movedTool),
  /** Visible only before the change. */
  lost: z.array(movedTool),
  /** Visible on both sides with differences: the members of the manifest entry that differ, and `callable`. */
  altered: z.array(comparedTool.extend({ fields: z.array(z.string()) })),
  /** Visible and equal on both sides. */
  unchanged: z.array(comparedTool),
});

/** Two previews to compare, normalised. */
export type ComparisonInput = z.output<typeof comparisonInput>;
/** The differences between two previews. */
export type ComparisonOutput = Readable<z.output<typeof comparisonOutput>>;
