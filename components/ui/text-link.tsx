import type { Route } from "next";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";

interface TextLinkProps extends Omit<ComponentProps<typeof Link>, "href"> {
  href: string;
}

/** A link within text. It says when it opens a new tab. */
export function TextLink({ href, className, children, ...rest }: TextLinkProps) {
  return (
    <Link
      {...rest}
      href={href as Route}
      className={cn(
        "rounded-sm text-accent underline decoration-transparent underline-offset-2 hover:decoration-current",
        className,
      )}
    >
      {children}
      {rest.target === "_blank" && <NewTabMark />}
    </Link>
  );
}

/** Marks a link that opens a new tab, in which it cannot lose the edits and the place of this one. */
export function NewTabMark() {
  return (
    <>
      <span aria-hidden className="ml-0.5 text-[0.85em] text-faint">
        ↗
      </span>
      <span className="sr-only"> (opens a new tab)</span>
    </>
  );
}
