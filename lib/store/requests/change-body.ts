import { isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import type { Change, Secret } from "@/lib/store/save/change";
import type { AppliedChange } from "@/lib/store/save/change";
import { bodyOf, isIntact, secretsOf, type StoredRequest } from "@/lib/store/requests/requests";
import type { Definitions } from "@/lib/store/sources/upstream-definitions";
import type { Kind } from "@/lib/store/config/values";

/** One changed row of a change request, without its secret columns. */
export interface RequestedChange {
  readonly resource: Kind;
  readonly action: "create" | "update" | "delete";
  readonly id: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** Secret columns by the position of their change; bytes are hexadecimal. */
type SealedSecrets = Readonly<Record<string, Readonly<Record<string, { readonly bytes: string } | string | null>>>>;

/** The body of a request. One of an older version is the list of its changes alone. */
interface Body {
  readonly changes: readonly RequestedChange[];
  /** The sources' definitions that an approval accepts, by tool id. */
  readonly definitions: Readonly<Record<string, object>>;
}

/** The changes and the accepted definitions in the form that a request stores, and the secrets apart. */
export function toBody(
  changes: readonly AppliedChange[],
  definitions: Definitions,
): { readonly body: Json; readonly secrets: Json | null } {
  const requested = changes.map(({ resource, action, id, before, after }) => ({ resource, action, id, before, after }));
  const secrets = changes.flatMap(({ secret }, at) => {
    const columns = Object.entries(secret).map(([column, value]) => [column, toSealed(value)] as const);
    return columns.length === 0 ? [] : [[String(at), Object.fromEntries(columns)] as const];
  });
  return {
    body: { changes: requested, definitions: Object.fromEntries(definitions) } satisfies Body as unknown as Json,
    secrets: secrets.length === 0 ? null : (Object.fromEntries(secrets) as Json),
  };
}

function toSealed(value: Secret[string]): { bytes: string } | string | null {
  return value === null || typeof value === "string" ? value : { bytes: Buffer.from(value).toString("hex") };
}

/** The changes that a request holds, without secrets. @throws AppError `conflict` when no key opens them */
export function requestedChanges(request: StoredRequest): readonly RequestedChange[] {
  return partsOf(request).changes;
}

/** The sources' definitions that an approval of the request accepts. @throws AppError `conflict` when no key opens them */
export function acceptedDefinitions(request: StoredRequest): Definitions {
  return new Map(Object.entries(partsOf(request).definitions));
}

function partsOf(request: StoredRequest): Body {
  const body = bodyOf(request) as unknown as Body | Body["changes"] | null;
  if (body === null) throw unreadable();
  return "changes" in body ? body : { changes: body, definitions: {} };
}

/** The changes of an open request as the writer takes them. @throws AppError `conflict` when its secrets are gone */
export function toChanges(request: StoredRequest): readonly Change[] {
  const changes = requestedChanges(request);
  if (!isIntact(request)) throw incomplete();
  const secrets = request.secrets === null ? {} : (secretsOf(request) as SealedSecrets | null);
  if (secrets === null) throw incomplete();
  return changes.map(({ resource, action, id, after }, at) => {
    const sealed = secrets[String(at)];
    const secret = sealed === undefined ? {} : { secret: opened(sealed) };
    return (action === "delete" ? { resource, action, id } : { resource, action, id, after, ...secret }) as Change;
  });
}

function opened(sealed: SealedSecrets[string]): Secret {
  return Object.fromEntries(
    Object.entries(sealed).map(([column, value]) => [
      column,
      typeof value === "object" && value !== null ? Buffer.from(value.bytes, "hex") : value,
    ]),
  );
}

/** Whether a stored row still is what the request was based on. */
export function isUnchanged({ before }: RequestedChange, present: object | null): boolean {
  return isSameJson(before as unknown as Json, present as unknown as Json);
}

function incomplete(): AppError {
  return new AppError(
    "conflict",
    "The request is incomplete: its secrets were erased. Refuse it, and make the change again.",
  );
}

function unreadable(): AppError {
  return new AppError("conflict", "The request cannot be decrypted: its master key is gone. Make the change again.");
}
