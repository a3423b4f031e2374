import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { PreviewScreen } from "@/components/preview/preview-screen";
import { NoPermission } from "@/components/shell/no-permission";
import { currentPerson } from "@/lib/auth/people/current-person";
import { can } from "@/lib/resources/permissions";

export const metadata: Metadata = { title: "Preview as agent" };

// What a caller would be handed, and why.
export default async function PreviewPage() {
  const person = await currentPerson();
  if (person === null) redirect("/sign-in");
  return can(person.role, "configuration:read") ? <PreviewScreen /> : <NoPermission />;
}
