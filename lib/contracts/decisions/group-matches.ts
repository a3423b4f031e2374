import { z } from "zod";
import { groupInput } from "@/lib/resources/group";

/** How many near misses an answer shows. */
export const MOST_NEAR_MISSES = 20;

/**
 * `POST /api/admin/groups/matches`: who would be in this draft of a group. The name may still be empty,
 * or none yet that could be saved; tools that declare it are members too.
 */
export const groupMatchesInput = z.strictObject({
  group: groupInput.extend({ name: z.string().max(200).default("") }),
  /** Only members whose id, name or description contains this. */
  q: z.string().max(200).default(""),
  limit: z.int().min(1).max(500).default(50),
  cursor: z.string().max(400).optional(),
});

const clause = z.object({
  /** Which selector of the draft, from 0. */
  selector: z.int(),
  /** `source`, `name`, `path`, `method`, `requiredTags`, `excludedTags` or `requiredLabels`. */
  clause: z.string(),
  /** What the selector asks for. */
  pattern: z.string(),
  /** What the tool has; null when it has nothing there. */
  actual: z.string().nullable(),
  held: z.boolean(),
});

const tool = z.object({
  toolId: z.string(),
  name: z.string(),
  displayName: z.string().nullable(),
  source: z.string(),
  enabled: z.boolean(),
});

/** The answer, members by name then id. */
export const groupMatchesOutput = z.object({
  items: z.array(
    tool.extend({
      how: z.array(z.enum(["selectors", "included", "declared", "default", "ungrouped"])),
      /** Every stated clause of every selector and what it made of this tool. */
      clauses: z.array(clause),
    }),
  ),
  nextCursor: z.string().nullable(),
  total: z.int(),
  counts: z.object({
    /** All members, whatever `q` says. */
    members: z.int(),
    selectors: z.int(),
    included: z.int(),
    declared: z.int(),
    /** Tools that would be in it but for an exclusion. */
    excluded: z.int(),
    tools: z.int(),
  }),
  /** Tools one clause away, with the clause that keeps them out. */
  nearMisses: z.array(tool.extend({ missing: clause })),
});

/** A draft to look at. */
export type GroupMatchesInput = z.output<typeof groupMatchesInput>;
/** Who would be in it. */
export type GroupMatchesOutput = z.output<typeof groupMatchesOutput>;
