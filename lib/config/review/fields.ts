import type { SelectedTool } from "@/lib/access/matching/selector-clauses";
import type { DecidedRule, FieldRule, KindRules } from "@/lib/config/review/field-rule";
import {
  earlier,
  earlierOrEnded,
  opening,
  guard,
  lessIsStricter,
  limitsRule,
  longerIsStricter,
  outputCheckRule,
  restrictions,
  reviewRule,
  rights,
  roleRule,
} from "@/lib/config/review/guards";

const approvals = { factor: "approvals", judge: guard } as const;
const limits = { factor: "limits", judge: limitsRule } as const;
const enabled = { factor: "enabled", judge: opening } as const;
const output = { factor: "output check", judge: outputCheckRule } as const;
const scopes = { factor: "scopes", judge: restrictions } as const;
const bindings = { factor: "people", judge: rights } as const;
const addresses = { factor: "addresses", judge: rights } as const;
const redaction = { factor: "redaction", judge: restrictions } as const;

/** A kind that only the program writes, or that takes something away. */
const HARMLESS: KindRules = { create: "none", remove: "none", fields: {} };

/**
 * Every field of every kind of row, with the factor that it belongs to (docs/reference/governance.md#fields). A field that
 * is missing here is `unknown`; a test names the missing ones.
 */
export const REVIEW_FIELDS: Readonly<Record<string, KindRules>> = {
  sources: {
    create: "unknown",
    remove: "decided",
    fields: {
      name: "unknown",
      kind: "unknown",
      displayName: "none",
      description: "none",
      url: "unknown",
      command: "unknown",
      enabled: "decided",
      disabledReason: "none",
      auth: "unknown",
      joinNewOperations: {
        factor: "sync",
        judge: (_before, after) => (after === "review" ? "narrower" : "unknown"),
      },
      syncMinutes: "none",
      outputCheck: output,
      limits,
      idempotencyHeader: "unknown",
    },
  },
  tools: {
    create: "decided",
    remove: "decided",
    fields: {
      id: "unknown",
      source: "unknown",
      operation: "unknown",
      // A profile with accepted definitions reads the hash of name, description, schemas and annotations.
      name: "decided",
      displayName: "none",
      description: "decided",
      guidance: "none",
      category: "none",
      version: "none",
      inputSchema: "unknown",
      outputSchema: "unknown",
      annotations: "decided",
      path: "decided",
      method: "decided",
      tags: "decided",
      labels: "decided",
      groups: "decided",
      state: "decided",
      availableInStates: "decided",
      requiredCapabilities: "decided",
      // Selectors of groups, flow rules and machines read it too.
      hasSideEffects: { ...approvals, decided: true },
      enabled: "decided",
      disabledReason: "none",
      status: "decided",
      run: "unknown",
      limits,
      requiresApproval: approvals,
      longRunning: "none",
      flow: "decided",
      flowGuess: "decided",
      outputCheck: output,
      requiredScopes: scopes,
      upstreamScopes: scopes,
      idempotencyHeader: "unknown",
      mcp: "none",
      definitionHash: "decided",
    } satisfies Readonly<Record<string, FieldRule>> & Readonly<Record<keyof SelectedTool, DecidedRule>>,
  },
  groups: {
    create: "decided",
    remove: "decided",
    fields: {
      name: "decided",
      description: "none",
      guidance: "none",
      active: "decided",
      selectors: "decided",
      include: "decided",
      exclude: "decided",
    },
  },
  policies: {
    create: "decided",
    remove: "decided",
    fields: {
      // Access grants name their request policy.
      name: "decided",
      description: "none",
      effect: "decided",
      priority: "none",
      active: "decided",
      mode: "decided",
      validFrom: "decided",
      validUntil: "decided",
      matchers: "decided",
      everyone: "decided",
      arguments: "decided",
      groups: "decided",
      maxHours: "decided",
      approvers: "decided",
    },
  },
  machines: {
    create: "decided",
    remove: "decided",
    fields: {
      name: "decided",
      description: "none",
      initial: "decided",
      openStart: "decided",
      states: "decided",
      rules: "decided",
    },
  },
  personas: {
    create: "decided",
    remove: "decided",
    fields: { name: "decided", description: "none", capabilities: "decided", sampleClaims: "none" },
  },
  labels: {
    create: "none",
    remove: "decided",
    fields: {
      name: "unknown",
      description: "none",
      scope: "unknown",
      holdMinutes: { factor: "flow", judge: longerIsStricter },
    },
  },
  flows: {
    create: "decided",
    remove: "decided",
    fields: {
      name: "decided",
      description: "none",
      active: "decided",
      mode: "decided",
      when: "decided",
      restrict: "decided",
      effect: "decided",
    },
  },
  // Routing binds nobody: a caller may state no intent.
  intents: { create: "none", remove: "none", fields: { name: "none", description: "none", groups: "none" } },
  issuers: {
    create: "disabled-only",
    remove: "none",
    fields: {
      name: "unknown",
      description: "none",
      issuer: "unknown",
      audience: "unknown",
      jwksUri: "unknown",
      jwks: "unknown",
      algorithms: "unknown",
      types: "unknown",
      maxTokenAgeSeconds: { factor: "issuers", judge: lessIsStricter },
      allowUnregistered: { factor: "issuers", judge: opening },
      capabilitiesClaim: "unknown",
      identityAssertions: "unknown",
      enabled,
    },
  },
  agents: {
    create: "disabled-only",
    remove: "unbound-only",
    fields: {
      name: "unknown",
      description: "none",
      enabled: "decided",
      disabledReason: "none",
      issuer: "unknown",
      subject: "unknown",
      attributes: "unknown",
      persona: "decided",
      profile: "decided",
      machine: "decided",
      stateHeldByServer: "decided",
      limits,
      callbackOrigins: addresses,
      owners: bindings,
      ownerGroups: bindings,
    },
  },
  clients: {
    create: "disabled-only",
    remove: "none",
    fields: {
      name: "unknown",
      description: "none",
      enabled,
      redirectUris: addresses,
      agent: "unknown",
      jwks: "unknown",
    },
  },
  assertions: {
    create: "none",
    remove: "none",
    fields: { name: "none", description: "none", given: "none", expect: "none" },
  },
  "api-keys": {
    create: "disabled-only",
    remove: "none",
    fields: {
      name: "none",
      agent: "unknown",
      expiresAt: { factor: "keys", judge: earlier },
      enabled,
      keyId: "unknown",
      lastFour: "unknown",
      previousKeyId: "none",
      previousLastFour: "none",
      previousUntil: { factor: "keys", judge: earlierOrEnded },
    },
  },
  tokens: {
    create: "disabled-only",
    remove: "none",
    fields: {
      name: "none",
      role: { factor: "people", judge: roleRule },
      expiresAt: { factor: "keys", judge: earlier },
      enabled,
      lastFour: "unknown",
      createdBy: "unknown",
    },
  },
  users: {
    create: "disabled-only",
    remove: "not-disabled",
    fields: {
      name: "unknown",
      email: "unknown",
      displayName: "none",
      role: { factor: "people", judge: roleRule },
      enabled,
      issuer: "unknown",
      subject: "unknown",
      groups: bindings,
    },
  },
  webhooks: {
    create: "disabled-only",
    remove: "none",
    fields: {
      name: "unknown",
      description: "none",
      url: "unknown",
      events: { factor: "webhooks", judge: rights },
      active: enabled,
      switchedOff: "none",
      lastFour: "unknown",
      previousUntil: "none",
    },
  },
  settings: {
    create: "decided",
    remove: "unknown",
    fields: {
      routing: "none",
      openStart: "decided",
      cache: "none",
      sessionHours: "none",
      "approvals.sideEffects": approvals,
      "approvals.minutes": { factor: "approvals", judge: lessIsStricter },
      "clientSignIn.enabled": { factor: "sign-in", judge: opening },
      "clientSignIn.registration": { factor: "sign-in", judge: opening },
      redact: redaction,
      retention: "none",
      "review.changes": { factor: "review", judge: reviewRule },
      "review.bypassHours": { factor: "review", judge: lessIsStricter },
    },
  },
  // Pausing never waits. Resuming gives tools back.
  pauses: { create: "none", remove: "wider", fields: {} },
  drift: HARMLESS,
  "drift-acceptances": { create: "decided", remove: "decided", fields: {} },
  // The request policy behind a grant was judged like an allow policy, and a second person answers each request.
  "access-grants": {
    create: "none",
    remove: "none",
    fields: { until: { factor: "policy", judge: earlier }, endedBy: "none" },
  },
  // Revoking never waits. A token that is no longer revoked works again.
  revocations: { create: "none", remove: "unknown", fields: {} },
  secrets: {
    create: "unknown",
    remove: "none",
    fields: { name: "unknown", origins: addresses, setAt: "unknown" },
  },
  // A person connects a client as an agent that lists them as an owner; owners are reviewed.
  connections: HARMLESS,
  "token-keys": HARMLESS,
  erasures: HARMLESS,
  "dropped-months": HARMLESS,
};
