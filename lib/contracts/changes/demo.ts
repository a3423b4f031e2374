import { z } from "zod";

/** `GET` and `DELETE /api/admin/demo`: the number of rows that the demo created and nobody changed. */
export const demoOutput = z.object({ rows: z.int() });

/** How much of the demo is left. */
export type DemoOutput = z.output<typeof demoOutput>;
