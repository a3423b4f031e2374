import { redirect } from "next/navigation";
import { currentPerson } from "@/lib/auth/people/current-person";

/** Everyone lands where their work is: an auditor in the log, whoever builds at the overview. */
export default async function Home(): Promise<never> {
  const person = await currentPerson();
  if (person === null) redirect("/sign-in");
  redirect(person.role === "auditor" ? "/admin/executions" : "/admin/overview");
}
