import { z } from "zod";
import { pageOf } from "@/lib/contracts/changes/list";
import { sessionStep } from "@/lib/contracts/agents/agent-api";
import { jsonObject } from "@/lib/resources/parts/name";
import { ROUTING_MODES } from "@/lib/resources/parts/words";

/** One session of an agent, without its texts: the part that every role may read. */
export const sessionRow = z.object({
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  /** Null when the principal has no registered agent. */
  agent: z.string().nullable(),
  /** The requested groups; `["*"]` = all granted groups. */
  group: z.array(z.string()),
  state: z.string(),
  /** The session's machine, else the agent's; null = the built-in one. */
  machine: z.string().nullable(),
  /** The profile that the session requested; null = the agent's, else `main`. */
  profile: z.string().nullable(),
  intent: z.string().nullable(),
  confidence: z.number().nullable(),
  escalated: z.boolean(),
  /** The routing mode under the current intents and thresholds. */
  mode: z.enum(ROUTING_MODES),
  calls: z.int(),
  /** True until the session expires. */
  live: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

/** A page of sessions. */
export const sessionPage = pageOf(sessionRow);

/** One session with its redacted texts, for `executions:bodies`; null when the role may not read them. */
export const sessionDetail = sessionRow.extend({
  /** The groups whose tools routing keeps; null = all. */
  tier: z.array(z.string()).nullable(),
  question: z.string().nullable(),
  history: z.array(sessionStep).nullable(),
  metadata: jsonObject.nullable(),
  bodiesHidden: z.boolean(),
});

/** One session. */
export type SessionRow = z.output<typeof sessionRow>;
/** One session with its texts. */
export type SessionDetail = z.output<typeof sessionDetail>;
