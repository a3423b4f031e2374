import { KINDS, RESOURCE_NAMES, type ResourceName } from "@/lib/resources/kinds";
import { can, type Role } from "@/lib/resources/permissions";

/** The resources that a role may not read. Histories shown to the role leave out their changes. */
export function hiddenFrom(role: Role): ResourceName[] {
  return RESOURCE_NAMES.filter((name) => !can(role, KINDS[name].read));
}
