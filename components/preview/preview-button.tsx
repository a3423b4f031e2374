import { Eye } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState, type MouseEvent } from "react";
import type { CallerChoice } from "@/components/preview/draft";
import { rowAt } from "@/components/shell/navigation";
import { lazyPart } from "@/components/ui/lazy-part";
import { LinkButton } from "@/components/ui/link-button";
import type { CallersInput } from "@/lib/contracts/decisions/callers";

const PAGE = "/admin/preview";

const PreviewDrawer = lazyPart(async () => (await import("@/components/preview/preview-drawer")).PreviewDrawer);

/** Opens the preview over the present page, or in a new tab as a page. */
export function PreviewButton() {
  const pathname = usePathname();
  // A link in the drawer leads to another page, so the drawer closes.
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
        <PreviewDrawer about={subjectOf(pathname)} caller={callerOf(pathname)} onClose={() => setOpenOver(null)} />
      )}
    </>
  );
}

const SUBJECTS: Readonly<Record<string, CallersInput["kind"]>> = { tools: "tool", groups: "group", policies: "policy" };

/** The subject of the page at this address, if callers can see it. */
function subjectOf(pathname: string): CallersInput | null {
  const row = rowAt(pathname);
  const kind = SUBJECTS[row?.section ?? ""];
  return row === null || kind === undefined ? null : { kind, name: row.id };
}

/** The caller whose page this address is, else claims to fill in. */
function callerOf(pathname: string): CallerChoice {
  const row = rowAt(pathname);
  if (row?.section === "agents") return { kind: "agent", name: row.id };
  if (row?.section === "personas") return { kind: "persona", name: row.id };
  return { kind: "claims" };
}
