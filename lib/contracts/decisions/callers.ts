import { z } from "zod";
import { fix, reason, via } from "@/lib/contracts/decisions/preview";

/** How many registered agents, and how many distinct callers of the log, are asked for. */
export const MOST_ASKED = 200;

/** `POST /api/admin/preview/callers`: who can see this? */
export const callersInput = z.strictObject({
  kind: z.enum(["tool", "group", "policy"]),
  /** A tool's is its id. */
  name: z.string().min(1).max(200),
});

/** What the thing in question is to one caller. */
const standing = z.enum([
  /** A tool: visible. A group: granted. A policy: it matches. */
  "yes",
  /** A tool: visible, but for some arguments only. A group: granted, but not all of its tools are visible. */
  "partly",
  "no",
  /** The caller is not served at all. */
  "refused",
]);

/** One persona with its sample claims, one registered agent, or one caller of the log with its latest request. */
export const callerStanding = z.object({
  kind: z.enum(["persona", "agent", "caller"]),
  /** The persona's or the agent's name, or the subject. */
  name: z.string(),
  /** Of a caller of the log: who called, and its latest call, whose inputs the preview can load. */
  issuer: z.string().nullable(),
  callId: z.string().nullable(),
  standing,
  /** One sentence that names what decided. */
  why: z.string(),
  /** How many tools the caller sees: of the group, or through the policy; of a tool it is 1 or 0. */
  visible: z.int(),
  /** A tool: why it is hidden, the smallest change that would show it, and through what it is visible. */
  reason: reason.nullable(),
  fix,
  via: z.array(via),
});

/** The answer: personas, agents, callers of the log that are neither, each by name. */
export const callersOutput = z.object({
  revision: z.int(),
  /** How many tools it is about: 1, the group's, or those of the policy's groups. */
  tools: z.int(),
  callers: z.array(callerStanding),
  /** There are more agents or callers than were asked for. */
  more: z.boolean(),
});

/** What is asked about. */
export type CallersInput = z.output<typeof callersInput>;
/** Who can see it. */
export type CallersOutput = z.output<typeof callersOutput>;
/** What it is to one caller. */
export type CallerStanding = z.output<typeof callerStanding>;
