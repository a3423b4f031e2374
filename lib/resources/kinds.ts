import type { Permission } from "@/lib/resources/permissions";

// What each kind of row is called and who may see it. Without shapes: pages have it without the schemas, which are 90 KB.

interface Kind {
  /** The field that is the id in the address. */
  readonly id: "name" | "id";
  /** Singular and plural, as sentences use them. */
  readonly words: readonly [string, string];
  readonly read: Permission;
  readonly write: Permission;
}

/** Every resource, in the order in which they are listed; its shape is in the table of `lib/resources/index.ts`. */
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

/** What is changed besides resources, in the words of sentences. */
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
