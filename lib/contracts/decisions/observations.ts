import { z } from "zod";

/** `GET /api/admin/observations`: the rule. */
export const observationsQuery = z.strictObject({
  kind: z.enum(["policy", "flow"]),
  rule: z.string().min(1).max(200),
});

const listChanges = z.object({
  /** Different tools, and different callers. */
  tools: z.int(),
  callers: z.int(),
  /** At most 50 tools, those of most callers first. */
  items: z.array(z.object({ toolId: z.string(), callers: z.int(), lists: z.int() })),
});

/** What an observed rule would have changed since its last edit. */
export const observations = z.object({
  /** The rule's last edit. */
  since: z.iso.datetime(),
  /** Whether the rule is active and observed now. */
  observed: z.boolean(),
  /** Calls of callers that the rule matches. */
  calls: z.int(),
  refused: z.int(),
  allowed: z.int(),
  /** Calls that would wait for a person. */
  asked: z.int(),
  /** Tools that lists would show, and hide. */
  shown: listChanges,
  hidden: listChanges,
  /** The 50 latest calls that would be decided otherwise. */
  items: z.array(
    z.object({
      callId: z.string(),
      at: z.iso.datetime(),
      toolId: z.string(),
      /** The agent, or the subject of a caller without one. */
      caller: z.string(),
      /** `reason`: the call stays refused, for another reason. */
      change: z.enum(["refused", "allowed", "asked", "reason"]),
      wouldBe: z.object({ visible: z.boolean(), reason: z.string().nullable(), rule: z.string() }),
    }),
  ),
});

/** What an observed rule would have changed. */
export type Observations = z.output<typeof observations>;
