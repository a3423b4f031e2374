import { z } from "zod";
import { description, groupOrAll, meta, slug } from "@/lib/resources/parts/name";

/** An intent and its groups; `["*"]` = all, `[]` = none. */
export const intentInput = z.strictObject({
  name: slug,
  description: description.default(""),
  groups: z.array(groupOrAll).max(500),
});

/** A stored intent. */
export const intentRow = z.object({ ...intentInput.shape, ...meta });
