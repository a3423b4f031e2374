"use client";

import { Eye } from "lucide-react";
import { usePathname } from "next/navigation";
import { lazy, Suspense, useState, type MouseEvent } from "react";
import { LinkButton } from "@/components/ui/link-button";
import type { CallersInput } from "@/lib/contracts/decisions/callers";

const PAGE = "/admin/preview";

const PreviewDrawer = lazy(async () => ({
  default: (await import("@/components/preview/preview-drawer")).PreviewDrawer,
}));

/** The preview from anywhere but its own page: over the page that one is on; as a page of its own in a new tab. */
export function PreviewButton() {
  const pathname = usePathname();
  // Whoever follows a link in the drawer has left the page that it was over.
  const [openOver, setOpenOver] = useState<string | null>(null);
  const press = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    setOpenOver(pathname);
  };
  if (pathname === PAGE) return null;
  return (
    <>
      <LinkButton href={PAGE} size="sm" className="mr-1 max-sm:hidden" onClick={press} aria-haspopup="dialog">
        <Eye aria-hidden /> Preview as agent
      </LinkButton>
      {openOver === pathname && (
        <Suspense>
          <PreviewDrawer about={subjectOf(pathname)} onClose={() => setOpenOver(null)} />
        </Suspense>
      )}
    </>
  );
}

const SUBJECTS: Readonly<Record<string, CallersInput["kind"]>> = { tools: "tool", groups: "group", policies: "policy" };

/** What a page of this address is about, where it is something that callers can see or not. */
function subjectOf(pathname: string): CallersInput | null {
  const [, , folder = "", id, ...deeper] = pathname.split("/");
  const kind = SUBJECTS[folder];
  if (kind === undefined || id === undefined || id === "new" || deeper.length > 0) return null;
  return { kind, name: decodeURIComponent(id) };
}
