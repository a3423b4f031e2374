import { z } from "zod";
import { FINDING_KINDS, SEVERITIES, type FindingKind } from "@/lib/access/findings/finding";
import { positionCursor } from "@/lib/contracts/changes/list";

const kinds = Object.keys(FINDING_KINDS) as [FindingKind, ...FindingKind[]];
const subjects = ["policy", "group", "tool", "machine", "profile", "agent"] as const;

/** Filters of `GET /api/admin/findings`; by kind, then name. */
export const findingQuery = z.strictObject({
  kind: z.enum(kinds).optional(),
  severity: z.enum(SEVERITIES).optional(),
  /** What findings are about. */
  about: z.enum(subjects).optional(),
  /** The name of what they are about. */
  name: z.string().max(200).optional(),
  /** Only findings whose text contains this, whatever the case. */
  q: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(5000).default(100),
  cursor: positionCursor,
});

/** Claims that show a finding about matching, and what the resolver answered to them. */
export const witness = z.object({
  claims: z.record(z.string(), z.json()),
  /** The instant asked about. */
  at: z.iso.datetime(),
  /** Names of the policies that match. */
  matched: z.array(z.string()),
  /** Groups granted after denials. */
  grantedGroups: z.array(z.string()),
});

/** One finding (docs/reference/decision.md#findings). */
export const findingRow = z.object({
  /** Equal for the same finding of another revision. */
  id: z.string(),
  kind: z.enum(kinds),
  severity: z.enum(SEVERITIES),
  about: z.object({ kind: z.enum(subjects), name: z.string() }),
  /** One sentence; names stand in backticks. */
  text: z.string(),
  /** What to do, one sentence. */
  fix: z.string(),
  refs: z.array(z.object({ kind: z.string(), name: z.string() })),
  witness: witness.nullable(),
});

/** The answer: a page, how many there are of each kind under the other filters, and what it speaks of. */
export const findingsOutput = z.object({
  items: z.array(findingRow),
  nextCursor: z.string().nullable(),
  total: z.int(),
  counts: z.partialRecord(z.enum(kinds), z.int()),
  /** The revision that was analysed. */
  revision: z.int(),
  /** Distinct recent callers whose claims were read; too few say nothing about claims never seen. */
  callers: z.int(),
});

/** The filters, parsed. */
export type FindingQuery = z.output<typeof findingQuery>;
/** One finding. */
export type FindingRow = z.output<typeof findingRow>;
/** A page of findings. */
export type FindingsOutput = z.output<typeof findingsOutput>;
