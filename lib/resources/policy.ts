import { z } from "zod";
import type { Effect } from "@/lib/access/model/configuration";
import { matcherInput } from "@/lib/resources/parts/matcher";
import { ruleMode } from "@/lib/resources/parts/rule-mode";
import { description, groupOrAll, instant, meta, slug } from "@/lib/resources/parts/name";

/** The effects of a policy, in the order of the editor. */
export const EFFECTS = ["allow", "deny", "request"] as const satisfies readonly Effect[];

/** The longest grant of a request policy, in hours: 30 days. */
const MAX_HOURS = 720;

const fields = {
  name: slug,
  description: description.default(""),
  effect: z.enum(EFFECTS).default("allow"),
  priority: z.int().min(-1_000_000).max(1_000_000).default(0),
  active: z.boolean().default(true),
  mode: ruleMode,
  validFrom: instant.nullable().default(null),
  validUntil: instant.nullable().default(null),
  matchers: z.array(matcherInput).max(50, "at most 50 conditions").default([]),
  everyone: z.boolean().default(false),
  arguments: z.array(matcherInput).max(50, "at most 50 conditions").default([]),
  groups: z.array(groupOrAll).min(1, "select at least one group, or every group (`*`)").max(500),
  /** Request policies only: the longest grant. */
  maxHours: z.int().min(1).max(MAX_HOURS).nullable().default(null),
  /** Request policies only: names of people, and roles; `null` = everyone who may approve calls. */
  approvers: z
    .array(z.string().min(1).max(200))
    .min(1, "name at least one person or role")
    .max(100)
    .nullable()
    .default(null),
};

/** A policy as an admin writes it: either matchers or `everyone`, never neither and never both. */
export const policyInput = z.strictObject(fields).superRefine((policy, context) => {
  const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (policy.matchers.length === 0 && !policy.everyone)
    issue("matchers", "add a condition, or select everyone (`everyone: true`)");
  if (policy.matchers.length > 0 && policy.everyone)
    issue("everyone", "a policy for everyone has no conditions: remove one of the two");
  if (policy.effect === "request" && policy.maxHours === null)
    issue("maxHours", `a request policy needs its longest grant, 1 to ${MAX_HOURS} hours`);
  if (policy.effect !== "request" && policy.maxHours !== null)
    issue("maxHours", "only a request policy has a longest grant: omit it");
  if (policy.effect !== "request" && policy.approvers !== null)
    issue("approvers", "only a request policy has approvers: omit them");
  if (
    policy.validFrom !== null &&
    policy.validUntil !== null &&
    Date.parse(policy.validFrom) >= Date.parse(policy.validUntil)
  )
    issue("validUntil", "must be later than `validFrom`");
});

/** A stored policy. */
export const policyRow = z.object({ ...fields, ...meta });

/** A policy, normalised. */
export type PolicyInput = z.output<typeof policyInput>;
