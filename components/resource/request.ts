import { reasonPrompt } from "@/components/resource/review/reason-prompt";
import type { DroppedCall } from "@/lib/contracts/log/retention";
import type { RowUser } from "@/lib/contracts/changes/row-plan";
import type { HeldChange, RequestRow } from "@/lib/contracts/changes/request";
import type { Verdict } from "@/lib/contracts/changes/verdict";
import { verdictInWords } from "@/lib/contracts/changes/verdict-words";
import type { FieldProblem } from "@/lib/errors";

/** The problem document of our API (RFC 9457), as far as the app reads it. */
interface ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string | null;
  readonly errors: readonly FieldProblem[];
  /** For `in_use`: the objects that use this one. */
  readonly users?: readonly RowUser[];
  /** For `stale`: the present row. For `awaits_review`: the request. */
  readonly current?: unknown;
  /** For `dropped`: the archive of the call. */
  readonly dropped?: DroppedCall;
  /** For `reason_needed`: why the change waits. */
  readonly verdict?: Verdict;
}

/** An answer that is not a success; `message` is meant for people. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: readonly FieldProblem[];
  readonly users: readonly RowUser[] | undefined;
  readonly current: unknown;
  readonly dropped: DroppedCall | undefined;
  readonly verdict: Verdict | undefined;

  constructor(body: ProblemBody) {
    super(body.detail);
    this.name = "Problem";
    this.status = body.status;
    this.code = body.code;
    this.requestId = body.request_id;
    this.errors = body.errors;
    this.users = body.users;
    this.current = body.current;
    this.dropped = body.dropped;
    this.verdict = body.verdict;
  }
}

/** The problems of a refused input. An error without any is one problem of no field. */
export function problemsOf(error: Error | null): readonly FieldProblem[] {
  if (error === null) return [];
  const errors = error instanceof Problem ? error.errors : [];
  return errors.length > 0 ? errors : [{ path: "", message: error.message }];
}

/** The first problem at each field of a form, and the first that belongs to none of them. */
export function problemsByField<F extends string>(error: Error | null, fields: readonly F[]) {
  const problems = problemsOf(error);
  const first = (field: F) => problems.find(({ path }) => path.startsWith(field))?.message;
  return {
    at: Object.fromEntries(fields.map((field) => [field, first(field)])) as Partial<Record<F, string>>,
    other: problems.find(({ path }) => !fields.some((field) => path.startsWith(field)))?.message,
  };
}

/** An address of the admin API. Its parts are escaped. */
export function adminPath(...parts: readonly string[]): `/api/admin/${string}` {
  return `/api/admin/${parts.map((part) => encodeURIComponent(part)).join("/")}`;
}

interface Ask {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
  readonly body?: unknown;
  /** Instead of `body`: a document as YAML or JSON text. */
  readonly document?: string | undefined;
  readonly ifMatch?: number | undefined;
  /** Why the person makes the change, for a second person who may have to approve it. */
  readonly reason?: string | undefined;
  /** Whether the caller itself shows the request that a change became. Otherwise its page opens. */
  readonly showsHeld?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds after a key or a pointer was pressed in which requests count as the person's, not as polls. */
const ACTIVE_MS = 60_000;
let lastInputAt = -Infinity;
if (typeof window !== "undefined")
  for (const type of ["pointerdown", "keydown"])
    window.addEventListener(type, () => void (lastInputAt = performance.now()), { capture: true, passive: true });

const underWay = new Set<Promise<Response>>();
let held: Promise<void> | null = null;

/**
 * Waits until all requests are answered, at most 3 seconds, and holds back new ones: a request during the end of a session
 * would be refused. Returns the function that lets requests continue.
 */
export async function holdRequests(): Promise<() => void> {
  let release = () => {};
  held = new Promise((resolve) => (release = resolve));
  const late = new Promise((done) => setTimeout(done, 3_000));
  await Promise.race([late, Promise.allSettled(underWay)]);
  return () => {
    held = null;
    release();
  };
}

/**
 * Sends a request to our own API, the only one that the app uses. A change that would wait for a second person asks for its
 * reason first, unless one is stated.
 *
 * @throws Problem for every answer that is not a success, and with code `unreachable` when there is none; `awaits_review`
 * for a change that became a request, `reason_needed` for one that the person took back
 */
export async function request<T>(path: `/api/${string}`, ask: Ask = {}): Promise<T> {
  try {
    return await requestOnce<T>(path, ask);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "awaits_review" && ask.showsHeld !== true) reasonPrompt()?.show(error.current as RequestRow);
    if (error.code !== "reason_needed" || error.verdict === undefined) throw error;
    const reason = await reasonPrompt()?.ask(verdictInWords(error.verdict));
    if (typeof reason !== "string") throw new Problem({ ...TAKEN_BACK, request_id: error.requestId });
    return request<T>(path, { ...ask, reason });
  }
}

const TAKEN_BACK = {
  status: 428,
  code: "reason_needed",
  detail: "Nothing was changed: the change needs a review, and you did not request it.",
  errors: [],
};

async function requestOnce<T>(path: `/api/${string}`, ask: Ask): Promise<T> {
  const response = await send(path, "application/json", ask);
  const answer = response.status === 204 ? undefined : ((await response.json()) as unknown);
  if (response.status === 202) throwIfHeld(answer, response.headers.get("x-request-id"));
  return answer as T;
}

/** @throws Problem `awaits_review` for a change that became a request: nothing is saved, so no caller may go on */
function throwIfHeld(answer: unknown, requestId: string | null): void {
  const { request: waiting, verdict } = (answer ?? {}) as Partial<HeldChange>;
  if (waiting === undefined || verdict === undefined) return;
  throw new Problem({
    status: 202,
    code: "awaits_review",
    detail: `Your change waits for a second person (request ${waiting.id}). ${verdictInWords(verdict)}`,
    request_id: requestId,
    errors: [],
    current: waiting,
  });
}

/** Like `request`, for an answer in YAML. */
export async function requestYaml(path: `/api/${string}`, ask: Ask = {}): Promise<string> {
  return (await send(path, "application/yaml", ask)).text();
}

async function send(path: string, accept: string, ask: Ask): Promise<Response> {
  const { method = "GET", body, document, ifMatch, reason, signal } = ask;
  const headers = new Headers({ accept });
  // The server ends a session after an idle hour: an open page that only polls is idle (proxy.ts).
  if (performance.now() - lastInputAt < ACTIVE_MS) headers.set("x-user-active", "1");
  if (body !== undefined) headers.set("content-type", "application/json");
  if (document !== undefined) headers.set("content-type", "application/yaml");
  if (ifMatch !== undefined) headers.set("if-match", `"${ifMatch}"`);
  if (method !== "GET" && reason === undefined && reasonPrompt() !== null) headers.set("prefer", "review-reason");
  if (reason !== undefined && reason !== "") headers.set("review-reason", encodeURIComponent(reason));
  const sent = document ?? (body === undefined ? undefined : JSON.stringify(body));
  await held;
  const answer = fetch(path, {
    method,
    headers,
    ...(sent !== undefined && { body: sent }),
    ...(signal !== undefined && { signal }),
  });
  underWay.add(answer);
  const response = await answer
    .catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
      throw new Problem({
        status: 0,
        code: "unreachable",
        detail: "The server cannot be reached. Check your connection and try again.",
        request_id: null,
        errors: [],
      });
    })
    .finally(() => underWay.delete(answer));
  if (!response.ok) throw await toProblem(response);
  return response;
}

async function toProblem(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => null)) as Partial<ProblemBody> | null;
  return new Problem({
    ...body,
    status: response.status,
    code: body?.code ?? "internal",
    detail: body?.detail ?? `The server answered with status ${response.status}.`,
    request_id: body?.request_id ?? response.headers.get("x-request-id"),
    errors: body?.errors ?? [],
  });
}
