import type { Metadata } from "next";
import { resourceFacts } from "@/app/admin/resource-facts";
import { SectionScreen } from "@/app/admin/section-screen";
import { NoPermission } from "@/components/shell/no-permission";
import { screenAt, screenFacts } from "@/components/screen-table";
import { Screen } from "@/components/views/screen";
import { decodePercent } from "@/lib/resources/parts/decode-percent";

interface Props {
  params: Promise<{ section: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { section, id } = await params;
  const name = screenAt(section, id);
  if (name === null) return { title: decodePercent(id) };
  const { title, isNamed } = screenFacts(name);
  return { title: isNamed === true ? `${title} ${decodePercent(id)}` : title };
}

// Shows a screen of `screen-table.ts`, or else one row of a resource: by its name, or a tool by `source:operation`.
export default async function RowPage({ params }: Props) {
  const { section, id } = await params;
  const here = `/admin/${section}/${id}`;
  const row = decodePercent(id);
  const name = screenAt(section, id);
  if (name !== null) return <SectionScreen name={name} id={row} here={here} />;
  const facts = await resourceFacts(section, here);
  if ("missing" in facts) return <NoPermission permission={facts.missing} />;
  return <Screen facts={facts} show="detail" id={row} />;
}
