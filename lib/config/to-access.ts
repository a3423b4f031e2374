import type {
  Agent,
  Group,
  Intent,
  Issuer,
  Machine,
  Persona,
  Policy,
  Settings,
  Source,
  Tool,
} from "@/lib/access/model/configuration";
import { definitionHash } from "@/lib/config/definition-hash";
import type { AgentInput } from "@/lib/resources/agent";
import type { GroupInput } from "@/lib/resources/group";
import type { IntentInput } from "@/lib/resources/intent";
import type { IssuerInput } from "@/lib/resources/issuer";
import type { MachineInput } from "@/lib/resources/machine";
import type { PersonaInput } from "@/lib/resources/persona";
import type { PolicyInput } from "@/lib/resources/policy";
import type { SettingsInput } from "@/lib/resources/settings";
import type { SourceInput } from "@/lib/resources/source";
import type { ToolInput } from "@/lib/resources/tool";

/** What the resolver reads of the settings. */
export function toSettings({ routing, openStart, cache }: SettingsInput): Settings {
  return { routing, openStart, cache };
}

/** What the resolver reads of a source. */
export function toSource({ name, kind, enabled, disabledReason }: SourceInput): Source {
  return { name, kind, enabled, disabledReason };
}

/** What the resolver reads of a tool; the definition hash is the given one, else computed. */
export function toTool(tool: ToolInput, hash = definitionHash(tool)): Tool {
  return {
    id: tool.id,
    source: tool.source,
    operation: tool.operation,
    name: tool.name,
    displayName: tool.displayName,
    description: tool.description,
    guidance: tool.guidance,
    category: tool.category,
    version: tool.version,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
    mcp: tool.mcp,
    path: tool.path,
    method: tool.method,
    tags: tool.tags,
    labels: tool.labels,
    groups: tool.groups,
    state: tool.state,
    availableInStates: tool.availableInStates,
    requiredCapabilities: tool.requiredCapabilities,
    enabled: tool.enabled,
    disabledReason: tool.disabledReason,
    status: tool.status,
    definitionHash: hash,
  };
}

/** What the resolver reads of a group. */
export function toGroup({ name, description, guidance, active, selectors, include, exclude }: GroupInput): Group {
  return { name, description, guidance, active, selectors, include, exclude };
}

/** What the resolver reads of a policy. */
export function toPolicy(policy: PolicyInput): Policy {
  return {
    name: policy.name,
    description: policy.description,
    effect: policy.effect,
    priority: policy.priority,
    active: policy.active,
    validFrom: policy.validFrom,
    validUntil: policy.validUntil,
    matchers: policy.matchers,
    everyone: policy.everyone,
    arguments: policy.arguments,
    groups: policy.groups,
  };
}

/** What the resolver reads of a machine. */
export function toMachine({ name, description, initial, openStart, states, rules }: MachineInput): Machine {
  return { name, description, initial, openStart, states, rules };
}

/** What the resolver reads of a persona. */
export function toPersona({ name, description, capabilities, sampleClaims }: PersonaInput): Persona {
  return { name, description, capabilities, sampleClaims };
}

/** What the resolver reads of an intent. */
export function toIntent({ name, description, groups }: IntentInput): Intent {
  return { name, description, groups };
}

/** What the resolver reads of an issuer. */
export function toIssuer({ name, issuer, capabilitiesClaim }: IssuerInput): Issuer {
  return { name, issuer, capabilitiesClaim };
}

/** What the resolver reads of an agent. */
export function toAgent(agent: AgentInput): Agent {
  const { name, enabled, issuer, subject, attributes, persona, profile, machine, stateHeldByServer } = agent;
  return { name, enabled, issuer, subject, attributes, persona, profile, machine, stateHeldByServer };
}
