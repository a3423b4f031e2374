import type { ResourceName } from "@/lib/resources/index";
import { KINDS } from "@/lib/resources/kinds";
import { can, type Role } from "@/lib/resources/permissions";

/** The resources whose rows a role may not read: their changes stay out of every history it is shown. */
export function hiddenFrom(role: Role): ResourceName[] {
  return (Object.keys(KINDS) as ResourceName[]).filter((name) => !can(role, KINDS[name].read));
}
