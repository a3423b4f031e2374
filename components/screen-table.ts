import { profiles } from "@/lib/access/compile/profiles";
import type { Permission } from "@/lib/resources/permissions";

interface ScreenFacts {
  /** The title of the browser's tab. */
  readonly title: string;
  readonly read: Permission;
  /** The permission to change what the screen shows. */
  readonly write?: Permission;
  /** People know the rows by name: the title says which one. */
  readonly isNamed?: boolean;
  /** Whether there is such a row, where the server knows without a query. */
  readonly exists?: (id: string) => boolean;
}

/**
 * The pages below /admin that belong to no resource, by address: their titles and permissions. `[id]` matches any row.
 * `components/screens.tsx` has the component of each.
 */
export const SCREEN_TABLE = {
  overview: { title: "Overview", read: "executions:read" },
  start: { title: "Getting started", read: "configuration:read" },
  preview: { title: "Preview as agent", read: "configuration:read" },
  executions: { title: "Executions", read: "executions:read" },
  "executions/[id]": { title: "Execution", read: "executions:read" },
  "executions/verify": { title: "Integrity of the log", read: "executions:verify" },
  approvals: { title: "Approvals", read: "executions:read" },
  "approvals/[id]": { title: "Approval", read: "executions:read" },
  requests: { title: "Approvals", read: "configuration:read" },
  "requests/[id]": { title: "Request", read: "configuration:read" },
  denials: { title: "Refusals", read: "executions:read" },
  "denials/[id]": { title: "Refusal", read: "executions:read" },
  sessions: { title: "Sessions", read: "executions:read" },
  "sessions/[id]": { title: "Session", read: "executions:read" },
  audit: { title: "Audit trail", read: "audit:read" },
  "audit/[id]": { title: "Audit entry", read: "audit:read" },
  findings: { title: "Findings", read: "configuration:read" },
  rightsizing: { title: "Rightsizing", read: "executions:read" },
  "rightsizing/[id]": { title: "Use of a policy", read: "executions:read", isNamed: true },
  trifecta: { title: "Trifecta", read: "executions:read" },
  "flow-guesses": { title: "Flow guesses", read: "configuration:read" },
  drift: { title: "Drift review", read: "configuration:read" },
  "drift/[id]": { title: "Drift", read: "configuration:read", isNamed: true },
  profiles: { title: "Profiles", read: "configuration:read" },
  "profiles/[id]": {
    title: "Profile",
    read: "configuration:read",
    write: "profile-drift:accept",
    isNamed: true,
    exists: (name) => profiles.has(name),
  },
  changes: { title: "Changes", read: "configuration:read" },
  "changes/[id]": { title: "Change", read: "configuration:read" },
  connections: { title: "Client connections", read: "configuration:read" },
  deliveries: { title: "Deliveries", read: "configuration:read" },
  "deliveries/[id]": { title: "Delivery", read: "configuration:read" },
  secrets: { title: "Secrets", read: "configuration:read" },
  "secrets/[id]": { title: "Secret", read: "configuration:read", isNamed: true },
  "linked-accounts": { title: "Linked accounts", read: "configuration:read" },
  "linked-accounts/[id]": { title: "Linked account", read: "configuration:read", isNamed: true },
  configuration: { title: "Configuration", read: "configuration:read", write: "configuration:write" },
  settings: { title: "General settings", read: "configuration:read", write: "settings:write" },
  /** Not a page: the upper part of the page of intents. */
  routing: { title: "Intent routing", read: "configuration:read", write: "settings:write" },
} as const satisfies Record<string, ScreenFacts>;

/** The address of a screen below /admin. */
export type ScreenName = keyof typeof SCREEN_TABLE;

/** The title of a screen, and the permissions to see and to change it. */
export function screenFacts(name: ScreenName): ScreenFacts {
  return SCREEN_TABLE[name];
}

/** The screen at an address below /admin, or `null`. */
export function screenAt(section: string, id?: string): ScreenName | null {
  const names = id === undefined ? [section] : [`${section}/${id}`, `${section}/[id]`];
  return names.find(isScreenName) ?? null;
}

function isScreenName(name: string): name is ScreenName {
  return Object.hasOwn(SCREEN_TABLE, name) && name !== "routing";
}
