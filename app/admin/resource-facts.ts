import { notFound, redirect } from "next/navigation";
import { signInAddress } from "@/app/admin/sign-in-address";
import type { ResourceFacts } from "@/components/resource/view";
import { currentPerson } from "@/lib/auth/people/current-person";
import { isResourceName, KINDS, RESOURCE_NAMES, type ResourceName } from "@/lib/resources/kinds";
import { can, type Permission, type Role } from "@/lib/resources/permissions";

/**
 * The facts that a resource's page needs, or the permission that the role lacks. When nobody is signed in, redirects to
 * the sign-in page, which leads back to `here`.
 */
export async function resourceFacts(
  name: string,
  here: string,
  need: "read" | "write" = "read",
): Promise<ResourceFacts<ResourceName> | { readonly missing: Permission }> {
  if (!isResourceName(name)) notFound();
  const person = await currentPerson();
  if (person === null) redirect(await signInAddress(here));
  const facts = can(person.role, KINDS[name][need]) && factsFor(person.role).find(({ resource }) => resource === name);
  return facts || { missing: KINDS[name][need] };
}

/** The facts of every resource that a role may read, in the order of the table of resources. */
export function factsFor(role: Role): readonly ResourceFacts<ResourceName>[] {
  return RESOURCE_NAMES.filter((resource) => can(role, KINDS[resource].read)).map((resource) => {
    const { id, words, write } = KINDS[resource];
    return { resource, id, words, canWrite: can(role, write) };
  });
}
