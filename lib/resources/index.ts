import type { z } from "zod";
import { agentInput, agentRow } from "@/lib/resources/agent";
import { apiKeyInput, apiKeyRow } from "@/lib/resources/api-key";
import { assertionInput, assertionRow } from "@/lib/resources/assertion";
import { groupInput, groupRow } from "@/lib/resources/group";
import { intentInput, intentRow } from "@/lib/resources/intent";
import { issuerInput, issuerRow } from "@/lib/resources/issuer";
import { KINDS } from "@/lib/resources/kinds";
import { machineInput, machineRow } from "@/lib/resources/machine";
import { personaInput, personaRow } from "@/lib/resources/persona";
import { policyInput, policyRow } from "@/lib/resources/policy";
import { sourceInput, sourceRow } from "@/lib/resources/source";
import { tokenInput, tokenRow } from "@/lib/resources/token";
import { toolInput, toolRow } from "@/lib/resources/tool";
import { userInput, userRow } from "@/lib/resources/user";
import { webhookInput, webhookRow } from "@/lib/resources/webhook";

interface ResourceShape {
  /** The shape that a client may write; strict. */
  readonly input: z.ZodType;
  /** The shape that the API answers. */
  readonly row: z.ZodType;
}

/**
 * The table of resources under `/api/admin/<name>`. The store, the views and the configuration document each have a
 * table with the same keys: a missing entry fails `tsc`.
 */
export const resources = {
  sources: { ...KINDS.sources, input: sourceInput, row: sourceRow },
  tools: { ...KINDS.tools, input: toolInput, row: toolRow },
  groups: { ...KINDS.groups, input: groupInput, row: groupRow },
  policies: { ...KINDS.policies, input: policyInput, row: policyRow },
  machines: { ...KINDS.machines, input: machineInput, row: machineRow },
  personas: { ...KINDS.personas, input: personaInput, row: personaRow },
  intents: { ...KINDS.intents, input: intentInput, row: intentRow },
  issuers: { ...KINDS.issuers, input: issuerInput, row: issuerRow },
  agents: { ...KINDS.agents, input: agentInput, row: agentRow },
  assertions: { ...KINDS.assertions, input: assertionInput, row: assertionRow },
  "api-keys": { ...KINDS["api-keys"], input: apiKeyInput, row: apiKeyRow },
  tokens: { ...KINDS.tokens, input: tokenInput, row: tokenRow },
  users: { ...KINDS.users, input: userInput, row: userRow },
  webhooks: { ...KINDS.webhooks, input: webhookInput, row: webhookRow },
} as const satisfies Record<keyof typeof KINDS, ResourceShape>;

/** The name of a resource, as in its path. */
export type ResourceName = keyof typeof resources;
/** A resource's row. */
export type Row<R extends ResourceName> = z.output<(typeof resources)[R]["row"]>;
/** A resource's input, normalised. */
export type Input<R extends ResourceName> = z.output<(typeof resources)[R]["input"]>;
