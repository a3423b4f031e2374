"use client";

import { usePathname } from "next/navigation";
import { homeOf, labelOf } from "@/components/shell/navigation";
import { LinkButton } from "@/components/ui/link-button";

/** A link from an empty or missing page to the page above it, or to the start. */
export function WayBack() {
  const home = homeOf(usePathname());
  const label = labelOf(home);
  if (label === undefined) return <LinkButton href="/">Go to the overview</LinkButton>;
  return <LinkButton href={home}>Back to {label}</LinkButton>;
}
