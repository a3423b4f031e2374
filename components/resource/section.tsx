import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

/** A part of a form: its description left, its fields right; stacked on narrow screens, or when `wide` fields need the room. */
export function Section({
  title,
  description,
  children,
  wide = false,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}) {
  return (
    <section aria-label={title} className="@container border-t border-line pt-5 first:border-t-0 first:pt-0">
      <div
        className={cn(
          "grid gap-x-8 gap-y-3",
          !wide && "@3xl:grid-cols-[11rem_minmax(0,42rem)] @5xl:grid-cols-[15rem_minmax(0,52rem)]",
        )}
      >
        <div>
          <h2 className="text-sm font-semibold">{title}</h2>
          {description !== undefined && <p className="mt-1 text-xs text-pretty text-muted">{description}</p>}
        </div>
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
      </div>
    </section>
  );
}
