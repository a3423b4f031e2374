import { notFound, redirect } from "next/navigation";
import { signInAddress } from "@/app/admin/sign-in-address";
import type { ResourceFacts } from "@/components/resource/view";
import { currentPerson } from "@/lib/auth/people/current-person";
import { isResourceName, resources, type ResourceName } from "@/lib/resources";
import { can } from "@/lib/resources/permissions";

/**
 * What a resource's page needs, or `null` when the role may not read it. Nobody signed in is sent to sign
 * in and back to `here`.
 */
export async function resourceFacts(name: string, here: string): Promise<ResourceFacts<ResourceName> | null> {
  if (!isResourceName(name)) notFound();
  const person = await currentPerson();
  if (person === null) redirect(await signInAddress(here));
  const { id, words, read, write } = resources[name];
  if (!can(person.role, read)) return null;
  return { resource: name, id, words, canWrite: can(person.role, write) };
}
