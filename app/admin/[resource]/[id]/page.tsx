import type { Metadata } from "next";
import { resourceFacts } from "@/app/admin/[resource]/resource-facts";
import { NoPermission } from "@/components/shell/no-permission";
import { Screen } from "@/components/views/screen";

interface Props {
  params: Promise<{ resource: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).id) };
}

// One row of any resource; its id is its name, or `source:operation` for a tool.
export default async function DetailPage({ params }: Props) {
  const { resource, id } = await params;
  const facts = await resourceFacts(resource, `/admin/${resource}/${id}`);
  return facts === null ? <NoPermission /> : <Screen facts={facts} show="detail" id={decodeURIComponent(id)} />;
}
