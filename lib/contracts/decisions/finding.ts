import { z } from "zod";
import { FINDING_KINDS, SEVERITIES, type FindingKind } from "@/lib/access/findings/finding";
import { positionCursor } from "@/lib/contracts/changes/list";

const kinds = Object.keys(FINDING_KINDS) as [FindingKind, ...FindingKind[]];
const subjects = ["policy", "group", "tool", "machine", "profile", "agent", "source", "flow"] as const;

/** Filters of `GET /api/admin/findings`; sorted by kind, then name. */
export const findingQuery = z.strictObject({
  id: z.string().max(1000).optional(),
  kind: z.enum(kinds).optional(),
  severity: z.enum(SEVERITIES).optional(),
  /** The kind of rule that a finding is about. */
  about: z.enum(subjects).optional(),
  /** The name of the rule that a finding is about. */
  name: z.string().max(200).optional(),
  /** Only findings whose text contains this, ignoring case. */
  q: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(5000).default(100),
  cursor: positionCursor,
});

/** Claims that demonstrate a finding about matching, and the resolver's answer to them. */
const witness = z.object({
  claims: z.record(z.string(), z.json()),
  /** The instant of the decision. */
  at: z.iso.datetime(),
  /** Names of the matching policies. */
  matched: z.array(z.string()),
  /** Groups granted after denials. */
  grantedGroups: z.array(z.string()),
});

/** One finding (docs/reference/decision.md#findings). */
export const findingRow = z.object({
  /** Stable: the same finding of another revision has the same id. */
  id: z.string(),
  kind: z.enum(kinds),
  severity: z.enum(SEVERITIES),
  about: z.object({ kind: z.enum(subjects), name: z.string() }),
  /** One sentence with names in backticks. */
  text: z.string(),
  /** What to do, in one sentence. */
  fix: z.string(),
  refs: z.array(z.object({ kind: z.string(), name: z.string() })),
  witness: witness.nullable(),
});

/** The answer: a page, the numbers of findings of each kind under the other filters and of each severity, and what was analysed. */
export const findingsOutput = z.object({
  items: z.array(findingRow),
  nextCursor: z.string().nullable(),
  total: z.int(),
  counts: z.partialRecord(z.enum(kinds), z.int()),
  /** The number of findings of each severity under all filters. */
  severities: z.partialRecord(z.enum(SEVERITIES), z.int()),
  /** The revision that was analysed. */
  revision: z.int(),
  /** Distinct recent callers whose claims were read. With too few, nothing is concluded about unseen claims. */
  callers: z.int(),
});

/** The filters, parsed. */
export type FindingQuery = z.output<typeof findingQuery>;
/** One finding. */
export type FindingRow = z.output<typeof findingRow>;
/** A page of findings. */
export type FindingsOutput = z.output<typeof findingsOutput>;
