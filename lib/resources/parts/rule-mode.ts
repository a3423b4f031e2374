import { z } from "zod";
import type { RuleMode } from "@/lib/access/model/configuration";

/** The modes of a policy or a flow rule, in the order of the editor. */
export const RULE_MODES = ["enforce", "observe"] as const satisfies readonly RuleMode[];

/** Whether a rule decides, or only counts what it would change (docs/reference/governance.md#observe). */
export const ruleMode = z.enum(RULE_MODES).default("enforce");
