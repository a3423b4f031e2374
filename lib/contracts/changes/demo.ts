import { z } from "zod";

/**
 * `GET` and `DELETE /api/admin/demo`: the rows of the demo that are left and that nobody changed, its open requests,
 * and its made-up use.
 */
export const demoOutput = z.object({ rows: z.int() });

/** How much of the demo is left. */
export type DemoOutput = z.output<typeof demoOutput>;
