import { z } from "zod";

const location = z.enum(["path", "query", "header", "cookie"]);

/** How one property of the arguments travels. */
export const runParameter = z.strictObject({
  property: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  in: location,
});

/**
 * How a tool of an `http` or `openapi` source becomes a request: `url` may hold `{name}` of path
 * parameters. `body.whole` sends that one property as the body; else `body.properties` are its members.
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
      contentType: z.literal("application/json").default("application/json"),
      whole: z.string().nullable().default(null),
      properties: z.array(z.strictObject({ property: z.string(), name: z.string() })).default([]),
    })
    .nullable()
    .default(null),
});

/** What runs a tool; `null` for built-in tools, whose code is found by their id. */
export const runInput = z.discriminatedUnion("kind", [httpRun]);

/** The HTTP request of a tool. */
export type HttpRun = z.output<typeof httpRun>;
/** What runs a tool. */
export type Run = z.output<typeof runInput>;
