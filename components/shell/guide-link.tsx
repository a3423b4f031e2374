"use client";

import { usePathname } from "next/navigation";
import { entryOf } from "@/components/shell/navigation";
import { PURPOSES } from "@/components/shell/purposes";
import { TextLink } from "@/components/ui/text-link";

/** A link from an empty or missing page to its guide. */
export function GuideLink() {
  const guide = PURPOSES[entryOf(usePathname())?.href ?? ""]?.guide;
  return guide === undefined ? null : (
    <TextLink href={guide} className="whitespace-nowrap">
      Read more in the guide
    </TextLink>
  );
}
