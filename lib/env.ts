import { z } from "zod";
import { LOOPBACK_HOSTS } from "@/lib/access/model/addresses";

const KEY_MAKER = "`openssl rand -base64 32` makes one, and so does `npm start`";

const secret = z.string(`must be set: ${KEY_MAKER}`).min(32, `must be at least 32 characters: ${KEY_MAKER}`);

/** `""` is how compose files and shells say that a variable is not set. */
const optional = z
  .string()
  .optional()
  .transform((text) => (text === "" ? undefined : text));

const splitAtCommas = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

const separated = (usual = "") => z.string().default(usual).transform(splitAtCommas);

/** Comma-separated names, or a JSON list for names that hold commas themselves (`CN=admins,DC=example`). */
const names = z
  .string()
  .default("")
  .transform((text, context) => {
    if (!text.trim().startsWith("[")) return splitAtCommas(text);
    const list = z.array(z.string().min(1)).safeParse(fromJson(text));
    if (list.success) return list.data;
    context.addIssue({ code: "custom", message: 'must be names with commas between, or a JSON list (["a", "b"])' });
    return z.NEVER;
  });

const httpUrl = (which: string) =>
  optional.refine(
    (text) => text === undefined || /^https?:\/\//.test(text),
    `must be an http:// or https:// URL${which}`,
  );

const otlpEndpoint = httpUrl(", such as http://127.0.0.1:4318");

const otlpProtocol = optional.pipe(
  z.enum(["http/protobuf", "http/json"], "must be http/protobuf or http/json: gRPC is not spoken here").optional(),
);

const otlpExporter = optional.pipe(z.enum(["otlp", "none"], "must be otlp or none").optional());

/** OpenTelemetry, Environment variables: the samplers that need no server of their own. */
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const whole = (usual: number, least: number, most = Infinity) => {
  const message = `must be a whole number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}`;
  return optional.pipe(
    z.coerce.number<string | undefined>(message).int(message).min(least, message).max(most, message).default(usual),
  );
};

const milliseconds = (usual: number) => whole(usual, 100);

const cap = (usual: number) => whole(usual, 1);

const masterKey = z
  .string(`must be set: ${KEY_MAKER}`)
  .refine((text) => Buffer.from(text, "base64").length === 32, `must be 32 bytes in base64: ${KEY_MAKER}`);

const fields = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  LOG_LEVEL: z.enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
  /** postgres:// URL of the one database. */
  DATABASE_URL: z.string("must be set to a postgres:// URL").startsWith("postgres", "must be a postgres:// URL"),
  /** The database under a login that may add to the log and not change it; DATABASE_URL then makes tables only. */
  DATABASE_APP_URL: z.string().startsWith("postgres", "must be a postgres:// URL").optional(),
  /** Signs people's session cookies. */
  NEXTAUTH_SECRET: secret,
  /** Secrets that it replaced, comma-separated: sessions that they signed go on until they end, half a day at most. */
  NEXTAUTH_SECRET_PREVIOUS: separated().pipe(z.array(secret)),
  /** Public origin, such as http://127.0.0.1:3000: cookies, `Origin` checks and links use it. */
  NEXTAUTH_URL: z
    .url({ protocol: /^https?$/, error: "must be the public http(s):// address, such as https://tools.example.com" })
    .default("http://127.0.0.1:3000"),
  /** How many reverse proxies stand in front and add to `x-forwarded-for`; 0 = people reach this process directly. */
  TRUST_PROXY: whole(0, 0, 10),
  /** 32 bytes, base64: encrypts stored secrets and claims (AES-256-GCM). */
  MASTER_KEY: masterKey,
  /** Keys that MASTER_KEY replaced, comma-separated, until `npx quartermaster rotate-key` is done: they open, nothing is sealed under them. */
  MASTER_KEY_PREVIOUS: separated().pipe(z.array(masterKey)),
  /** Where checkpoints, generated secrets and the embedded database live. */
  DATA_DIR: z.string().default(".data"),
  /** Where seals of the log are remembered besides the database: a file, one seal a line (docs/audit.md). */
  CHECKPOINT_FILE: optional,
  /** Where seals are remembered at an address: each checkpoint is PUT there, and GET answers the last one. */
  CHECKPOINT_URL: httpUrl(" of one object, such as https://store.example/quartermaster/checkpoint.json"),
  /** The `Authorization` header for that address, or an access key of S3 (`lib/outbound/authorization.ts`). */
  CHECKPOINT_AUTHORIZATION: optional,
  /** Where months of the log are archived (docs/audit.md): a folder, best on another disk. */
  ARCHIVE_DIR: optional,
  /** Where months of the log are archived at an address: each file is PUT below it, and read back with GET. */
  ARCHIVE_URL: httpUrl(", such as https://store.example/quartermaster/archives"),
  /** The `Authorization` header for that address, or an access key of S3 (`lib/outbound/authorization.ts`). */
  ARCHIVE_AUTHORIZATION: optional,
  /** Makes this process the app behind a gateway: it runs no jobs, and answers only requests that carry the secret. */
  GATEWAY_SECRET: optional.refine(
    (text) => text === undefined || text.length >= 32,
    "must be at least 32 characters: the supervisor makes one for each start",
  ),
  /** redis:// or rediss:// URL; when set, limits are counted there. */
  REDIS_URL: optional.refine(
    (text) => text === undefined || /^rediss?:\/\//.test(text),
    "must be a redis:// or rediss:// URL",
  ),
  /** `host:port` entries, comma-separated, that outbound calls may reach although they are not public. */
  OUTBOUND_ALLOW: separated().refine(
    (entries) => entries.every((entry) => /^(?:\[[0-9a-f:.]+\]|[^\s:/@]+):\d{1,5}$/i.test(entry)),
    "must be host:port with commas between, such as 127.0.0.1:8080,[::1]:8080",
  ),
  /** Exact commands that sources of the kind `mcp` may start on this machine. */
  MCP_STDIO_ALLOW: names,
  /** Host names beside that of NEXTAUTH_URL and of this machine that `/mcp` answers under, and whose pages it answers. */
  MCP_HOSTS: names.refine(
    (hosts) => hosts.every((host) => /^(?:\[[0-9a-f:.]+\]|[^\s:/@]+)$/i.test(host)),
    "must be host names without scheme or port, such as tools.example.com",
  ),
  /** Schemes of links and resource addresses in tools' results that agents are shown; others are left out. */
  RESULT_LINK_SCHEMES: separated("https,http")
    .transform((schemes) => schemes.map((scheme) => scheme.toLowerCase()))
    .refine(
      (schemes) => schemes.every((scheme) => /^[a-z][a-z0-9+.-]*$/.test(scheme)),
      "must be URI schemes with commas between, such as https,http",
    ),
  /** How many sessions of the MCP transport one caller may have open at a time; idle ones end after an hour. */
  MCP_SESSIONS_PER_CALLER: cap(1_000),
  /** How many tools one MCP server may list: a list with more is not imported. */
  MCP_TOOLS_PER_SOURCE: cap(5_000),
  /** How many sessions (docs/reference/http.md#agent-api) one caller may have that have not expired. */
  SESSIONS_PER_CALLER: cap(100_000),
  /** How many calls of one caller may be accepted and not have ended: queued, running, or waiting for an approval. */
  WAITING_CALLS_PER_CALLER: cap(1_000),
  /** How many calls one caller may have running at a time in one process, through all endpoints; a script's own calls are not counted. */
  CALLS_PER_CALLER: cap(32),
  /** How many streams of lists and calls, and polls that wait for a call, one caller may have open at a time in one process. */
  STREAMS_PER_CALLER: cap(2_000),
  /** How many connections one address may have open at a time in one process; not counted behind TRUST_PROXY proxies. */
  CONNECTIONS_PER_ADDRESS: cap(2_500),
  /** Who sends it as `Authorization: Bearer` may read /api/metrics from other machines. */
  METRICS_TOKEN: optional.refine(
    (text) => text === undefined || /^[\x21-\x7e]{16,}$/.test(text),
    "must be at least 16 visible ASCII characters",
  ),
  /** OpenTelemetry's own variables (docs/telemetry.md): with an endpoint, traces and metrics are sent there by OTLP. */
  OTEL_SDK_DISABLED: optional.transform((text) => text?.toLowerCase() === "true"),
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otlpEndpoint,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: otlpEndpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: otlpProtocol,
  OTEL_TRACES_EXPORTER: otlpExporter,
  OTEL_METRICS_EXPORTER: otlpExporter,
  OTEL_TRACES_SAMPLER: optional.pipe(z.enum(SAMPLERS).default("parentbased_always_on")),
  OTEL_TRACES_SAMPLER_ARG: optional.pipe(z.coerce.number<string | undefined>().min(0).max(1).default(1)),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds(5_000),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds(60_000),
  /** Exact `iss` of the company's OpenID provider; its discovery document lies below it. */
  OIDC_ISSUER: optional.refine(
    (text) => text === undefined || isIssuer(text),
    "must be an https:// URL without query, as the provider states it (http:// for this machine only)",
  ),
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  /** What the sign-in page calls the provider: "Continue with …". */
  OIDC_NAME: optional.refine((text) => text === undefined || text.length <= 40, "must be at most 40 characters"),
  OIDC_SCOPES: optional.refine(
    (text) => text === undefined || text.split(" ").includes("openid"),
    "must hold the word `openid`, such as `openid profile email`",
  ),
  /**
   * Minutes for which the provider's answer about a person is valid. Then the server asks again, or ends the sessions.
   */
  OIDC_RECHECK_MINUTES: whole(15, 1, 60),
  /** Claim path (docs/reference/decision.md) of the groups in what the provider says of a person. */
  OIDC_GROUPS_CLAIM: optional,
  /** The provider's groups whose members get a role; the first of the three that fits counts. */
  OIDC_ADMIN_GROUPS: names,
  OIDC_EDITOR_GROUPS: names,
  OIDC_AUDITOR_GROUPS: names,
});

const OIDC_NEEDED = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
const OIDC_GROUPS = ["OIDC_ADMIN_GROUPS", "OIDC_EDITOR_GROUPS", "OIDC_AUDITOR_GROUPS"] as const;
const OIDC_OPTIONAL = ["OIDC_NAME", "OIDC_SCOPES", "OIDC_GROUPS_CLAIM"] as const;

/** OpenID sign-in is set whole, or not at all; archives have one place. */
const schema = fields.superRefine((given, context) => {
  if (given.ARCHIVE_DIR !== undefined && given.ARCHIVE_URL !== undefined)
    context.addIssue({ code: "custom", path: ["ARCHIVE_URL"], message: "or ARCHIVE_DIR: there is one place, not two" });
  const isSet = (name: keyof typeof given) => given[name] !== undefined && given[name].toString() !== "";
  const some = [...OIDC_NEEDED, ...OIDC_GROUPS, ...OIDC_OPTIONAL].find(isSet);
  if (some === undefined) return;
  for (const name of OIDC_NEEDED)
    if (!isSet(name))
      context.addIssue({ code: "custom", path: [name], message: `must be set, because ${some} is (or set neither)` });
  if (!OIDC_GROUPS.some(isSet))
    context.addIssue({
      code: "custom",
      path: [OIDC_GROUPS[0]],
      message: `or another of ${OIDC_GROUPS.join(", ")} must name a group: without one nobody can sign in`,
    });
});

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Discovery and the client's secret go there: in plain text only within this machine (OpenID Connect Discovery 1.0, 2). */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK_HOSTS.includes(hostname));
}

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

/** Whether browsers and agents reach this installation over TLS: its cookies are then for TLS only. */
export function isServedOverTls(): boolean {
  return env.NEXTAUTH_URL.startsWith("https:");
}

/** The origin of the public address, which is also the `iss` of our own tokens. */
export function publicOrigin(): string {
  return new URL(env.NEXTAUTH_URL).origin;
}

/** Whether OUTBOUND_ALLOW names the host and the port of an address. */
export function isOutboundAllowed({ protocol, hostname, port }: URL): boolean {
  const hostAndPort = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  return env.OUTBOUND_ALLOW.some((entry) => entry.toLowerCase() === hostAndPort);
}

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
