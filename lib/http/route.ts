import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { readJson, type Numbers } from "@/lib/http/body";
import { isFromGateway, notFromGateway } from "@/lib/http/gateway-secret";
import type { JsonBounds } from "@/lib/http/json-bounds";
import { parse, parsePath, parseQuery, queryOf } from "@/lib/http/parse";
import { toProblem } from "@/lib/http/problem";
import { Reply } from "@/lib/http/reply";
import { newRequestId } from "@/lib/http/request-id";

/** The second argument of a Next route; the lean front builds the same. */
export interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined>>;
  /** The socket's address, unless a proxy forwarded the request. Absent under Next, which does not know it. */
  readonly peer?: string | undefined;
}

/** The schemas that a route parses with. A test compares the API description with them. */
export interface Parses {
  readonly params?: z.ZodType | undefined;
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
}

/** A web-standard handler, with path parameters where the path has any. */
export interface Handler {
  (request: Request, context?: RouteContext): Promise<Response>;
  /** Answers without converting a complete `Reply` to a `Response`: for a server that writes the reply itself. */
  readonly answer?: (request: Request, context?: RouteContext) => Promise<Reply | Response>;
  readonly parses?: Parses;
}

/** Returns the caller, or throws `unauthenticated` / `forbidden`. */
export interface Authenticate<C> {
  (request: Request): Promise<C>;
  /** Called with an error that the route answers to an authenticated caller. Must not throw. */
  readonly onRefused?: (caller: C, error: AppError, request: Request) => void;
  /** Runs a whole `GET`, including its authentication. */
  readonly within?: <T>(answer: () => Promise<T>) => Promise<T>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

interface RouteSpec<C, P, Q, B> {
  readonly authenticate: Authenticate<C>;
  /** Path parameters. An invalid one is a 404, because nothing exists at that address. */
  readonly params?: P;
  /** Query. A repeated key becomes a list. An invalid query is a 400 with its paths. */
  readonly query?: Q;
  /** JSON body. An invalid body is a 400 with its paths. */
  readonly body?: B;
  /** Called with a body that the schema refuses, before the route answers. */
  readonly bodyRefused?: (refused: {
    caller: C;
    body: unknown;
    error: AppError;
    request: Request;
    requestId: string;
  }) => Promise<void>;
  /** `exact`: integers of the body reach an upstream unchanged, or are refused. */
  readonly numbers?: Numbers;
  /** The bounds of the body when they differ from the usual ones: a document, which a worker thread parses. */
  readonly bounds?: JsonBounds;
  /** The answer: a value becomes JSON, `undefined` becomes 204, a `Reply` or `Response` is used as it is. */
  readonly respond: (input: {
    caller: C;
    params: Parsed<P>;
    query: Parsed<Q>;
    body: Parsed<B>;
    request: Request;
    requestId: string;
  }) => Promise<unknown>;
}

/**
 * Builds every route: authenticate, parse, respond, map errors, and nothing else. Absent parts are absent from the
 * input (their type is `undefined`).
 */
export function route<
  C,
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
>(spec: RouteSpec<C, P, Q, B>): Handler {
  const answerNow = async (request: Request, context?: RouteContext): Promise<Reply | Response> => {
    const requestId = newRequestId(request);
    if (!isFromGateway(request.headers)) return toProblem(notFromGateway(), requestId);
    let known: { readonly caller: C } | null = null;
    try {
      const caller = await spec.authenticate(request);
      known = { caller };
      const params = spec.params && parsePath(spec.params, (await context?.params) ?? {});
      const query = spec.query && parseQuery(spec.query, queryOf(request.url));
      const given = spec.body && (await readJson(request, spec.numbers, spec.bounds));
      const refused = (error: AppError) => spec.bodyRefused?.({ caller, body: given, error, request, requestId });
      const body = spec.body && (await parseBody(spec.body, given, refused));
      const answered = await spec.respond({ caller, params, query, body, request, requestId } as Parameters<
        typeof spec.respond
      >[0]);
      return finish(answered, requestId);
    } catch (thrown) {
      const error = hasLeft(request, thrown) ? new AppError("cancelled", "The caller has left.") : thrown;
      if (known !== null && error instanceof AppError) spec.authenticate.onRefused?.(known.caller, error, request);
      return toProblem(error, requestId);
    }
  };
  const { within } = spec.authenticate;
  const answer = (request: Request, context?: RouteContext): Promise<Reply | Response> =>
    within !== undefined && request.method === "GET"
      ? within(() => answerNow(request, context))
      : answerNow(request, context);
  const handler = async (request: Request, context?: RouteContext): Promise<Response> => {
    const answered = await answer(request, context);
    return answered instanceof Reply ? answered.toResponse() : answered;
  };
  const { params, query, body } = spec;
  return Object.assign(handler, { answer, parses: { params, query, body } });
}

/** Whether the work was abandoned because the caller disconnected, which is no failure of the server. */
function hasLeft({ signal }: Request, thrown: unknown): boolean {
  return signal.aborted && thrown === signal.reason;
}

async function parseBody(
  schema: z.ZodType,
  body: unknown,
  refused: (error: AppError) => Promise<void> | undefined,
): Promise<unknown> {
  try {
    return parse(schema, body, "body");
  } catch (error) {
    if (error instanceof AppError) await refused(error);
    throw error;
  }
}

function finish(answer: unknown, requestId: string): Reply | Response {
  const reply = answer instanceof Response ? answer : toReply(answer);
  reply.headers.set("x-request-id", requestId);
  if (!reply.headers.has("cache-control")) reply.headers.set("cache-control", "no-store");
  return reply;
}

function toReply(answer: unknown): Reply {
  if (answer instanceof Reply) return answer;
  return answer === undefined ? new Reply(null, 204) : Reply.json(answer);
}
