import { cookies } from "next/headers";
import { personOfSession, type Person } from "@/lib/auth/people/user";
import { forPage } from "@/lib/store/db/database";

/**
 * Who looks at this page, for server components; `null` when nobody is signed in. A page asks for
 * itself, with the permission it needs: a layout is not asked again when a person moves on.
 */
export async function currentPerson(): Promise<Person | null> {
  const text = (await cookies()).toString();
  return forPage(() => personOfSession(text));
}
