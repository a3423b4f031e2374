import { z } from "zod";
import { toolsQuery } from "@/lib/contracts/agents/agent-api";
import { toolId } from "@/lib/resources/parts/name";
import { ACCESS_STATUSES } from "@/lib/resources/parts/words";

/** The parts of an access request that a person reads and decides on. */
export const accessTerms = {
  reason: z.string().trim().min(1, "say what you need the tool for").max(500),
  hours: z.int().min(1).max(720).describe("Hours of access. The answer may shorten them."),
};

/** `POST /api/agents/access-requests` (docs/reference/http.md#agent-api). */
export const accessRequestInput = z.strictObject({
  tool_id: toolId.describe("The tool, by its id."),
  ...accessTerms,
  session_id: toolsQuery.shape.session_id,
  group: z.array(z.string().min(1).max(200)).max(200).nullable().optional().describe("As in a call."),
  state: toolsQuery.shape.state,
  machine: toolsQuery.shape.machine,
  profile: toolsQuery.shape.profile,
});

/** One of the caller's own access requests. */
export const accessRequestOutput = z.object({
  request_id: z.string(),
  status: z
    .enum(ACCESS_STATUSES)
    .describe(
      "`open`: waits for a person. `applied`: granted. `refused`, `withdrawn`, `expired`: ended without a grant.",
    ),
  tool_id: z.string(),
  hours: z.number().describe("The requested hours."),
  /** The time of the answer; while the request is open, the time at which it expires. */
  closes_at: z.iso.datetime().describe("When it was answered; while it is open, when it expires."),
  answer: z.string().nullable().describe("What the person wrote with the answer."),
  granted: z
    .object({ from: z.iso.datetime(), until: z.iso.datetime() })
    .nullable()
    .describe("The time of the grant; `null` without a grant."),
});

/** An access request as its caller sees it. */
export type AccessRequestOutput = z.output<typeof accessRequestOutput>;
