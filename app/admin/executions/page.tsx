import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ExecutionList } from "@/components/executions/execution-list";
import { NoPermission } from "@/components/shell/no-permission";
import { currentPerson } from "@/lib/auth/people/current-person";
import { can } from "@/lib/resources/permissions";

export const metadata: Metadata = { title: "Executions" };

// The execution log.
export default async function ExecutionsPage() {
  const person = await currentPerson();
  if (person === null) redirect("/sign-in");
  return can(person.role, "executions:read") ? <ExecutionList /> : <NoPermission />;
}
