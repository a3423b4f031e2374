import { Eye } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState, type MouseEvent } from "react";
import type { CallerChoice } from "@/components/preview/draft";
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
  const { folder, name } = rowAt(pathname);
  const kind = SUBJECTS[folder];
  return kind === undefined || name === null ? null : { kind, name };
}

/** The caller whose page this address is, else claims to fill in. */
function callerOf(pathname: string): CallerChoice {
  const { folder, name } = rowAt(pathname);
  if (name === null || (folder !== "agents" && folder !== "personas")) return { kind: "claims" };
  return { kind: folder === "agents" ? "agent" : "persona", name };
}

function rowAt(pathname: string): { readonly folder: string; readonly name: string | null } {
  const [, , folder = "", id, ...deeper] = pathname.split("/");
  return { folder, name: id === undefined || id === "new" || deeper.length > 0 ? null : decodeURIComponent(id) };
}
