import { z } from "zod";

/** `GET` and `DELETE /api/admin/demo`: what is left of the demo: rows that nobody changed, open requests and made-up use. */
export const demoOutput = z.object({ rows: z.int() });

/** How much of the demo is left. */
export type DemoOutput = z.output<typeof demoOutput>;
