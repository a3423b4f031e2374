import type { Route } from "next";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";

interface TextLinkProps extends Omit<ComponentProps<typeof Link>, "href"> {
  href: string;
}

/** A link within text. */
export function TextLink({ href, className, ...rest }: TextLinkProps) {
  return (
    <Link
      {...rest}
      href={href as Route}
      className={cn(
        "rounded-sm text-accent underline decoration-transparent underline-offset-2 hover:decoration-current",
        className,
      )}
    />
  );
}
