import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface DetailLayoutProps {
  /** The subject of the page, for screen readers: "Call". */
  label?: string;
  children: ReactNode;
  /** The side column: facts, history, effects; `null` when the page needs the whole width. */
  aside: ReactNode;
  asideLabel: string;
}

/**
 * The layout of a page about one thing, with a side column that stays visible while the page scrolls. The page alone
 * scrolls: of a column higher than the window, the end appears at the end of the page. On narrow screens, one below the
 * other. The parts of a form use the remaining width.
 */
export function DetailLayout({ label, children, aside, asideLabel }: DetailLayoutProps) {
  return (
    <div className="@container flex min-w-0 flex-1 flex-col">
      <div
        className={cn(
          "grid flex-1 @max-4xl:content-start",
          aside !== null &&
            "@4xl:grid-cols-[minmax(0,1fr)_22rem] @7xl:grid-cols-[minmax(0,1fr)_28rem] @min-[100rem]:grid-cols-[minmax(0,1fr)_32rem]",
        )}
      >
        <section aria-label={label} className="flex min-w-0 flex-col gap-6 p-5">
          {children}
        </section>
        {aside !== null && (
          <div className="min-w-0 border-line @max-4xl:border-t @4xl:border-l">
            <aside aria-label={asideLabel} className="flex flex-col gap-6 p-5 @4xl:sticky @4xl:top-0 @4xl:pb-16">
              {aside}
            </aside>
          </div>
        )}
      </div>
    </div>
  );
}
