import { RuleLink, ruleHref } from "@/components/preview/results/rule-link";
import { TextLink } from "@/components/ui/text-link";
import type { FindingRow } from "@/lib/contracts/decisions/finding";

interface FindingPlacesProps {
  finding: FindingRow;
  /** Whether this is on the page of the row that the finding is about. */
  here?: boolean;
}

/** The links to what a finding is about, and to the other rules that it names. */
export function FindingPlaces({ finding, here = false }: FindingPlacesProps) {
  const { kind, about, refs } = finding;
  return (
    <>
      {!here && (
        <TextLink href={subjectHref(finding)} className="text-xs">
          {about.kind} {about.name}
        </TextLink>
      )}
      {here && about.kind === "agent" && (
        <TextLink
          href={`${subjectHref(finding)}?tab=settings${kind === "state_named_by_agent" ? "&field=stateHeldByServer" : ""}`}
          className="text-xs"
        >
          Open its settings
        </TextLink>
      )}
      {kind === "unused_grant" && (
        <TextLink href={`/admin/rightsizing/${encodeURIComponent(about.name)}`} className="text-xs">
          Rightsizing of {about.name}
        </TextLink>
      )}
      {refs.map((ref) => (
        <RuleLink key={`${ref.kind} ${ref.name}`} rule={ref as Parameters<typeof RuleLink>[0]["rule"]} />
      ))}
    </>
  );
}

/** The address of what a finding is about; of the finding itself where that has no page. */
export function subjectHref({ id, about }: FindingRow): string {
  // The page of a profile lists what is held back from it. The peek panel has the profile's own entries.
  if (about.kind === "profile") return `/admin/profiles?peek=${encodeURIComponent(about.name)}`;
  return ruleHref(about) ?? `/admin/findings?peek=${encodeURIComponent(id)}`;
}
