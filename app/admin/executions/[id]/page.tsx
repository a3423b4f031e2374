import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ExecutionView } from "@/components/executions/execution-detail";
import { NoPermission } from "@/components/shell/no-permission";
import { currentPerson } from "@/lib/auth/people/current-person";
import { can } from "@/lib/resources/permissions";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Execution" };

// One call: who, what, why, under which revision.
export default async function ExecutionPage({ params }: Props) {
  const person = await currentPerson();
  if (person === null) redirect("/sign-in");
  const { id } = await params;
  return can(person.role, "executions:read") ? <ExecutionView callId={id} /> : <NoPermission />;
}
