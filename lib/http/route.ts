import type { z } from "zod";
import type { Contract } from "@/lib/contracts/operations/operation";
import { AppError } from "@/lib/errors";
import { readJson, type Numbers } from "@/lib/http/body";
import { isFromGateway, notFromGateway } from "@/lib/http/gateway-secret";
import type { JsonBounds } from "@/lib/http/json-bounds";
import { parse, parsePath, parseQuery, queryOf } from "@/lib/http/parse";
import { toProblem } from "@/lib/http/problem";
import { Reply } from "@/lib/http/reply";
import { newRequestId } from "@/lib/http/request-id";

/** The second argument of a Next route; the lean front builds the same. */
interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined>>;
  /** The socket's address, unless a proxy forwarded the request. Absent under Next, which does not know it. */
  readonly peer?: string | undefined;
}

/** A web-standard handler, with path parameters where the path has any. */
export interface Handler {
  (request: Request, context?: RouteContext): Promise<Response>;
  /** Answers without converting a complete `Reply` to a `Response`: for a server that writes the reply itself. */
  readonly answer?: (request: Request, context?: RouteContext) => Promise<Reply | Response>;
  /** The contract that the handler serves, when it has one. */
  readonly contract?: Contract;
}

/** Returns the caller, or throws `unauthenticated` / `forbidden`. */
export interface Authenticate<C> {
  (request: Request): Promise<C>;
  /** Called with an error that the route answers to an authenticated caller. Must not throw. */
  readonly onRefused?: (caller: C, error: AppError, request: Request) => void;
  /** Runs a whole request, including its authentication. */
  readonly within?: <T>(answer: () => Promise<T>) => Promise<T>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Called with a body that the schema refuses, before the route answers. */
export type BodyRefused<C> = (refused: {
  caller: C;
  body: unknown;
  error: AppError;
  request: Request;
  requestId: string;
}) => Promise<void>;

interface RouteSpec<C, P, Q, B> {
  readonly authenticate: Authenticate<C>;
  /** Path parameters. An invalid one is a 404, because nothing exists at that address. */
  readonly params?: P | undefined;
  /** Query. A repeated key becomes a list. An invalid query is a 400 with its paths. */
  readonly query?: Q | undefined;
  /** JSON body. An invalid body is a 400 with its paths. */
  readonly body?: B | undefined;
  readonly bodyRefused?: BodyRefused<C> | undefined;
  readonly numbers?: Numbers | undefined;
  readonly bounds?: JsonBounds | undefined;
  /** The status of an answer that is a value; 200 unless stated. */
  readonly status?: number;
  /** The answer: a value becomes JSON, `undefined` becomes 204, a `Reply` or `Response` is used as it is. */
  readonly respond: (input: {
    caller: C;
    params: Parsed<P>;
    query: Parsed<Q>;
    body: Parsed<B>;
    request: Request;
    requestId: string;
    /** See `RouteContext`. */
    peer: string | undefined;
  }) => Promise<unknown>;
}

/**
 * Builds every route: authenticate, parse, respond, map errors, and nothing else. Absent parts are absent from the
 * input (their type is `undefined`). A route of the described API uses `contractRoutes`.
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
      const input = { caller, params, query, body, request, requestId, peer: context?.peer };
      const answered = await spec.respond(input as Parameters<typeof spec.respond>[0]);
      return finish(answered, requestId, spec.status);
    } catch (thrown) {
      const error = hasLeft(request, thrown) ? new AppError("cancelled", "The client closed the connection.") : thrown;
      if (known !== null && error instanceof AppError) spec.authenticate.onRefused?.(known.caller, error, request);
      return toProblem(error, requestId);
    }
  };
  const { within } = spec.authenticate;
  const answer = (request: Request, context?: RouteContext): Promise<Reply | Response> =>
    within === undefined ? answerNow(request, context) : within(() => answerNow(request, context));
  const handler = async (request: Request, context?: RouteContext): Promise<Response> => {
    const answered = await answer(request, context);
    return answered instanceof Reply ? answered.toResponse() : answered;
  };
  return Object.assign(handler, { answer });
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

function finish(answer: unknown, requestId: string, status?: number): Reply | Response {
  const reply = answer instanceof Response ? answer : toReply(answer, status);
  reply.headers.set("x-request-id", requestId);
  if (!reply.headers.has("cache-control")) reply.headers.set("cache-control", "no-store");
  return reply;
}

function toReply(answer: unknown, status?: number): Reply {
  if (answer instanceof Reply) return answer;
  return answer === undefined ? new Reply(null, 204) : Reply.json(answer, status);
}
