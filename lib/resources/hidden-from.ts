import { resources, type ResourceName } from "@/lib/resources/index";
import { can, type Role } from "@/lib/resources/permissions";

/** The resources whose rows a role may not read: their changes stay out of every history it is shown. */
export function hiddenFrom(role: Role): ResourceName[] {
  return (Object.keys(resources) as ResourceName[]).filter((name) => !can(role, resources[name].read));
}
