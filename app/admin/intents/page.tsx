import type { Metadata } from "next";
import { resourceFacts } from "@/app/admin/[resource]/resource-facts";
import { maySee } from "@/app/admin/may-see";
import { LazyRouting } from "@/components/settings/lazy-settings";
import { NoPermission } from "@/components/shell/no-permission";
import { Screen } from "@/components/views/screen";

export const metadata: Metadata = { title: "Intent routing" };

// The intents, below what their confidence does.
export default async function IntentsPage() {
  const facts = await resourceFacts("intents", "/admin/intents");
  if (facts === null) return <NoPermission />;
  return (
    <>
      <LazyRouting canWrite={await maySee("settings:write", "/admin/intents")} />
      <div className="flex min-h-80 flex-1 flex-col">
        <Screen facts={facts} show="list" />
      </div>
    </>
  );
}
