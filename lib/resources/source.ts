import { z } from "zod";
import { idempotencyHeader } from "@/lib/resources/parts/idempotency-header";
import { disabledReason, dropStaleReason, meta, outputCheck, slug } from "@/lib/resources/parts/name";
import { SOURCE_KIND_NAMES, SOURCE_KINDS, sourceKindsWhere } from "@/lib/resources/source-kinds";

/**
 * How the app authenticates to the upstream. Secrets are named, never included
 * (docs/reference/execution.md#credentials).
 */
export const upstreamAuth = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("none") }),
  z
    .strictObject({
      mode: z.literal("api_key"),
      in: z.enum(["header", "query"]),
      name: z.string().min(1).max(128),
      secret: slug,
    })
    .refine(({ in: place, name }) => place === "query" || /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name), {
      path: ["name"],
      message: "use a header name, such as x-api-key",
    }),
  z.strictObject({ mode: z.literal("basic"), username: z.string().min(1, "state a user name").max(256), secret: slug }),
  z.strictObject({ mode: z.literal("bearer"), secret: slug }),
  z.strictObject({
    mode: z.literal("client_credentials"),
    tokenUrl: z.url({ protocol: /^https?$/, error: "use an http(s) URL" }),
    clientId: z.string().min(1, "state the client id").max(256),
    secret: slug,
    scope: z.string().max(2000).default(""),
  }),
  z.strictObject({
    mode: z.literal("token_exchange"),
    tokenUrl: z.url({ protocol: /^https?$/, error: "use an http(s) URL" }),
    clientId: z.string().min(1, "state the client id").max(256),
    secret: slug,
    audience: z.string().min(1, "enter an audience").max(2000),
    scope: z.string().max(2000).default(""),
  }),
]);

const fields = {
  name: slug,
  kind: z.enum(SOURCE_KIND_NAMES),
  displayName: z.string().max(200).nullable().default(null),
  description: z.string().max(2000).default(""),
  /** The address of the document or server that tools are imported from. */
  url: z
    .url({ protocol: /^https?$/, error: "use an http(s) URL" })
    .nullable()
    .default(null),
  /** Instead of `url`: the command that starts a stdio server. Words separated by blanks; no shell. */
  command: z
    .string()
    .max(1000)
    .regex(/^[!-~]+(?: [!-~]+)*$/, "use words of visible ASCII with one blank between them")
    .nullable()
    .default(null),
  enabled: z.boolean().default(true),
  disabledReason,
  auth: upstreamAuth.default({ mode: "none" }),
  joinNewOperations: z.enum(["review", "automatic"]).default("review"),
  /** Minutes between automatic syncs of an imported source; null = by hand. */
  syncMinutes: z.int().min(5).max(10_080).nullable().default(null),
  outputCheck,
  limits: z
    .strictObject({ concurrency: z.int().min(1).max(1000).nullable().default(null) })
    .default({ concurrency: null }),
  idempotencyHeader,
};

/** The kinds that a command can start, as a sentence names them. */
const STARTED = sourceKindsWhere(({ command }) => command).map((kind) => `\`${kind}\``);

/** A source as an admin writes it. */
export const sourceInput = z
  .strictObject(fields)
  .overwrite(dropStaleReason)
  .superRefine(({ kind, url, command, auth }, context) => {
    if (command === null) return;
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (!SOURCE_KINDS[kind].command)
      refuse("command", `only a source of the kind ${STARTED.join(" or ")} is started by a command`);
    if (url !== null) refuse("command", "state `url` or `command`, not both");
    if (auth.mode !== "none")
      refuse("auth", "a server that is started by a command is not authenticated to: use `none`");
  });

/** A stored source. */
export const sourceRow = z.object({ ...fields, ...meta });

/** A source, normalised. */
export type SourceInput = z.output<typeof sourceInput>;
/** A source with its revision. */
export type SourceRow = z.output<typeof sourceRow>;
