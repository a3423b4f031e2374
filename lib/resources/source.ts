import { z } from "zod";
import { idempotencyHeader } from "@/lib/resources/parts/idempotency-header";
import { disabledReason, dropStaleReason, meta, outputCheck, secretName, slug } from "@/lib/resources/parts/name";
import { SOURCE_KIND_NAMES, SOURCE_KINDS, sourceKindsWhere } from "@/lib/resources/source-kinds";

const httpUrl = z.url({ protocol: /^https?$/, error: "use an http(s) URL" });

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
      secret: secretName,
    })
    .refine(({ in: place, name }) => place === "query" || /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name), {
      path: ["name"],
      message: "use a header name, such as x-api-key",
    }),
  z.strictObject({
    mode: z.literal("basic"),
    username: z
      .string()
      .min(1, "state a user name")
      .max(256)
      .regex(/^[^:]+$/, "must not contain a colon (RFC 7617)"),
    secret: secretName,
  }),
  z.strictObject({ mode: z.literal("bearer"), secret: secretName }),
  z.strictObject({
    mode: z.literal("client_credentials"),
    tokenUrl: z.url({ protocol: /^https?$/, error: "use an http(s) URL" }),
    clientId: z.string().min(1, "state the client id").max(256),
    secret: secretName,
    scope: z.string().max(2000).default(""),
  }),
  z.strictObject({
    mode: z.literal("token_exchange"),
    tokenUrl: z.url({ protocol: /^https?$/, error: "use an http(s) URL" }),
    clientId: z.string().min(1, "state the client id").max(256),
    secret: secretName,
    audience: z.string().min(1, "enter an audience").max(2000),
    scope: z.string().max(2000).default(""),
  }),
  /** The user's own sign-in: each person links their account (docs/reference/linked-accounts.md). */
  z
    .strictObject({
      mode: z.literal("user"),
      /** The API that tokens are requested for (RFC 8707), and to whose origin alone they go; `null` = the source's URL. */
      resource: httpUrl.nullable().default(null),
      /** The authorization server; `null` = the one that the resource's metadata names (RFC 9728). */
      issuer: httpUrl.nullable().default(null),
      /** Separated by spaces; empty = the scopes that the resource names. */
      scope: z.string().max(2000).default(""),
      /** The client that is registered there by hand; `null` = our client document, or dynamic registration. */
      clientId: z.string().min(1, "state the client id").max(2048).nullable().default(null),
      /** The secret of that client; `null` = it has none. */
      secret: secretName.nullable().default(null),
      /** A bearer token for imports and syncs; `null` = the linked account of the person who starts one. */
      importSecret: secretName.nullable().default(null),
    })
    .refine(({ clientId, secret }) => secret === null || clientId !== null, {
      path: ["clientId"],
      message: "state the client id that the secret belongs to",
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
  .superRefine(({ kind, url, command, auth, syncMinutes }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: path.split("."), message });
    if (auth.mode === "user" && command === null) {
      // Calls of a kind with its own server go there. Those of other kinds go where each tool says.
      if (auth.resource === null && (SOURCE_KINDS[kind].imports !== "server" || url === null))
        refuse("auth.resource", "state the address of the API that accounts are linked at");
      if (SOURCE_KINDS[kind].imports === "server" && syncMinutes !== null && auth.importSecret === null)
        refuse(
          "syncMinutes",
          "an automatic sync has no person who could sign in: name an `importSecret`, or sync by hand",
        );
    }
    if (command === null) return;
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
