import { z } from "zod";
import { BLANK_SELECTOR, clausesIn } from "@/lib/access/matching/selector-clauses";
import { groupDraft } from "@/lib/resources/group";

/** The most near misses that an answer shows. */
export const MAX_NEAR_MISSES = 20;

/** The ways in which a tool enters a group. */
export const MEMBERSHIP_WAYS = ["selectors", "included", "declared", "default", "ungrouped", "granted"] as const;

/**
 * `POST /api/admin/groups/matches`: the tools that this draft of a group would contain. The name may be empty or
 * invalid; tools that declare it are members too.
 */
export const groupMatchesInput = z.strictObject({
  group: groupDraft.extend({ name: z.string().max(200).default("") }),
  /** Only members whose id, name or description contains this. */
  q: z.string().max(200).default(""),
  limit: z.int().min(1).max(500).default(50),
  cursor: z.string().max(400).optional(),
});

const clause = z.object({
  /** The index of the draft's selector, from 0. */
  selector: z.int(),
  /** A field of a selector, such as `source`, `requiredTags` or `readOnly`. */
  clause: z.enum(clausesIn(BLANK_SELECTOR)),
  /** The pattern of the selector. */
  pattern: z.string(),
  /** The tool's value; null when the tool has none. */
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

/** The answer, with members by name, then id. */
export const groupMatchesOutput = z.object({
  items: z.array(
    tool.extend({
      how: z.array(z.enum(MEMBERSHIP_WAYS)),
      /** The verdict of every stated clause of every selector on this tool. */
      clauses: z.array(clause),
    }),
  ),
  nextCursor: z.string().nullable(),
  total: z.int(),
  counts: z.object({
    /** The number of all members, whatever `q` says. */
    members: z.int(),
    selectors: z.int(),
    included: z.int(),
    declared: z.int(),
    /** The number of tools that only an exclusion keeps out. */
    excluded: z.int(),
    tools: z.int(),
  }),
  /** Tools that fail exactly one clause, with that clause. */
  nearMisses: z.array(tool.extend({ missing: clause })),
});

/** A draft of a group. */
export type GroupMatchesInput = z.output<typeof groupMatchesInput>;
/** The members of the draft. */
export type GroupMatchesOutput = z.output<typeof groupMatchesOutput>;
