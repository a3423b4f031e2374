import { z } from "zod";

/** `GET` and `DELETE /api/admin/demo`: how much of the demo is left. */
export const demoOutput = z.object({
  /** The objects that the removal changes in its revision: those of the demo that nobody changed. */
  objects: z.int(),
  /** The same with the demo's open requests and the caller of its made-up use. */
  rows: z.int(),
});

/** How much of the demo is left. */
export type DemoOutput = z.output<typeof demoOutput>;
