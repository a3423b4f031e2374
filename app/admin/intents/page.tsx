import type { Metadata } from "next";
import { resourceFacts } from "@/app/admin/resource-facts";
import { SectionScreen } from "@/app/admin/section-screen";
import { NoPermission } from "@/components/shell/no-permission";
import { Screen } from "@/components/views/screen";

export const metadata: Metadata = { title: "Intent routing" };

// The list of intents, below the settings of routing.
export default async function IntentsPage() {
  const facts = await resourceFacts("intents", "/admin/intents");
  if ("missing" in facts) return <NoPermission permission={facts.missing} />;
  return (
    <>
      <SectionScreen name="routing" here="/admin/intents" />
      <div className="flex min-h-80 flex-1 flex-col">
        <Screen facts={facts} show="list" />
      </div>
    </>
  );
}
