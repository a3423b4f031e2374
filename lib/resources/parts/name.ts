import { z } from "zod";

/**
 * A slug that serves as id: at most 64 letters, digits, `.`, `_`, `-`, starting with a letter or digit. Never a colon
 * (tool ids are `source:operation`), `*` or parentheses (`"*"` and `(ungrouped)` have a meaning).
 */
export const slug = slugOr("enter a name");

/** The name of a stored secret. */
export const secretName = slugOr("choose a secret, or create one");

/** A slug that has its own message for an empty field. */
function slugOr(whenEmpty: string) {
  return z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    error: ({ input }) =>
      input === ""
        ? whenEmpty
        : "use letters, digits, '.', '_' or '-', starting with a letter or digit, at most 64 characters",
  });
}

/** A tool id, `source:operation`. */
export const toolId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}:[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "use `source:operation`");

/** A group's name, or `"*"` for all groups. */
export const groupOrAll = z.union([z.literal("*"), slug]);

/** Prose, at most 2,000 characters. */
export const description = z.string().max(2000);

/** A boolean of a query; absent means false. */
export const flag = z
  .enum(["true", "false"], "use true or false")
  .default("false")
  .transform((text) => text === "true");

/** Why a row is disabled. Agents that would otherwise see the tool receive this text. */
export const disabledReason = z.string().trim().min(1, "enter a reason, or omit it").max(500).nullable().default(null);

/** Removes a stale reason from a row that is enabled. */
export function dropStaleReason<T extends { enabled: boolean; disabledReason: string | null }>(row: T): T {
  return row.enabled && row.disabledReason !== null ? { ...row, disabledReason: null } : row;
}

/** The state that a request names. An empty text names none, and is refused instead of read as the initial state. */
export const statedState = z.string().min(1, "name a state, or omit it").max(200);

/** SHA-256 of what a person reviewed. A decision names it, so that it applies to nothing else. */
export const reviewedHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "state the hash of the reviewed definition: 64 hex digits");

/** A JSON object. */
export const jsonObject = z.record(z.string(), z.json());

/** An ISO 8601 instant with offset, in the years that the store can hold: 1 to 9999 in UTC. */
export const instant = z.iso
  .datetime({ offset: true, abort: true, error: "use an ISO 8601 time with offset, such as 2026-01-31T00:00:00Z" })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear();
    return year >= 1 && year <= 9999;
  }, "use a time in the years 1 to 9999");

/** The number of a revision, up to the largest that the store holds. */
export const revisionNumber = z.int().min(0).max(2_147_483_647);

/**
 * Fields that the store adds to every resource. `revision` is the configuration revision that last wrote the row, and
 * its ETag for `If-Match`: it never repeats, even after delete and create.
 * The name is not `version`, because a tool has a `version`.
 */
export const meta = {
  revision: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** A row's name in a path. */
export const nameInPath = z.object({ name: slug });

/** A row's generated id in a path. */
export const idInPath = z.object({ id: z.string().min(1).max(64) });

/** A tool's id in a path, which Next has decoded. */
export const toolInPath = z.object({ id: toolId });

/**
 * What happens to an answer that does not match its tool's output schema. `warn`: passed on with `output_warning`.
 * `withhold`: the call fails. null = `warn` for tools of imported sources, `withhold` for tools written here.
 */
export const outputCheck = z.enum(["warn", "withhold"]).nullable().default(null);
