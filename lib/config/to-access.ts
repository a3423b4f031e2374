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

/** Converts settings to the resolver's form. */
export function toSettings({ routing, openStart, cache }: SettingsInput): Settings {
  return { routing, openStart, cache };
}

/** Converts a source to the resolver's form. */
export function toSource({ name, kind, enabled, disabledReason }: SourceInput): Source {
  return { name, kind, enabled, disabledReason };
}

/** Converts a tool to the resolver's form, with the given or the computed definition hash. */
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

/** Converts a group to the resolver's form. */
export function toGroup({ name, description, guidance, active, selectors, include, exclude }: GroupInput): Group {
  return { name, description, guidance, active, selectors, include, exclude };
}

/** Converts a policy to the resolver's form. */
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

/** Converts a machine to the resolver's form. */
export function toMachine({ name, description, initial, openStart, states, rules }: MachineInput): Machine {
  return { name, description, initial, openStart, states, rules };
}

/** Converts a persona to the resolver's form. */
export function toPersona({ name, description, capabilities, sampleClaims }: PersonaInput): Persona {
  return { name, description, capabilities, sampleClaims };
}

/** Converts an intent to the resolver's form. */
export function toIntent({ name, description, groups }: IntentInput): Intent {
  return { name, description, groups };
}

/** Converts an issuer to the resolver's form. */
export function toIssuer({ name, issuer, capabilitiesClaim }: IssuerInput): Issuer {
  return { name, issuer, capabilitiesClaim };
}

/** Converts an agent to the resolver's form. */
export function toAgent(agent: AgentInput): Agent {
  const { name, enabled, issuer, subject, attributes, persona, profile, machine, stateHeldByServer } = agent;
  return { name, enabled, issuer, subject, attributes, persona, profile, machine, stateHeldByServer };
}
