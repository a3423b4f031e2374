import type { VariantProps } from "class-variance-authority";
import type { Route } from "next";
import type { ComponentProps } from "react";
import { buttonStyle } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";

interface LinkButtonProps extends Omit<ComponentProps<typeof Link>, "href">, VariantProps<typeof buttonStyle> {
  href: string;
}

/** A link that looks like a button, for navigation. */
export function LinkButton({ href, variant, size, className, ...rest }: LinkButtonProps) {
  return <Link {...rest} href={href as Route} className={cn(buttonStyle({ variant, size }), className)} />;
}
