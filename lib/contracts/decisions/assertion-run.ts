import { z } from "zod";

/** `POST /api/admin/assertions/run`: the named ones, or all; so without a body. */
export const assertionRunInput = z
  .strictObject({ names: z.array(z.string().max(120)).max(10_000).optional() })
  .prefault({});

/** What the stored assertions say of the configuration in force. */
export const assertionRunOutput = z.object({
  revision: z.int(),
  passed: z.int(),
  failed: z.int(),
  results: z.array(z.object({ name: z.string(), passed: z.boolean(), problems: z.array(z.string()) })),
});

/** Which to run. */
export type AssertionRunInput = z.output<typeof assertionRunInput>;
/** How they went. */
export type AssertionRunOutput = z.output<typeof assertionRunOutput>;
