const PREFIX = "access:";
const GROUP_PREFIX = "(access ";

/** The name of the allow that an access grant becomes. Slugs have no colon, so no stored policy has such a name. */
export function accessPolicyName(id: string): string {
  return `${PREFIX}${id}`;
}

/** The access grant (its request's id) behind the name of an allow; `null` for the name of a stored policy. */
export function grantBehind(policy: string): string | null {
  return policy.startsWith(PREFIX) ? policy.slice(PREFIX.length) : null;
}

/** The name of the built-in group that holds one tool for its access grants. Slugs have no brackets. */
export function accessGroupName(tool: string): string {
  return `${GROUP_PREFIX}${tool})`;
}

/** Whether a group is the built-in one of a tool's access grants: it has no page. */
export function isAccessGroup(group: string): boolean {
  return group.startsWith(GROUP_PREFIX);
}

/** The name of the tool that requests access. No tool of the catalogue can have it. */
export const REQUEST_ACCESS = "request_access";
