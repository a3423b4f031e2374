import type { z } from "zod";
import type { ErrorCode } from "@/lib/errors";
import type { ResourceName } from "@/lib/resources/index";
import type { Permission } from "@/lib/resources/permissions";

/** The chapters of the API description besides those of the resources; `/docs` has a page for each. */
export const CHAPTERS = {
  "agent-api": ["Agent API", "What an agent calls: which tools it has, calls, sessions. JSON in snake_case."],
  preview: [
    "Preview and findings",
    "Which tools a caller would have, and why; findings: probable mistakes in the configuration.",
  ],
  configuration: ["Configuration", "The whole configuration as one document, its revisions, settings and the pause."],
  imports: ["Imports", "Import tools from an OpenAPI document or an MCP server: read it, review the plan, apply it."],
  secrets: ["Secrets", "Credentials that sources send to their upstreams. Set here, used by name, never returned."],
  "linked-accounts": [
    "Linked accounts",
    "People's own sign-ins at upstreams whose sources require them. Tokens are never returned.",
  ],
  profiles: ["Profiles", "Profiles: upper limits on tools that the code defines. Tools that need acceptance for one."],
  log: ["Log", "Every call with its decision, every session, every change of the configuration."],
  account: ["Account", "The signed-in person or token, and saved views."],
  service: ["Service", "Health, readiness, metrics and this document."],
} as const satisfies Record<string, readonly [title: string, description: string]>;

/** One chapter: from this table, or a resource's name. */
export type Chapter = keyof typeof CHAPTERS | ResourceName;

/** The methods that the routes answer. */
export const METHODS = ["get", "post", "put", "patch", "delete"] as const;
/** One method, as OpenAPI spells it. */
type Method = (typeof METHODS)[number];

/** A successful answer. */
interface Success {
  readonly status: 200 | 201 | 202 | 204 | 303 | 304 | 503;
  readonly description: string;
  /** The schema of a JSON answer; absent = no body, or text. */
  readonly schema?: z.ZodType;
  /** Content types, unless JSON alone. */
  readonly types?: readonly string[];
  /** Whether the answer has an `ETag`. */
  readonly etag?: boolean;
}

/**
 * What one route promises: its address, who may call it, what it reads and what it answers. The route file names its
 * contract, and lib/http/contract-route.ts authenticates and parses by it. `/api/openapi.json` and `/docs` show the same
 * object.
 */
export interface Contract {
  readonly method: Method;
  /** The path in OpenAPI syntax: `/api/admin/revisions/{number}`. */
  readonly path: `/${string}`;
  /** Absent = the chapter of its table. */
  readonly chapter?: Chapter;
  /** One line that begins with a verb. */
  readonly summary: string;
  readonly description?: string;
  /** Who may call: an agent, a role with the permission, or anyone. */
  readonly who: "agent" | "anyone" | Permission;
  /** With `who: "anyone"`: credentials that give access when the operation would otherwise refuse. */
  readonly helps?: readonly ("token" | "metrics")[];
  /** Path parameters. An invalid one is a 404, because nothing exists at that address. */
  readonly params?: z.ZodObject;
  /** Query. A repeated key becomes a list. An invalid query is a 400 with its paths. */
  readonly query?: z.ZodObject;
  /** Request headers besides the credential. */
  readonly headers?: readonly HeaderName[];
  /** Body. An invalid body is a 400 with its paths. */
  readonly body?: z.ZodType;
  /** Content types of a body that the route reads itself; absent = JSON, parsed with `body`. */
  readonly bodyTypes?: readonly string[];
  /** The most values and keys of a JSON body, when they differ from the usual ones. */
  readonly bounds?: { readonly values: number; readonly keys: number };
  /** `exact`: integers of the body reach an upstream unchanged, or are refused. */
  readonly numbers?: "exact";
  /** Whether the change may wait for a second person: adds the answer 202 and the headers `Review-Reason` and `Prefer`. */
  readonly reviewed?: boolean;
  /** Successful answers. What a route returns as a value is the JSON of the first one. */
  readonly answers: readonly [Success, ...Success[]];
  /** Error codes that are answered in this shape instead of a problem document. */
  readonly refusals?: { readonly schema: z.ZodType; readonly codes: readonly ErrorCode[] };
  /** Error codes besides those that `errorsOf` derives. */
  readonly errors?: readonly ErrorCode[];
}

/** The method and the path of a contract: `...at.get("/api/admin/requests")`. */
export const at = {
  get: withMethod("get"),
  post: withMethod("post"),
  put: withMethod("put"),
  patch: withMethod("patch"),
  delete: withMethod("delete"),
};

function withMethod<const M extends Method>(method: M) {
  return <const P extends Contract["path"]>(path: P) => ({ method, path });
}

/** The answer 200 with a JSON body. */
export function ok<S extends z.ZodType>(description: string, schema: S) {
  return { status: 200, description, schema } as const;
}

/** Contracts by their `operationId` in snake_case. An id never changes. */
export type Contracts = Readonly<Record<string, Contract>>;

/** A contract with its `operationId`. */
export interface Operation extends Contract {
  readonly id: string;
  readonly chapter: Chapter;
}

/** The request headers that operations read. */
export const HEADERS = {
  "If-Match": "The `ETag` of the version to change. If the stored version differs, the answer is a 409.",
  "If-Match?":
    "The `ETag` of the version to change. If the stored version differs, the answer is a 409. Without it, any version is changed.",
  "Idempotency-Key": "A key you choose, such as a UUID. For one day, the same call with the same key runs once.",
  "Review-Reason?":
    "Why you make this change: at most 500 characters, percent-encoded (UTF-8). A change that waits for a second person shows it.",
  "Prefer?":
    "`review-reason`: a change that would wait for a second person and states no reason is refused with 428, and no request is opened.",
  "If-None-Match": "The `ETag` of the version you have. If nothing changed, the answer is a 304 without a body.",
} as const;
/** The name of a request header; `?` marks an optional one. */
export type HeaderName = keyof typeof HEADERS;

/** Every error code of an operation: the codes that follow from its parts, then its own. */
export function errorsOf(contract: Contract): ErrorCode[] {
  const { who, params, query, body, headers = [] } = contract;
  const matches = headers.some((header) => header.startsWith("If-Match"));
  const codes: ErrorCode[] = [
    ...(who === "anyone" ? [] : (["unauthenticated"] as const)),
    ...(who === "anyone" || who === "agent" ? [] : (["forbidden"] as const)),
    ...(params === undefined ? [] : (["not_found"] as const)),
    ...(query === undefined && body === undefined && !matches ? [] : (["invalid_request"] as const)),
    ...(body === undefined ? [] : (["payload_too_large", "unsupported_media_type"] as const)),
    ...(matches ? (["stale"] as const) : []),
    ...(headers.includes("If-Match") ? (["precondition_required"] as const) : []),
    ...(contract.reviewed === true ? (["reason_needed"] as const) : []),
    ...(contract.errors ?? []),
    ...(who === "anyone" ? [] : (["config_unavailable", "internal"] as const)),
  ];
  return [...new Set(codes)];
}

/** A value that a route returns: it may be read-only. Where any JSON is allowed, nothing is compared. */
export type Readable<T> = [z.core.util.JSONType] extends [T]
  ? unknown
  : T extends object
    ? { readonly [P in keyof T]: Readable<T[P]> }
    : T;
