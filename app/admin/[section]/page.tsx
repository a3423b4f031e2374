import type { Metadata } from "next";
import { SectionScreen } from "@/app/admin/section-screen";
import { resourceFacts } from "@/app/admin/resource-facts";
import { NoPermission } from "@/components/shell/no-permission";
import { labelOf } from "@/components/shell/navigation";
import { screenAt, screenFacts } from "@/components/screen-table";
import { Screen } from "@/components/views/screen";
import { isResourceName, KINDS } from "@/lib/resources/kinds";

interface Props {
  params: Promise<{ section: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { section } = await params;
  const name = screenAt(section);
  if (name !== null) return { title: screenFacts(name).title };
  return { title: isResourceName(section) ? (labelOf(`/admin/${section}`) ?? KINDS[section].words[1]) : "Not found" };
}

// The list of any resource, or a screen of the table.
export default async function SectionPage({ params }: Props) {
  const { section } = await params;
  const name = screenAt(section);
  if (name !== null) return <SectionScreen name={name} here={`/admin/${section}`} />;
  const facts = await resourceFacts(section, `/admin/${section}`);
  return "missing" in facts ? <NoPermission permission={facts.missing} /> : <Screen facts={facts} show="list" />;
}
