import { ALL, DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { ROLES, type Permission } from "@/lib/resources/permissions";

// The facts of every resource, without shapes: pages import this file without the schemas, which are 90 KB.

/** One field that names another row. */
export interface ReferenceField {
  /** Path inside the row; `[]` goes through a list. */
  readonly path: string;
  /** A resource, `secrets`, or `profiles`, which are code. `lib/config/references.ts` has the exact type. */
  readonly to: string;
  /** Names that always exist as a target. */
  readonly builtIn?: readonly string[];
  /**
   * Whether an unknown name refuses the save, or is only a warning (the reference has no effect until the target
   * exists).
   */
  readonly unknown: "refused" | "warned";
}

/** How a kind of row is stored. `lib/store/config/tables.ts` compares the names with Prisma's models. */
export interface StoredKind {
  /** The field that serves as the id in the path. */
  readonly id: "name" | "id";
  readonly write: Permission;
  /** Prisma's name of the model. */
  readonly model: string;
  /** The table's name in the database. */
  readonly table: string;
  /** Time columns that a client sets. The store returns them in UTC. */
  readonly times: readonly string[];
  /** Columns that no row and no change row contains. */
  readonly secret: readonly string[];
  /** Columns that the store computes. They are not part of the value. */
  readonly derived: readonly string[];
  /** Columns whose values together must be unique. A null in one of them exempts the row; so does a value in `unless`. */
  readonly unique?: { readonly columns: readonly string[]; readonly unless?: string };
}

interface ResourceKind extends StoredKind {
  /** Singular and plural, for sentences. */
  readonly words: readonly [string, string];
  readonly read: Permission;
  /**
   * Its part in the configuration document: a rule and a caller take part in decisions, and a preview can take an
   * unsaved rule. `null` = the document does not contain it.
   */
  readonly section: "rule" | "caller" | "test" | null;
  readonly references: readonly ReferenceField[];
}

/** A table whose columns are the fields that clients write. */
export const PLAIN_TABLE = { id: "name", times: [], secret: [], derived: [] } as const;

const configuration = {
  ...PLAIN_TABLE,
  read: "configuration:read",
  write: "configuration:write",
  section: "rule",
  references: [],
} as const;
const groups = { to: "groups", builtIn: [ALL, DEFAULT_GROUP], unknown: "refused" } as const;

/** The groups that a tool can declare and routing can name: never `*`. */
export const DECLARED_GROUPS = { to: "groups", builtIn: [DEFAULT_GROUP], unknown: "refused" } as const;

/**
 * The table of resources, in the order of lists. Store, API, permissions, configuration document and pages follow from
 * a row. `lib/resources/index.ts` adds the shapes.
 */
export const KINDS = {
  sources: {
    ...configuration,
    words: ["source", "sources"],
    model: "source",
    table: "source",
    // A document is applied before the secrets that it names are set. Until then calls fail closed.
    references: [
      { path: "auth.secret", to: "secrets", unknown: "warned" },
      { path: "auth.importSecret", to: "secrets", unknown: "warned" },
    ],
  },
  tools: {
    ...configuration,
    id: "id",
    words: ["tool", "tools"],
    model: "tool",
    table: "tool",
    derived: ["definitionHash"],
    references: [
      { path: "source", to: "sources", unknown: "refused" },
      { path: "groups[]", ...DECLARED_GROUPS },
      { path: "flow.raises[]", to: "labels", unknown: "refused" },
    ],
  },
  groups: {
    ...configuration,
    words: ["tool group", "tool groups"],
    model: "group",
    table: "tool_group",
    references: [
      { path: "include[].tool", to: "tools", unknown: "warned" },
      { path: "exclude[].tool", to: "tools", unknown: "warned" },
    ],
  },
  policies: {
    ...configuration,
    words: ["access policy", "access policies"],
    model: "policy",
    table: "policy",
    times: ["validFrom", "validUntil"],
    references: [
      { path: "groups[]", ...groups },
      { path: "approvers[]", to: "users", builtIn: ROLES, unknown: "warned" },
    ],
  },
  machines: {
    ...configuration,
    words: ["state machine", "state machines"],
    model: "machine",
    table: "machine",
    references: [{ path: "rules[].tool", to: "tools", unknown: "warned" }],
  },
  personas: { ...configuration, words: ["persona", "personas"], model: "persona", table: "persona" },
  intents: {
    ...configuration,
    words: ["intent", "intents"],
    model: "intent",
    table: "intent",
    references: [{ path: "groups[]", ...groups }],
  },
  labels: { ...configuration, words: ["label", "labels"], model: "label", table: "label" },
  flows: {
    ...configuration,
    words: ["flow rule", "flow rules"],
    model: "flowRule",
    table: "flow_rule",
    references: [
      { path: "when[]", to: "labels", unknown: "refused" },
      { path: "restrict[].tool", to: "tools", unknown: "warned" },
    ],
  },
  issuers: {
    ...configuration,
    words: ["issuer", "issuers"],
    write: "issuers:write",
    section: "caller",
    model: "issuer",
    table: "issuer",
    unique: { columns: ["issuer"] },
  },
  agents: {
    ...configuration,
    words: ["agent", "agents"],
    section: "caller",
    model: "agent",
    table: "agent",
    unique: { columns: ["issuer", "subject"] },
    references: [
      { path: "issuer", to: "issuers", unknown: "refused" },
      { path: "persona", to: "personas", unknown: "refused" },
      { path: "profile", to: "profiles", unknown: "refused" },
      { path: "machine", to: "machines", unknown: "refused" },
      // An owner keeps their name while it is here: the next person with that name would get the agent.
      { path: "owners[]", to: "users", unknown: "warned" },
    ],
  },
  clients: {
    ...configuration,
    words: ["client", "clients"],
    write: "issuers:write",
    section: null,
    model: "client",
    table: "client",
    references: [{ path: "agent", to: "agents", unknown: "refused" }],
  },
  assertions: {
    ...configuration,
    words: ["assertion", "assertions"],
    section: "test",
    model: "assertion",
    table: "assertion",
    references: [
      { path: "given.persona", to: "personas", unknown: "refused" },
      { path: "given.profile", to: "profiles", unknown: "refused" },
      { path: "given.machine", to: "machines", unknown: "refused" },
      { path: "given.group[]", ...groups, unknown: "warned" },
      { path: "given.labels[]", to: "labels", unknown: "refused" },
      { path: "expect.visible[]", to: "tools", unknown: "warned" },
      { path: "expect.hidden[]", to: "tools", unknown: "warned" },
    ],
  },
  "api-keys": {
    id: "name",
    words: ["API key", "API keys"],
    read: "keys:read",
    write: "keys:write",
    section: null,
    model: "apiKey",
    table: "api_key",
    times: ["expiresAt", "previousUntil"],
    secret: ["hash", "previousHash"],
    derived: ["lastUsedAt"],
    references: [{ path: "agent", to: "agents", unknown: "refused" }],
  },
  tokens: {
    id: "name",
    words: ["token", "tokens"],
    read: "people:read",
    write: "people:write",
    section: null,
    model: "token",
    table: "token",
    times: ["expiresAt"],
    secret: ["hash", "ownerId"],
    derived: ["lastUsedAt"],
    references: [],
  },
  users: {
    id: "name",
    words: ["user", "users"],
    read: "people:read",
    write: "people:write",
    section: null,
    model: "user",
    table: "person",
    times: [],
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
    // The e-mail address of an OpenID user signs nobody in, and another user may have the same one.
    unique: { columns: ["email"], unless: "issuer" },
    references: [],
  },
  webhooks: {
    ...configuration,
    words: ["webhook", "webhooks"],
    write: "settings:write",
    section: null,
    model: "webhook",
    table: "webhook",
    times: ["previousUntil"],
    secret: ["ciphertext", "previousCiphertext"],
  },
} as const satisfies Record<string, ResourceKind>;

/** The name of a resource, as in its path. */
export type ResourceName = keyof typeof KINDS;

/** The names of all resources, in the order of the table. */
export const RESOURCE_NAMES = Object.keys(KINDS) as ResourceName[];

/** What changes can be about besides resources: names for sentences. */
export const OTHER_KINDS = {
  settings: "settings",
  pauses: "pause",
  drift: "drift",
  "drift-acceptances": "accepted drift",
  "access-grants": "access grant",
  revocations: "revoked token",
  secrets: "secret",
  connections: "connection",
  "token-keys": "signing key",
  erasures: "erasure of bodies",
  "dropped-months": "dropped month of the log",
} as const;

/**
 * Kinds that no plan of the configuration reads. Agents and background jobs save them at any time, so such a save does not
 * make a plan stale.
 */
export const UNPLANNED_KINDS = [
  "revocations",
  "connections",
  "token-keys",
  "erasures",
  "dropped-months",
] as const satisfies readonly (keyof typeof OTHER_KINDS)[];

/** Whether a text names a resource. */
export function isResourceName(name: string): name is ResourceName {
  return Object.hasOwn(KINDS, name);
}
