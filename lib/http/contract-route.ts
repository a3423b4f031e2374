import type { z } from "zod";
import type { Contract, Readable } from "@/lib/contracts/operations/operation";
import type { Reply } from "@/lib/http/reply";
import { route, type Authenticate, type BodyRefused, type Handler } from "@/lib/http/route";
import { AppError } from "@/lib/errors";

/** The input of `respond`: the caller and the parts that the contract declares. The type of other parts is `undefined`. */
interface Input<C, K extends Contract> {
  readonly caller: C;
  readonly params: Parsed<K, "params">;
  readonly query: Parsed<K, "query">;
  readonly body: K extends { readonly bodyTypes: readonly string[] } ? undefined : Parsed<K, "body">;
  /** Reads the version of `If-Match`. @throws AppError `precondition_required`, `invalid_request` */
  readonly ifMatch: ReadVersion<K>;
  readonly request: Request;
  readonly requestId: string;
  /** The socket's address, unless a proxy forwarded the request or Next serves it. */
  readonly peer: string | undefined;
}

type Parsed<K, Part extends string> = K extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

type ReadVersion<K> = K extends { readonly headers: readonly (infer Header)[] }
  ? "If-Match" extends Header
    ? () => number
    : "If-Match?" extends Header
      ? () => number | undefined
      : undefined
  : undefined;

/** What `respond` returns: a value, sent as JSON with the status of the contract's first answer, or a complete answer. */
type RespondResult<K extends Contract> = ValueOf<K["answers"][number]> | Reply | Response;

type ValueOf<A> = A extends { readonly schema: infer S extends z.ZodType }
  ? Readable<z.output<S>>
  : A extends { readonly status: 204 }
    ? void
    : never;

/** A handler that serves a contract. */
export interface ContractHandler extends Handler {
  readonly contract: Contract;
}

/**
 * Creates the function that builds routes from contracts. `authenticate` follows from the contract's `who`; path, query
 * and body are parsed by its schemas.
 */
export function contractRoutes<W extends Contract["who"], C>(authenticate: (who: W) => Authenticate<C>) {
  return <K extends Contract & { readonly who: W }>(
    contract: K,
    respond: (input: Input<C, K>) => Promise<RespondResult<K>>,
    hooks: { readonly bodyRefused?: BodyRefused<C> } = {},
  ): ContractHandler => {
    const { who, params, query, body, bodyTypes, bounds, numbers, answers }: Contract & { readonly who: W } = contract;
    const read = versionReader(contract);
    const handler = route({
      authenticate: authenticate(who),
      params,
      query,
      body: bodyTypes === undefined ? body : undefined,
      bounds,
      numbers,
      status: answers[0].status,
      bodyRefused: hooks.bodyRefused,
      respond: (input) => respond((read === null ? input : { ...input, ifMatch: read(input.request) }) as Input<C, K>),
    });
    return Object.assign(handler, { contract });
  };
}

/** Builds the routes that anyone may call. */
export const openRoute = contractRoutes((_who: "anyone") => async () => null);

/** The reader of a contract's `If-Match`; `null` = the contract has none. */
function versionReader({ headers = [] }: Contract): ((request: Request) => () => number | undefined) | null {
  if (headers.includes("If-Match")) return (request) => () => requireVersion(request);
  if (!headers.includes("If-Match?")) return null;
  return (request) => () => (request.headers.has("if-match") ? requireVersion(request) : undefined);
}

/**
 * The version that a change is based on, from `If-Match: "7"` (weak and unquoted values are accepted).
 * @throws AppError `precondition_required` (428) without the header, `invalid_request` when it is no version
 */
function requireVersion(request: Request): number {
  const header = request.headers.get("if-match");
  if (header === null)
    throw new AppError("precondition_required", "Send `If-Match` with the ETag of the version that you changed.");
  const [, digits] = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  throw new AppError("invalid_request", "`If-Match` is not a version of this row.", {
    errors: [{ path: "If-Match", message: 'send the ETag of the answer, such as "7"' }],
  });
}
