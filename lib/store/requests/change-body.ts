import { isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import type { Prisma } from "@/lib/store/generated/client";
import type { AppliedChange, Change, Secret } from "@/lib/store/save/change";
import { idOf, tables } from "@/lib/store/config/tables";
import { open, seal } from "@/lib/store/keys/cipher";
import { purposeOf } from "@/lib/store/keys/reseal";
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

/** The id of a row after a change; for a deleted row, the id before it. */
export function changedId({ resource, id, after }: RequestedChange): string {
  return after === null ? id : idOf(resource, after);
}

/**
 * A secret column. `bytes` is hexadecimal. `plain` is the decrypted value of an encrypted column: the whole request is
 * encrypted, and a new master key could not re-encrypt a ciphertext inside. Requests of earlier versions hold one,
 * as a string.
 */
type RequestedSecret = { readonly bytes: string } | { readonly plain: string } | string | null;

/** Secret columns by the position of their change. */
type RequestedSecrets = Readonly<Record<string, Readonly<Record<string, RequestedSecret>>>>;

/** The body of a request. Earlier versions stored only the list of changes. */
interface Body {
  readonly changes: readonly RequestedChange[];
  /** The sources' definitions that an approval accepts, by tool id. */
  readonly definitions: Readonly<Record<string, object>>;
}

/** Converts changes and accepted definitions to the body that a request stores, and the changes' secrets separately. */
export function toBody(
  changes: readonly AppliedChange[],
  definitions: Definitions,
): { readonly body: Json; readonly secrets: Json | null } {
  const requested = changes.map(({ resource, action, id, before, after }) => ({ resource, action, id, before, after }));
  const secrets = changes.flatMap(({ resource, after, secret }, at) => {
    const columns = Object.entries(secret).map(
      ([column, value]) => [column, toRequested(resource, after, column, value)] as const,
    );
    return columns.length === 0 ? [] : [[String(at), Object.fromEntries(columns)] as const];
  });
  return {
    body: { changes: requested, definitions: Object.fromEntries(definitions) } satisfies Body as unknown as Json,
    secrets: secrets.length === 0 ? null : (Object.fromEntries(secrets) as Json),
  };
}

function toRequested(resource: Kind, after: object | null, column: string, value: Secret[string]): RequestedSecret {
  if (value === null) return null;
  if (typeof value !== "string") return { bytes: Buffer.from(value).toString("hex") };
  const purpose = purposeOf(tables[resource].table, column);
  if (purpose === undefined || after === null) return value;
  const plain = open(purpose, value, idOf(resource, after));
  return plain === null ? value : { plain };
}

/** The changes that a request holds, without secrets. @throws AppError `conflict` when no key opens them */
export function requestedChanges(request: StoredRequest): readonly RequestedChange[] {
  return partsOf(request).changes;
}

/** Like `requestedChanges`, but `null` when no key opens them. */
export function readableChanges(request: StoredRequest): readonly RequestedChange[] | null {
  return readParts(request)?.changes ?? null;
}

/**
 * Changes that no request holds. The writer adds them: connections end with their client or agent, and pauses follow a renamed
 * agent or source.
 */
const ADDED_BY_WRITER = [{ resource: "connections" }, { resource: "pauses", action: "update" }];

/**
 * The changes of an applied request. When no key opens it, reads those of its revision in the history: otherwise the
 * request could not be reverted and would block later changes.
 *
 * @throws AppError `conflict` when the history does not have them either
 */
export async function appliedChanges(
  request: StoredRequest,
  { change }: Pick<Prisma.TransactionClient, "change">,
): Promise<readonly RequestedChange[]> {
  const readable = readableChanges(request);
  if (readable !== null) return readable;
  const saved = await change.findMany({
    where: { revision: request.revision ?? -1, NOT: { OR: ADDED_BY_WRITER } },
    orderBy: { id: "asc" },
    select: { resource: true, action: true, rowId: true, before: true, after: true },
  });
  if (saved.length === 0) throw unreadable();
  return saved.map(({ rowId, ...row }) => ({ ...row, id: rowId }) as unknown as RequestedChange);
}

/** The sources' definitions that an approval of the request accepts. @throws AppError `conflict` when no key opens them */
export function acceptedDefinitions(request: StoredRequest): Definitions {
  return new Map(Object.entries(partsOf(request).definitions));
}

/** Like `acceptedDefinitions`, but `null` when no key opens them. */
export function readableDefinitions(request: StoredRequest): Definitions | null {
  const parts = readParts(request);
  return parts === null ? null : new Map(Object.entries(parts.definitions));
}

function partsOf(request: StoredRequest): Body {
  const parts = readParts(request);
  if (parts === null) throw unreadable();
  return parts;
}

function readParts(request: StoredRequest): Body | null {
  const body = bodyOf(request) as unknown as Body | Body["changes"] | null;
  return body === null || "changes" in body ? body : { changes: body, definitions: {} };
}

/** The changes of an open request, as `write` takes them. @throws AppError `conflict` when the request is not intact */
export function toChanges(request: StoredRequest): readonly Change[] {
  const changes = requestedChanges(request);
  if (!isIntact(request)) throw notIntact();
  const secrets = request.secrets === null ? {} : (secretsOf(request) as RequestedSecrets | null);
  if (secrets === null) throw notIntact();
  return changes.map(({ resource, action, id, after }, at) => {
    const requested = secrets[String(at)];
    const secret = requested === undefined ? {} : { secret: toSecret(resource, after, requested) };
    return (action === "delete" ? { resource, action, id } : { resource, action, id, after, ...secret }) as Change;
  });
}

/** @throws AppError `conflict` when no key opens a ciphertext of an earlier version */
function toSecret(resource: Kind, after: object | null, requested: RequestedSecrets[string]): Secret {
  return Object.fromEntries(
    Object.entries(requested).map(([column, value]): [string, Secret[string]] => {
      if (value === null || after === null) return [column, null];
      if (typeof value === "object" && "bytes" in value) return [column, Buffer.from(value.bytes, "hex")];
      const purpose = purposeOf(tables[resource].table, column);
      if (purpose === undefined) return [column, value as string];
      const id = idOf(resource, after);
      const plain = typeof value === "object" ? value.plain : open(purpose, value, id);
      if (plain === null) throw unreadable();
      return [column, seal(purpose, plain, id)];
    }),
  );
}

/** Whether a stored row still is what the request was based on. */
export function isUnchanged({ before }: RequestedChange, present: object | null): boolean {
  return isSameJson(before as unknown as Json, present as unknown as Json);
}

function notIntact(): AppError {
  return new AppError(
    "conflict",
    "The request is not intact: its secrets were erased or its row was changed. Refuse it, and make the change again.",
  );
}

function unreadable(): AppError {
  return new AppError("conflict", "The request cannot be decrypted: its master key is gone. Make the change again.");
}
