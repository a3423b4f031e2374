import { z } from "zod";
import type { Readable } from "@/lib/contracts/operations/operation";
import { callerShape } from "@/lib/contracts/decisions/caller-shape";
import { fix, reason, via } from "@/lib/contracts/decisions/preview";

/** The most registered agents, and the most distinct callers of the log, that an answer evaluates. */
export const MAX_EVALUATED_CALLERS = 200;

/** `POST /api/admin/preview/callers`: who can see this tool, group or policy? */
export const callersInput = z.strictObject({
  kind: z.enum(["tool", "group", "policy"]),
  /** The name; for a tool its id. */
  name: z.string().min(1).max(200),
});

/** How the subject of the question applies to one caller. */
const standing = z.enum([
  /** A tool: visible. A group: granted. A policy: it matches. */
  "yes",
  /** A tool: visible, but callable for some arguments only. A group: granted, but not all of its tools are visible. */
  "partly",
  /** A tool: hidden in the caller's state, and visible in another state of its machine. */
  "other_state",
  "no",
  /** The caller would not be served at all. */
  "refused",
]);

/** One persona with its sample claims, one registered agent, or one caller of the log with its latest request. */
const callerVisibility = z.object({
  ...callerShape,
  standing,
  /** One sentence that names the deciding rule. */
  why: z.string(),
  /** The number of tools that the caller sees: of the group, or through the policy. For a tool 1 or 0. */
  visible: z.int(),
  /** For a tool: why it is hidden, the smallest change that would show it, and through which groups it is visible. */
  reason: reason.nullable(),
  fix,
  via: z.array(via),
});

/** The answer: personas, agents, and callers of the log that are neither, each sorted by name. */
export const callersOutput = z.object({
  revision: z.int(),
  /** The number of tools in question: 1, the group's, or those of the policy's groups. */
  tools: z.int(),
  callers: z.array(callerVisibility),
  /** True when there are more agents, or may be more callers, than were evaluated. */
  more: z.boolean(),
});

/** The tool, group or policy in question. */
export type CallersInput = z.output<typeof callersInput>;
/** Who can see it. */
export type CallersOutput = Readable<z.output<typeof callersOutput>>;
/** The result for one caller. */
export type CallerVisibility = Readable<z.output<typeof callerVisibility>>;
