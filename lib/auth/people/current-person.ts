import { cookies } from "next/headers";
import { personOfSession, type Person } from "@/lib/auth/people/user";

/**
 * Who looks at this page, for server components; `null` when nobody is signed in. A page asks for
 * itself, with the permission it needs: a layout is not asked again when a person moves on.
 */
export async function currentPerson(): Promise<Person | null> {
  return personOfSession((await cookies()).toString());
}
