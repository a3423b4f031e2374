import { cookies } from "next/headers";
import { personOfSession, type Person } from "@/lib/auth/people/user";
import { forPerson } from "@/lib/store/db/database";

/**
 * The person who views this page, for server components; `null` when nobody is signed in. Each page checks by itself,
 * because Next does not run a layout again on navigation.
 */
export async function currentPerson(): Promise<Person | null> {
  const text = (await cookies()).toString();
  return forPerson(() => personOfSession(text));
}
