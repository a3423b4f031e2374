/** The roles of people and of personal access tokens. */
export const ROLES = ["admin", "editor", "auditor"] as const;

/** One role. */
export type Role = (typeof ROLES)[number];

/**
 * The roles of every permission (docs/reference/http.md#authentication). The server's checks and the browser's buttons
 * read this table.
 */
export const PERMISSIONS = {
  "configuration:read": ["admin", "editor", "auditor"],
  "configuration:write": ["admin", "editor"],
  "calls:approve": ["admin", "editor"],
  "changes:approve": ["admin", "editor"],
  "changes:bypass": ["admin"],
  "profile-drift:accept": ["admin"],
  "people:read": ["admin", "auditor"],
  "people:write": ["admin"],
  "keys:read": ["admin", "auditor"],
  "keys:write": ["admin"],
  "issuers:write": ["admin"],
  "connections:write": ["admin", "editor", "auditor"],
  "secrets:write": ["admin"],
  "settings:write": ["admin"],
  "pause:write": ["admin"],
  "retention:write": ["admin"],
  "executions:read": ["admin", "editor", "auditor"],
  "executions:bodies": ["admin", "auditor"],
  "executions:export": ["admin", "auditor"],
  "executions:verify": ["admin", "auditor"],
  "audit:read": ["admin", "auditor"],
} as const satisfies Record<string, readonly Role[]>;

/** One permission. */
export type Permission = keyof typeof PERMISSIONS;

/** Whether a role has a permission. */
export function can(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role);
}

/** All permissions of a role. */
export function permissionsOf(role: Role): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => can(role, permission));
}

/**
 * The role whose permissions the other role includes. `null` for auditor and editor, where neither includes the other: one
 * reads bodies, one writes rules.
 */
export function lesserRole(one: Role, other: Role): Role | null {
  const isWithin = (inner: Role, outer: Role) => permissionsOf(inner).every((permission) => can(outer, permission));
  return isWithin(one, other) ? one : isWithin(other, one) ? other : null;
}
