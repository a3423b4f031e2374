import { z } from "zod";

/** A profile of the code, read-only (2-access, step 6). */
export const profileRow = z.object({
  name: z.string(),
  meaning: z.string(),
  allowedSources: z.array(z.string()),
  deniedSources: z.array(z.string()),
  allowedNames: z.array(z.string()),
  deniedNames: z.array(z.string()),
  /** Tools that the profile allows and that wait for an admin to accept their definition. */
  drift: z.int(),
});

/** A profile. */
export type ProfileRow = z.output<typeof profileRow>;
