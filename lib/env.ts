import { z } from "zod";

const secret = z.string().min(32, "must be at least 32 characters; `npm start` makes one in .data/");

const schema = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  LOG_LEVEL: z.enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
  /** postgres:// URL of the one database. */
  DATABASE_URL: z.string().startsWith("postgres", "must be a postgres:// URL"),
  /** Signs people's session cookies. */
  NEXTAUTH_SECRET: secret,
  /** Public origin, such as http://127.0.0.1:3000: cookies, `Origin` checks and links use it. */
  NEXTAUTH_URL: z.url().default("http://127.0.0.1:3000"),
  /** How many reverse proxies stand in front and add to `x-forwarded-for`; 0 = people reach this process directly. */
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  /** 32 bytes, base64: encrypts stored secrets and claims (AES-256-GCM). */
  MASTER_KEY: z.string().refine((text) => Buffer.from(text, "base64").length === 32, "must be 32 bytes in base64"),
  /** Where checkpoints, generated secrets and the embedded database live. */
  DATA_DIR: z.string().default(".data"),
  /** `host:port` entries, comma-separated, that outbound calls may reach although they are not public. */
  OUTBOUND_ALLOW: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ""),
    ),
});

/** The environment, as this process reads it. */
export type Env = z.output<typeof schema>;

/**
 * The parsed environment; nothing else in `lib/` reads `process.env`. Parsed at first use rather than at
 * import, so that a build (which has no database) can load modules; `bin/` asks at start.
 *
 * @throws Error with one sentence per variable that is missing or wrong
 */
export const env: Env = new Proxy({} as Env, {
  get: (_target, key) => load()[key as keyof Env],
});

let loaded: Env | undefined;

function load(): Env {
  if (loaded !== undefined) return loaded;
  const result = schema.safeParse(process.env);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not complete.\n${lines.join("\n")}`);
  }
  loaded = result.data;
  return loaded;
}
