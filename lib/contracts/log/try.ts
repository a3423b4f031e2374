import { z } from "zod";
import { callOutput } from "@/lib/contracts/agents/agent-api";
import { jsonObject, statedState } from "@/lib/resources/parts/name";

const as = z.string().min(1).max(64).optional();

/** `POST /api/admin/tools/{id}/try`: makes a real call, as a registered agent or with a persona's sample claims. */
export const tryInput = z
  .strictObject({
    arguments: jsonObject.default({}),
    agent: as,
    persona: as,
    group: z.array(z.string().min(1).max(200)).max(500).nullable().default(null),
    state: statedState.nullable().default(null),
  })
  .refine(({ agent, persona }) => (agent === undefined) !== (persona === undefined), {
    path: ["agent"],
    message: "state either `agent` or `persona`: a call needs a caller",
  });

const printedLine = z.object({ level: z.enum(["debug", "info", "log", "warn", "error"]), text: z.string() });

/** The answer that the caller would receive, and the output that a script printed. */
export const tryOutput = z.object({ ...callOutput.shape, printed: z.array(printedLine) });

/** The call to try, and its caller. */
export type TryInput = z.output<typeof tryInput>;
/** The result of a trial call. */
export type TryOutput = z.output<typeof tryOutput>;
