import type { Route } from "next";
import { usePathname, useSearchParams } from "next/navigation";
import { INBOX, useWaiting } from "@/components/approvals/use-approvals";
import { useCan } from "@/components/resource/who";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";

/** The tabs of the inbox, each a link to one list of what waits for a person. */
export function InboxTabs() {
  const mayReadCalls = useCan("executions:read");
  const pathname = usePathname();
  const query = useSearchParams();
  const waiting = useWaiting();
  const tabs = [
    { label: "Calls", href: INBOX.calls, count: waiting.calls, shown: mayReadCalls },
    { label: "Access", href: INBOX.access, count: waiting.access, shown: true },
    { label: "Changes", href: INBOX.changes, count: waiting.changes, shown: true },
    { label: "Mine", href: "/admin/requests?asker=me", count: 0, shown: true },
  ];
  const matches = ({ href }: { href: string }) => {
    const [path, search = ""] = href.split("?");
    return path === pathname && [...new URLSearchParams(search)].every(([key, value]) => query.get(key) === value);
  };
  // The list of one's own requests can also be filtered by kind.
  const current = tabs.findLast(matches)?.href;
  return (
    <nav aria-label="Inbox" className="flex shrink-0 gap-x-4 border-b border-line px-5 pt-2">
      {tabs.map(
        ({ label, href, count, shown }) =>
          shown && (
            <Link
              key={label}
              href={href as Route}
              aria-current={href === current ? "page" : undefined}
              className={cn(
                "flex h-8 items-center border-b-2 border-transparent text-sm font-medium text-muted hover:text-ink max-sm:h-10",
                href === current && "border-accent text-ink",
              )}
            >
              {label}
              {count > 0 && (
                <span className="ml-1.5 text-faint tabular-nums">
                  {count.toLocaleString("en")}
                  <span className="sr-only"> waiting</span>
                </span>
              )}
            </Link>
          ),
      )}
    </nav>
  );
}
