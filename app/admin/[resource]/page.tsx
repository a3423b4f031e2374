import type { Metadata } from "next";
import { resourceFacts } from "@/app/admin/[resource]/resource-facts";
import { NoPermission } from "@/components/shell/no-permission";
import { Screen } from "@/components/views/screen";
import { isResourceName, KINDS } from "@/lib/resources/kinds";

interface Props {
  params: Promise<{ resource: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params;
  return { title: isResourceName(resource) ? KINDS[resource].words[1] : "Not found" };
}

// The list of any resource.
export default async function ListPage({ params }: Props) {
  const { resource } = await params;
  const facts = await resourceFacts(resource, `/admin/${resource}`);
  return facts === null ? <NoPermission /> : <Screen facts={facts} show="list" />;
}
