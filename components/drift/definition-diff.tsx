import { JsonDiff } from "@/components/ui/json/json-diff";
import type { DriftDetail } from "@/lib/contracts/sources/drift";

/** The approved definition and the new one, line by line. */
export function DefinitionDiff({ drift: { id, pinned, proposed } }: { drift: DriftDetail }) {
  return (
    <section aria-label="Definition">
      <JsonDiff
        label={`Definitions of ${id}`}
        before={{
          title: (
            <Title side={pinned} none="Nothing approved yet">
              Approved
            </Title>
          ),
          value: pinned?.definition,
        }}
        after={{
          title: (
            <Title side={proposed} none="Removed from the source">
              From the source
            </Title>
          ),
          value: proposed?.definition,
        }}
      />
    </section>
  );
}

function Title({ side, none, children }: { side: DriftDetail["pinned"]; none: string; children: string }) {
  if (side === null) return none;
  return (
    <>
      {children}{" "}
      <span title={`SHA-256 ${side.hash}`} className="font-mono text-xs text-faint">
        {side.hash.slice(0, 12)}
      </span>
    </>
  );
}
