import { z } from "zod";
import { MEMBERSHIP_WAYS } from "@/lib/contracts/decisions/group-matches";

/** `GET /api/admin/tools/{id}/groups`: the groups that contain a tool, by name, each with the reason. */
export const toolGroups = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      /** An inactive group grants no tools. */
      active: z.boolean(),
      how: z.array(z.enum(MEMBERSHIP_WAYS)),
    }),
  ),
});

/** The groups that contain a tool. */
export type ToolGroups = z.output<typeof toolGroups>;
