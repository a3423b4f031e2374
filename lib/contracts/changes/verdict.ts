import { z } from "zod";
import { jsonObject } from "@/lib/resources/parts/name";

/** What the review gate says of changes: nothing widens, somebody gains something, or it is not known. */
const VERDICTS = ["same", "narrower", "wider", "unknown"] as const;

/** A caller for whom the resolver confirms the widening. */
const witness = z.object({
  kind: z.enum(["claims", "persona", "agent"]),
  /** The name of the persona or agent; `null` for claims that were made from a policy's conditions. */
  name: z.string().nullable(),
  claims: jsonObject,
  tool: z.string(),
  /** What the caller gains: the tool, or calls with arguments that were refused. */
  gains: z.enum(["tool", "arguments"]),
  at: z.iso.datetime(),
});

/** One reason why a change is not proven to show and allow the same or less. */
const verdictReason = z.object({
  kind: z.enum(["wider", "unknown"]),
  /** The step or the guard that the reason is about, such as `policy`, `membership` or `approvals`. */
  factor: z.string(),
  resource: z.string(),
  id: z.string(),
  /** The changed field; `null` when the row as a whole is meant. */
  field: z.string().nullable(),
  /** Ids of tools that somebody may gain, at most 20. */
  tools: z.array(z.string()),
  /** The number of such tools beyond these; absent in requests of an earlier version. */
  more: z.int().min(0).optional(),
  witness: witness.nullable(),
});

/** The verdict on changes (docs/reference/governance.md#verdict). */
export const verdict = z.object({
  kind: z.enum(VERDICTS),
  /** Empty for `same` and `narrower`. The first 50, proven widenings first. */
  reasons: z.array(verdictReason),
  /** The number of reasons beyond these; absent in requests of an earlier version. */
  more: z.int().min(0).optional(),
});

/** A verdict. */
export type Verdict = z.output<typeof verdict>;
/** One reason of a verdict. */
export type VerdictReason = z.output<typeof verdictReason>;
