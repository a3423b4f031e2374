import { redirect } from "next/navigation";
import { signInAddress } from "@/app/admin/sign-in-address";
import { currentPerson } from "@/lib/auth/people/current-person";
import { can, type Permission } from "@/lib/resources/permissions";

/** Whether the signed-in person may see a page. Redirects others to the sign-in page, which returns to `here`. */
export async function maySee(permission: Permission, here: string): Promise<boolean> {
  const person = await currentPerson();
  if (person === null) redirect(await signInAddress(here));
  return can(person.role, permission);
}
