import type { Route } from "next";
import { CircleHelp } from "lucide-react";
import { usePathname } from "next/navigation";
import { entryOf } from "@/components/shell/navigation";
import { PURPOSES } from "@/components/shell/purposes";
import { Link } from "@/components/ui/link";

/** The purpose of the page and a link to its guide, if there is room. A row's page uses the room for its name. */
export function PagePurpose() {
  const pathname = usePathname();
  const entry = entryOf(pathname);
  if (entry === undefined) return null;
  const { text, guide } = PURPOSES[entry.href];
  const isRow = pathname.split("/").length > 3;
  return (
    // Shrinks before the name of the page does.
    <p className="flex min-w-6 shrink-[99] items-center gap-1.5 text-xs text-faint max-sm:hidden">
      <span className={isRow ? "sr-only" : "truncate max-[1400px]:sr-only"}>{text}</span>
      <Link
        href={guide as Route}
        target="_blank"
        aria-label={`Guide: ${entry.label} (opens a new tab)`}
        title={`${text} Read more in the guide (opens a new tab).`}
        className="shrink-0 rounded-sm p-1 hover:text-ink"
      >
        <CircleHelp aria-hidden className="size-3.5" />
      </Link>
    </p>
  );
}
