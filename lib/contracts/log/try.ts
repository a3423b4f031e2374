import { z } from "zod";
import { callOutput } from "@/lib/contracts/agents/agent-api";
import { jsonObject } from "@/lib/resources/parts/name";

const as = z.string().min(1).max(64).optional();

/** `POST /api/admin/tools/{id}/try`: a real call, as a registered agent or as a persona's sample claims. */
export const tryInput = z
  .strictObject({
    arguments: jsonObject.default({}),
    agent: as,
    persona: as,
    group: z.array(z.string().min(1).max(200)).max(500).nullable().default(null),
    state: z.string().max(200).nullable().default(null),
  })
  .refine(({ agent, persona }) => (agent === undefined) !== (persona === undefined), {
    path: ["agent"],
    message: "state either `agent` or `persona`: a call is made as somebody",
  });

const printedLine = z.object({ level: z.enum(["debug", "info", "log", "warn", "error"]), text: z.string() });

/** The call's answer as the caller would be answered it, and what a script printed. */
export const tryOutput = z.object({ ...callOutput.shape, printed: z.array(printedLine) });

/** What is tried, and as whom. */
export type TryInput = z.output<typeof tryInput>;
/** How it ended. */
export type TryOutput = z.output<typeof tryOutput>;
