import { z } from "zod";

/** `POST /api/admin/assertions/run`: runs the named assertions; all of them without a body or names. */
export const assertionRunInput = z
  .strictObject({ names: z.array(z.string().max(120)).max(10_000).optional() })
  .prefault({});

/** The results of the stored assertions under the current configuration. */
export const assertionRunOutput = z.object({
  revision: z.int(),
  passed: z.int(),
  failed: z.int(),
  results: z.array(z.object({ name: z.string(), passed: z.boolean(), problems: z.array(z.string()) })),
});

/** The assertions to run. */
export type AssertionRunInput = z.output<typeof assertionRunInput>;
/** The results of a run. */
export type AssertionRunOutput = z.output<typeof assertionRunOutput>;
