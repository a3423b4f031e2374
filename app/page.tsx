import { redirect } from "next/navigation";
import { currentPerson } from "@/lib/auth/people/current-person";

/** Redirects an auditor to the log, and everyone else to the overview. */
export default async function Home(): Promise<never> {
  const person = await currentPerson();
  if (person === null) redirect("/sign-in");
  redirect(person.role === "auditor" ? "/admin/executions" : "/admin/overview");
}
