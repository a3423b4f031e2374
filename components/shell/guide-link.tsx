import { usePathname } from "next/navigation";
import { entryOf } from "@/components/shell/navigation";
import { PURPOSES } from "@/components/shell/purposes";
import { TextLink } from "@/components/ui/text-link";

/** The purpose of the present page. */
export function PurposeText() {
  const entry = entryOf(usePathname());
  return entry === undefined ? null : PURPOSES[entry.href].text;
}

/** A link from an empty or missing page to its guide. */
export function GuideLink() {
  const entry = entryOf(usePathname());
  return entry === undefined ? null : (
    <TextLink href={PURPOSES[entry.href].guide} target="_blank" className="whitespace-nowrap">
      Read more in the guide
    </TextLink>
  );
}
