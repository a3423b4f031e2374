import type { z } from "zod";
import { agentInput, agentRow } from "@/lib/resources/agent";
import { apiKeyInput, apiKeyRow } from "@/lib/resources/api-key";
import { assertionInput, assertionRow } from "@/lib/resources/assertion";
import { groupInput, groupRow } from "@/lib/resources/group";
import { intentInput, intentRow } from "@/lib/resources/intent";
import { issuerInput, issuerRow } from "@/lib/resources/issuer";
import { machineInput, machineRow } from "@/lib/resources/machine";
import type { Permission } from "@/lib/resources/permissions";
import { personaInput, personaRow } from "@/lib/resources/persona";
import { policyInput, policyRow } from "@/lib/resources/policy";
import { sourceInput, sourceRow } from "@/lib/resources/source";
import { tokenInput, tokenRow } from "@/lib/resources/token";
import { toolInput, toolRow } from "@/lib/resources/tool";
import { userInput, userRow } from "@/lib/resources/user";
import { webhookInput, webhookRow } from "@/lib/resources/webhook";

interface ResourceShape {
  /** What a client may write; strict. */
  readonly input: z.ZodType;
  /** What the API answers. */
  readonly row: z.ZodType;
  /** The field that is the id in the address. */
  readonly id: "name" | "id";
  /** Singular and plural, as sentences use them. */
  readonly words: readonly [string, string];
  readonly read: Permission;
  readonly write: Permission;
}

/**
 * The table of resources: what exists under `/api/admin/<name>`. The store, the views and the
 * configuration document each have a table keyed by the same names: forget one and `tsc` fails.
 */
export const resources = {
  sources: {
    input: sourceInput,
    row: sourceRow,
    id: "name",
    words: ["source", "sources"],
    read: "configuration:read",
    write: "configuration:write",
  },
  tools: {
    input: toolInput,
    row: toolRow,
    id: "id",
    words: ["tool", "tools"],
    read: "configuration:read",
    write: "configuration:write",
  },
  groups: {
    input: groupInput,
    row: groupRow,
    id: "name",
    words: ["tool group", "tool groups"],
    read: "configuration:read",
    write: "configuration:write",
  },
  policies: {
    input: policyInput,
    row: policyRow,
    id: "name",
    words: ["access policy", "access policies"],
    read: "configuration:read",
    write: "configuration:write",
  },
  machines: {
    input: machineInput,
    row: machineRow,
    id: "name",
    words: ["state machine", "state machines"],
    read: "configuration:read",
    write: "configuration:write",
  },
  personas: {
    input: personaInput,
    row: personaRow,
    id: "name",
    words: ["persona", "personas"],
    read: "configuration:read",
    write: "configuration:write",
  },
  intents: {
    input: intentInput,
    row: intentRow,
    id: "name",
    words: ["intent", "intents"],
    read: "configuration:read",
    write: "configuration:write",
  },
  issuers: {
    input: issuerInput,
    row: issuerRow,
    id: "name",
    words: ["issuer", "issuers"],
    read: "configuration:read",
    write: "issuers:write",
  },
  agents: {
    input: agentInput,
    row: agentRow,
    id: "name",
    words: ["agent", "agents"],
    read: "configuration:read",
    write: "configuration:write",
  },
  assertions: {
    input: assertionInput,
    row: assertionRow,
    id: "name",
    words: ["assertion", "assertions"],
    read: "configuration:read",
    write: "configuration:write",
  },
  "api-keys": {
    input: apiKeyInput,
    row: apiKeyRow,
    id: "name",
    words: ["API key", "API keys"],
    read: "keys:read",
    write: "keys:write",
  },
  tokens: {
    input: tokenInput,
    row: tokenRow,
    id: "name",
    words: ["token", "tokens"],
    read: "people:read",
    write: "people:write",
  },
  users: {
    input: userInput,
    row: userRow,
    id: "name",
    words: ["user", "users"],
    read: "people:read",
    write: "people:write",
  },
  webhooks: {
    input: webhookInput,
    row: webhookRow,
    id: "name",
    words: ["webhook", "webhooks"],
    read: "configuration:read",
    write: "settings:write",
  },
} as const satisfies Record<string, ResourceShape>;

/** The name of a resource, as in its address. */
export type ResourceName = keyof typeof resources;
/** A resource's row. */
export type Row<R extends ResourceName> = z.output<(typeof resources)[R]["row"]>;
/** A resource's input, normalised. */
export type Input<R extends ResourceName> = z.output<(typeof resources)[R]["input"]>;

/** Whether a text names a resource. */
export function isResourceName(name: string): name is ResourceName {
  return Object.hasOwn(resources, name);
}
