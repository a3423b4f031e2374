import type { Permission } from "@/lib/resources/permissions";

// Names and read permissions of every kind of row. Without shapes: pages import this file without the schemas, which
// are 90 KB.

interface Kind {
  /** The field that serves as the id in the path. */
  readonly id: "name" | "id";
  /** Singular and plural, for sentences. */
  readonly words: readonly [string, string];
  readonly read: Permission;
  readonly write: Permission;
}

/** Every resource, in list order. The shapes are in the table of `lib/resources/index.ts`. */
export const KINDS = {
  sources: { id: "name", words: ["source", "sources"], read: "configuration:read", write: "configuration:write" },
  tools: { id: "id", words: ["tool", "tools"], read: "configuration:read", write: "configuration:write" },
  groups: {
    id: "name",
    words: ["tool group", "tool groups"],
    read: "configuration:read",
    write: "configuration:write",
  },
  policies: {
    id: "name",
    words: ["access policy", "access policies"],
    read: "configuration:read",
    write: "configuration:write",
  },
  machines: {
    id: "name",
    words: ["state machine", "state machines"],
    read: "configuration:read",
    write: "configuration:write",
  },
  personas: { id: "name", words: ["persona", "personas"], read: "configuration:read", write: "configuration:write" },
  intents: { id: "name", words: ["intent", "intents"], read: "configuration:read", write: "configuration:write" },
  issuers: { id: "name", words: ["issuer", "issuers"], read: "configuration:read", write: "issuers:write" },
  agents: { id: "name", words: ["agent", "agents"], read: "configuration:read", write: "configuration:write" },
  assertions: {
    id: "name",
    words: ["assertion", "assertions"],
    read: "configuration:read",
    write: "configuration:write",
  },
  "api-keys": { id: "name", words: ["API key", "API keys"], read: "keys:read", write: "keys:write" },
  tokens: { id: "name", words: ["token", "tokens"], read: "people:read", write: "people:write" },
  users: { id: "name", words: ["user", "users"], read: "people:read", write: "people:write" },
  webhooks: { id: "name", words: ["webhook", "webhooks"], read: "configuration:read", write: "settings:write" },
} as const satisfies Record<string, Kind>;

/** What changes can be about besides resources: names for sentences. */
export const OTHER_KINDS = {
  settings: "settings",
  pauses: "pause",
  drift: "drift",
  "drift-acceptances": "accepted drift",
  revocations: "revoked token",
  secrets: "secret",
  erasures: "erasure of bodies",
  "dropped-months": "dropped month of the log",
} as const;

/** Whether a text names a resource. */
export function isResourceName(name: string): name is keyof typeof KINDS {
  return Object.hasOwn(KINDS, name);
}
