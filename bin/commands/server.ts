import { CommandProblem } from "@/bin/commands/output";

/** The environment that a command may read; a parameter, so that tests can set it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options of every command that sends requests to a running server. */
export const SERVER_OPTIONS = { url: { type: "string" }, token: { type: "string" } } as const;

/** The default address of `npm start`. */
const DEFAULT_URL = "http://127.0.0.1:3000";
/** Milliseconds for one answer: a large document takes seconds. */
const TIMEOUT_MS = 120_000;

/** A request to the server's admin API. */
interface Question {
  readonly method?: "GET" | "PUT";
  readonly accept?: string;
  /** A YAML or JSON document. */
  readonly document?: string;
  /** Why the change is made, for a request that a second person answers. */
  readonly reason?: string | undefined;
  readonly ifMatch?: number;
}

/** An answer; `problem` lists the server's error messages, one a line. */
interface ServerAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
  readonly problem: string;
}

/** A client of a running server that sends a personal access token. */
export interface Server {
  readonly origin: string;
  ask(path: `/api/admin/${string}`, question?: Question): Promise<ServerAnswer>;
}

/**
 * Connects to the server that the options name, else to `QUARTERMASTER_URL` with `QUARTERMASTER_TOKEN`.
 *
 * @throws CommandProblem without a token or with a malformed URL; `ask` throws one when the server does not answer
 *   or refuses the token
 */
export function connect(options: { url?: string | undefined; token?: string | undefined }, env: Environment): Server {
  const base = baseOf(options.url ?? env["QUARTERMASTER_URL"] ?? DEFAULT_URL);
  const token = options.token ?? env["QUARTERMASTER_TOKEN"] ?? "";
  if (token === "")
    throw new CommandProblem(
      "Set QUARTERMASTER_TOKEN or --token. To create a token, run `npx quartermaster token create --role editor --name ci`.",
    );
  return {
    origin: base.origin,
    async ask(path, { method = "GET", accept = "application/json", document, ifMatch, reason } = {}) {
      const response = await answerOf(new URL(path, base), {
        method,
        headers: {
          accept,
          authorization: `Bearer ${token}`,
          ...(document !== undefined && { "content-type": "application/yaml" }),
          ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
          ...(reason !== undefined && { "review-reason": encodeURIComponent(reason) }),
        },
        ...(document !== undefined && { body: document }),
      });
      const { ok, status, text } = response;
      if (status === 401)
        throw new CommandProblem(
          `${base.origin} refused the token, because it is unknown or expired. Create another token.`,
        );
      return { ok, status, text, problem: ok ? "" : problemIn(text, status, base) };
    },
  };
}

/** Parses an answer's JSON. @throws CommandProblem when it is no JSON: another program answers at that address */
export function jsonOf<T>({ text }: ServerAnswer): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new CommandProblem("The answer is not JSON: is this the address of a Quartermaster server?");
  }
}

async function answerOf(url: URL, init: RequestInit): Promise<Pick<ServerAnswer, "ok" | "status" | "text">> {
  try {
    // A redirect would send the token to another server.
    const options: RequestInit = { ...init, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) };
    const response = await fetch(url, options);
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch (error) {
    if (error instanceof TypeError && /header|ByteString/i.test(error.message))
      throw new CommandProblem("--token: contains characters that a token cannot contain.");
    const late = error instanceof DOMException && error.name === "TimeoutError";
    const reason = late ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error);
    throw new CommandProblem(`Cannot reach ${url.origin}: ${reason}. Is the server running there (--url)?`);
  }
}

function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error && cause.message !== "" ? cause.message : "the connection failed";
}

function problemIn(text: string, status: number, base: URL): string {
  try {
    const { detail, errors = [] } = JSON.parse(text) as {
      detail?: string;
      errors?: { path: string; message: string }[];
    };
    const lines = errors.map(({ path, message }) => `  ${path === "" ? "(document)" : path}: ${message}`);
    return [detail ?? `${base.origin} answered ${status}.`, ...lines].join("\n");
  } catch {
    return `${base.origin} answered ${status}: is this the address of a Quartermaster server?`;
  }
}

function baseOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new CommandProblem(`--url: \`${text}\` is not an http(s) address.`);
}
