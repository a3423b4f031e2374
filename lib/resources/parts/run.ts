import { z } from "zod";

const location = z.enum(["path", "query", "header", "cookie"]);

/**
 * How a value is serialized: the styles of OpenAPI 3.1 (Parameter Object), and `json`, which OpenAPI writes as
 * `content`. Default: `form` in queries and bodies, `simple` elsewhere.
 */
const style = z.enum(["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject", "json"]);

const serialisation = {
  style: style.optional(),
  /** Serializes each item or member separately. Default by style: `true` for `form` and `deepObject` only. */
  explode: z.boolean().optional(),
};

/** How one property of the arguments is sent. */
const runParameter = z.strictObject({
  property: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  in: location,
  ...serialisation,
  /**
   * In the query: characters such as `/` and `:` stay as they are, except those that would end the value. In the path:
   * `/`, `\`, `?`, `#`, `%` and control characters are percent-encoded; without this flag they are refused.
   */
  allowReserved: z.boolean().optional(),
});

/** One member of a body; `style` and `explode` apply to forms only. */
const runBodyMember = z.strictObject({
  property: z.string(),
  name: z.string(),
  ...serialisation,
  /** In `multipart/form-data`: the argument is a file as base64 text. Otherwise its value decides its media type. */
  file: z.boolean().optional(),
  /** In `multipart/form-data`: the media type of this part. */
  contentType: z.string().max(200).optional(),
});

/** How a body is serialized. */
const bodyType = z.enum([
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "text/plain",
  "application/octet-stream",
]);

/**
 * How a tool of an `http` or `openapi` source becomes a request. `url` may hold `{name}` of path parameters.
 * `body.whole` sends that property as the body; else `body.properties` are its members.
 * `body.contentType` selects the serialization: text as it is, `application/octet-stream` from base64. A media type
 * with the same serialization (`application/merge-patch+json`, `application/xml`) is set in `headers`.
 */
export const httpRun = z.strictObject({
  kind: z.literal("http"),
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
  url: z
    .string()
    .min(1)
    .max(2048)
    .regex(/^https?:\/\//, "use an http(s) URL"),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "not a header name"), z.string().max(4096))
    .default({}),
  parameters: z.array(runParameter).max(200).default([]),
  body: z
    .strictObject({
      contentType: bodyType.default("application/json"),
      whole: z.string().nullable().default(null),
      properties: z.array(runBodyMember).default([]),
    })
    .nullable()
    .default(null),
});

/** A tool of an `mcp` source, by the name on its server (MCP 2025-11-25, server/tools). */
const mcpRun = z.strictObject({ kind: z.literal("mcp"), tool: z.string().min(1).max(256) });

/**
 * A script (docs/reference/execution.md#sandbox): a module whose default export is a function `(args, { callTool })`.
 * `cpuSeconds` limits its computing time, without the time in which it waits for tools.
 */
const scriptRun = z.strictObject({
  kind: z.literal("script"),
  code: z.string().min(1, "write a script").max(65_536),
  cpuSeconds: z.number().min(0.1).max(5).default(1),
});

/** How a tool is executed; `null` for built-in tools, whose code is found by their id. */
export const runInput = z.discriminatedUnion("kind", [httpRun, mcpRun, scriptRun]);

/** How a value is serialized. */
export type Style = z.output<typeof style>;
/** One parameter of a request. */
export type RunParameter = z.output<typeof runParameter>;
/** One member of a request's body. */
export type RunBodyMember = z.output<typeof runBodyMember>;
/** The HTTP request of a tool. */
export type HttpRun = z.output<typeof httpRun>;
/** How a tool is executed. */
export type Run = z.output<typeof runInput>;
