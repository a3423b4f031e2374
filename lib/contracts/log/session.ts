import { z } from "zod";
import { sessionStep } from "@/lib/contracts/agents/agent-api";
import { jsonObject } from "@/lib/resources/parts/name";
import { ROUTING_MODES } from "@/lib/resources/parts/words";

/** One session of an agent, without what it was told: what every role may read. */
export const sessionRow = z.object({
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  /** Null when the principal is bound to no registered agent. */
  agent: z.string().nullable(),
  /** The groups it asked for; `["*"]` = all that is granted. */
  group: z.array(z.string()),
  state: z.string(),
  /** The machine that moves it: its own, else the agent's; null = the built-in one. */
  machine: z.string().nullable(),
  /** Asked for at the start; null = the agent's, else `main`. */
  profile: z.string().nullable(),
  intent: z.string().nullable(),
  confidence: z.number().nullable(),
  escalated: z.boolean(),
  /** By the intents and thresholds now in force. */
  mode: z.enum(ROUTING_MODES),
  calls: z.int(),
  /** Not expired. */
  live: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

/** One session with what it was told (redacted), for `executions:bodies`; null where the role may not read it. */
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
/** One session with what it was told. */
export type SessionDetail = z.output<typeof sessionDetail>;
