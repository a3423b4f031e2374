import type { ReactNode } from "react";
import { TextLink } from "@/components/ui/text-link";

interface HomeCardProps {
  title: string;
  /** The page with more of it. */
  href?: string;
  link?: string;
  /** One sentence under the title. */
  hint?: string;
  children: ReactNode;
}

/** One part of an agent's page. */
export function HomeCard({ title, href, link, hint, children }: HomeCardProps) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-panel p-4">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm font-semibold">{title}</h2>
        {href !== undefined && (
          <TextLink href={href} className="text-xs whitespace-nowrap">
            {link ?? "Show all"}
          </TextLink>
        )}
      </div>
      {hint !== undefined && <p className="-mt-2 text-xs text-pretty text-muted">{hint}</p>}
      {children}
    </section>
  );
}
