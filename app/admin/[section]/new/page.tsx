import type { Metadata } from "next";
import { resourceFacts } from "@/app/admin/resource-facts";
import { NoPermission } from "@/components/shell/no-permission";
import { Screen } from "@/components/views/screen";
import { isResourceName, KINDS } from "@/lib/resources/kinds";

interface Props {
  params: Promise<{ section: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { section } = await params;
  return { title: isResourceName(section) ? `New ${KINDS[section].words[0]}` : "Not found" };
}

// The editor of a new row of any resource.
export default async function NewPage({ params }: Props) {
  const { section } = await params;
  const facts = await resourceFacts(section, `/admin/${section}/new`, "write");
  return "missing" in facts ? <NoPermission permission={facts.missing} /> : <Screen facts={facts} show="new" />;
}
