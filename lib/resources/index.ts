import type { z } from "zod";
import { agentInput, agentRow } from "@/lib/resources/agent";
import { apiKeyCreated, apiKeyInput, apiKeyRow } from "@/lib/resources/api-key";
import { assertionInput, assertionRow } from "@/lib/resources/assertion";
import { clientInput, clientRow } from "@/lib/resources/client";
import { flowRuleInput, flowRuleRow } from "@/lib/resources/flow-rule";
import { groupInput, groupRow } from "@/lib/resources/group";
import { intentInput, intentRow } from "@/lib/resources/intent";
import { issuerInput, issuerRow } from "@/lib/resources/issuer";
import { KINDS, type ResourceName } from "@/lib/resources/kinds";
import { labelInput, labelRow } from "@/lib/resources/label";
import { machineInput, machineRow } from "@/lib/resources/machine";
import { personaInput, personaRow } from "@/lib/resources/persona";
import { policyInput, policyRow } from "@/lib/resources/policy";
import { sourceInput, sourceRow } from "@/lib/resources/source";
import { tokenCreated, tokenInput, tokenRow } from "@/lib/resources/token";
import { toolInput, toolRow } from "@/lib/resources/tool";
import { userCreated, userInput, userRow } from "@/lib/resources/user";
import { webhookCreated, webhookInput, webhookRow } from "@/lib/resources/webhook";

/** The shapes of one resource. */
export interface ResourceShape {
  /** The shape that a client may write; strict. */
  readonly input: z.ZodType;
  /** The shape that the API answers. */
  readonly row: z.ZodObject;
  /** The answer of a creation, where it contains a secret that no later answer shows. */
  readonly created?: z.ZodObject;
}

/** The rows of `KINDS` with their shapes, served under `/api/admin/<name>`. */
export const resources = {
  sources: { ...KINDS.sources, input: sourceInput, row: sourceRow },
  tools: { ...KINDS.tools, input: toolInput, row: toolRow },
  groups: { ...KINDS.groups, input: groupInput, row: groupRow },
  policies: { ...KINDS.policies, input: policyInput, row: policyRow },
  machines: { ...KINDS.machines, input: machineInput, row: machineRow },
  personas: { ...KINDS.personas, input: personaInput, row: personaRow },
  intents: { ...KINDS.intents, input: intentInput, row: intentRow },
  labels: { ...KINDS.labels, input: labelInput, row: labelRow },
  flows: { ...KINDS.flows, input: flowRuleInput, row: flowRuleRow },
  issuers: { ...KINDS.issuers, input: issuerInput, row: issuerRow },
  agents: { ...KINDS.agents, input: agentInput, row: agentRow },
  clients: { ...KINDS.clients, input: clientInput, row: clientRow },
  assertions: { ...KINDS.assertions, input: assertionInput, row: assertionRow },
  "api-keys": { ...KINDS["api-keys"], input: apiKeyInput, row: apiKeyRow, created: apiKeyCreated },
  tokens: { ...KINDS.tokens, input: tokenInput, row: tokenRow, created: tokenCreated },
  users: { ...KINDS.users, input: userInput, row: userRow, created: userCreated },
  webhooks: { ...KINDS.webhooks, input: webhookInput, row: webhookRow, created: webhookCreated },
} as const satisfies Record<ResourceName, ResourceShape>;

export type { ResourceName };
/** A resource's row. */
export type Row<R extends ResourceName> = z.output<(typeof resources)[R]["row"]>;
/** A resource's input, normalised. */
export type Input<R extends ResourceName> = z.output<(typeof resources)[R]["input"]>;
