import type { ResourceName } from "@/lib/resources/index";
import { KINDS } from "@/lib/resources/kinds";
import { can, type Role } from "@/lib/resources/permissions";

/** The resources that a role may not read. Histories shown to the role leave out their changes. */
export function hiddenFrom(role: Role): ResourceName[] {
  return (Object.keys(KINDS) as ResourceName[]).filter((name) => !can(role, KINDS[name].read));
}
