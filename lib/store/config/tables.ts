import { definitionHash } from "@/lib/config/definition-hash";
import { resources } from "@/lib/resources/index";
import type { Permission } from "@/lib/resources/permissions";
import type { Prisma, PrismaClient } from "@/lib/store/generated/client";
import type { Kind, Stored, Value } from "@/lib/store/config/values";

interface Table {
  /** The table's name in the database. */
  readonly table: string;
  /** Prisma's name of the model. */
  readonly model: Exclude<keyof PrismaClient, `$${string}` | symbol>;
  readonly id: "name" | "id";
  /** Time columns that a client sets. The store returns them in UTC. */
  readonly times: readonly string[];
  /** Columns that no row and no change row contains. */
  readonly secret: readonly string[];
  /** Columns that the store computes. They are not part of the value. */
  readonly derived: readonly string[];
  readonly write: Permission;
}

const plain = { id: "name", times: [], secret: [], derived: [] } as const;

/** The table of each kind, and the permission to write it. */
export const tables = {
  sources: { ...plain, model: "source", table: "source", write: resources.sources.write },
  tools: {
    ...plain,
    model: "tool",
    table: "tool",
    id: "id",
    derived: ["definitionHash"],
    write: resources.tools.write,
  },
  groups: { ...plain, model: "group", table: "tool_group", write: resources.groups.write },
  policies: {
    ...plain,
    model: "policy",
    table: "policy",
    times: ["validFrom", "validUntil"],
    write: resources.policies.write,
  },
  machines: { ...plain, model: "machine", table: "machine", write: resources.machines.write },
  personas: { ...plain, model: "persona", table: "persona", write: resources.personas.write },
  intents: { ...plain, model: "intent", table: "intent", write: resources.intents.write },
  issuers: { ...plain, model: "issuer", table: "issuer", write: resources.issuers.write },
  agents: { ...plain, model: "agent", table: "agent", write: resources.agents.write },
  assertions: { ...plain, model: "assertion", table: "assertion", write: resources.assertions.write },
  "api-keys": {
    ...plain,
    model: "apiKey",
    table: "api_key",
    times: ["expiresAt", "previousUntil"],
    secret: ["hash", "previousHash"],
    derived: ["lastUsedAt"],
    write: resources["api-keys"].write,
  },
  tokens: {
    ...plain,
    model: "token",
    table: "token",
    times: ["expiresAt"],
    secret: ["hash", "ownerId"],
    derived: ["lastUsedAt"],
    write: resources.tokens.write,
  },
  users: {
    ...plain,
    model: "user",
    table: "person",
    secret: [
      "id",
      "passwordHash",
      "sessionEpoch",
      "openIdGrant",
      "openIdCheckedAt",
      "openIdClaimedAt",
      "openIdRefused",
    ],
    derived: ["lastSignInAt"],
    write: resources.users.write,
  },
  webhooks: {
    ...plain,
    model: "webhook",
    table: "webhook",
    times: ["previousUntil"],
    secret: ["ciphertext", "previousCiphertext"],
    write: resources.webhooks.write,
  },
  settings: { ...plain, model: "settings", table: "settings", write: "settings:write" },
  pauses: { ...plain, model: "pause", table: "pause", write: "pause:write" },
  drift: {
    ...plain,
    model: "drift",
    table: "drift",
    id: "id",
    times: ["since"],
    write: "configuration:write",
  },
  "drift-acceptances": { ...plain, model: "driftAcceptance", table: "drift_acceptance", write: "profile-drift:accept" },
  revocations: { ...plain, model: "revokedToken", table: "revoked_token", times: ["until"], write: "issuers:write" },
  secrets: {
    ...plain,
    model: "secret",
    table: "secret",
    times: ["setAt"],
    secret: ["ciphertext"],
    derived: ["lastUsedAt"],
    write: "secrets:write",
  },
  erasures: { ...plain, model: "logErasure", table: "log_erasure", times: ["from", "to"], write: "retention:write" },
  "dropped-months": { ...plain, model: "logDrop", table: "log_drop", times: ["at"], write: "retention:write" },
} as const satisfies Record<Kind, Table>;

/** A kind's table description without its literal types. */
export function tableOf(kind: Kind): Table {
  return tables[kind];
}

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
  const { secret } = tableOf(kind);
  const fields = Object.entries(record)
    .filter(([column]) => !secret.includes(column))
    .map(([column, value]) => [column, value instanceof Date ? value.toISOString() : value]);
  return Object.fromEntries(fields) as Stored<K>;
}

/** A stored row without metadata and derived columns: the input that would create it again. */
export function toValue<K extends Kind>(kind: K, row: Stored<K>): Value<K> {
  const left: readonly string[] = ["revision", "createdAt", "updatedAt", ...tableOf(kind).derived];
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
  const { times } = tableOf(kind);
  if (times.length === 0) return value;
  const fields = Object.entries(value).map(([column, field]) => [
    column,
    typeof field === "string" && times.includes(column) ? new Date(field).toISOString() : (field as unknown),
  ]);
  return Object.fromEntries(fields) as unknown as Value<K>;
}
