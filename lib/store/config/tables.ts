import { definitionHash } from "@/lib/config/definition-hash";
import { KINDS, PLAIN_TABLE, type OTHER_KINDS, type StoredKind } from "@/lib/resources/kinds";
import type { Prisma, PrismaClient } from "@/lib/store/generated/client";
import type { Kind, Stored, Value } from "@/lib/store/config/values";

interface Table extends StoredKind {
  readonly model: Exclude<keyof PrismaClient, `$${string}` | symbol>;
}

const OTHERS: Readonly<Record<keyof typeof OTHER_KINDS, Table>> = {
  settings: { ...PLAIN_TABLE, model: "settings", table: "settings", write: "settings:write" },
  pauses: { ...PLAIN_TABLE, model: "pause", table: "pause", write: "pause:write" },
  drift: { ...PLAIN_TABLE, model: "drift", table: "drift", id: "id", times: ["since"], write: "configuration:write" },
  "drift-acceptances": {
    ...PLAIN_TABLE,
    model: "driftAcceptance",
    table: "drift_acceptance",
    write: "profile-drift:accept",
  },
  "access-grants": {
    ...PLAIN_TABLE,
    model: "accessGrant",
    table: "access_grant",
    times: ["from", "until"],
    write: "calls:approve",
  },
  revocations: {
    ...PLAIN_TABLE,
    model: "revokedToken",
    table: "revoked_token",
    times: ["until"],
    write: "issuers:write",
  },
  secrets: {
    ...PLAIN_TABLE,
    model: "secret",
    table: "secret",
    times: ["setAt"],
    secret: ["ciphertext"],
    derived: ["lastUsedAt"],
    write: "secrets:write",
  },
  connections: {
    ...PLAIN_TABLE,
    model: "connection",
    table: "connection",
    id: "id",
    derived: ["lastUsedAt"],
    write: "connections:write",
  },
  "token-keys": {
    ...PLAIN_TABLE,
    model: "tokenKey",
    table: "token_key",
    id: "id",
    secret: ["ciphertext"],
    write: "issuers:write",
  },
  erasures: {
    ...PLAIN_TABLE,
    model: "logErasure",
    table: "log_erasure",
    times: ["from", "to"],
    write: "retention:write",
  },
  "dropped-months": { ...PLAIN_TABLE, model: "logDrop", table: "log_drop", times: ["at"], write: "retention:write" },
};

/** The table of each kind, and the permission to write it. */
export const tables: Readonly<Record<Kind, Table>> = { ...KINDS, ...OTHERS };

/** The methods that the store uses of any Prisma model. Prisma's own types differ from model to model. */
export interface Model {
  findMany(query: object): Promise<Record<string, unknown>[]>;
  findUnique(query: object): Promise<Record<string, unknown> | null>;
  count(query: object): Promise<number>;
}

/** The client, or a transaction of it. */
export type Connection = PrismaClient | Prisma.TransactionClient;

/** A kind's model on a connection. */
export function modelOf(connection: Connection, kind: Kind): Model {
  return connection[tables[kind].model as "group"] as unknown as Model;
}

/** Converts a Prisma record to the stored row: without secret columns, times as ISO 8601 text. */
export function toStored<K extends Kind>(kind: K, record: Record<string, unknown>): Stored<K> {
  const { secret } = tables[kind];
  const fields = Object.entries(record)
    .filter(([column]) => !secret.includes(column))
    .map(([column, value]) => [column, value instanceof Date ? value.toISOString() : value]);
  return Object.fromEntries(fields) as Stored<K>;
}

/** A stored row without metadata and derived columns: the input that would create it again. */
export function toValue<K extends Kind>(kind: K, row: Stored<K>): Value<K> {
  const left: readonly string[] = ["revision", "createdAt", "updatedAt", ...tables[kind].derived];
  return Object.fromEntries(Object.entries(row).filter(([column]) => !left.includes(column))) as unknown as Value<K>;
}

/** Converts a value to its columns. A tool gets its definition hash. */
export function toColumns<K extends Kind>(kind: K, value: Value<K>): Record<string, unknown> {
  if (kind !== "tools") return { ...value };
  return { ...value, definitionHash: definitionHash(value as Value<"tools">) };
}

/** A value's id. */
export function idOf(kind: Kind, value: object): string {
  return String((value as Record<string, unknown>)[tables[kind].id]);
}

/** The value as the store returns it: times in UTC. A save compares values in this form. */
export function normalised<K extends Kind>(kind: K, value: Value<K>): Value<K> {
  const { times } = tables[kind];
  if (times.length === 0) return value;
  const fields = Object.entries(value).map(([column, field]) => [
    column,
    typeof field === "string" && times.includes(column) ? new Date(field).toISOString() : (field as unknown),
  ]);
  return Object.fromEntries(fields) as unknown as Value<K>;
}
