import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Json } from "@/components/ui/json/json";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import type { ProfileDriftRow } from "@/lib/contracts/decisions/profile-drift";

const WHY: Readonly<Record<ProfileDriftRow["why"], { readonly word: string; readonly tone: Tone }>> = {
  changed_definition: { word: "definition changed", tone: "warn" },
  new_source: { word: "new source", tone: "outline" },
  new_tool: { word: "new tool", tone: "outline" },
};

interface DriftItemProps {
  row: ProfileDriftRow;
  /** Absent without the permission to accept. */
  onAccept?: (() => void) | undefined;
}

/** One tool that waits: why and since when, its definition, and the one that was accepted before. */
export function DriftItem({ row, onAccept }: DriftItemProps) {
  const { tool, why, since, definition, accepted } = row;
  return (
    <li aria-label={tool} className="flex flex-col gap-2 border-b border-line px-5 py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <TextLink href={`/admin/tools/${encodeURIComponent(tool)}`} className="font-mono text-xs">
          {tool}
        </TextLink>
        <Badge tone={WHY[why].tone}>{WHY[why].word}</Badge>
        <span className="text-xs text-muted">
          since <Time at={since} />
          {accepted !== null && (
            <>
              , accepted by {accepted.by} <Time at={accepted.at} /> in an earlier version
            </>
          )}
        </span>
        {onAccept !== undefined && (
          <Button size="sm" className="ml-auto" onClick={onAccept}>
            <span>
              Accept<span className="sr-only"> {tool}</span>…
            </span>
          </Button>
        )}
      </div>
      <p className="line-clamp-2 max-w-prose text-sm text-pretty text-muted">
        <VisibleText text={definition.description} />
      </p>
      <details className="text-xs">
        <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
          {accepted === null ? "Definition" : "Definition, accepted and present"}
        </summary>
        <div className="mt-2 grid items-start gap-3 lg:grid-cols-2">
          {accepted !== null && <Accepted tool={tool} definition={accepted.definition} />}
          <Definition title="Now" label={`definition of ${tool}`} value={definition} />
        </div>
      </details>
    </li>
  );
}

function Accepted({ tool, definition }: { tool: string; definition: ProfileDriftRow["definition"] | null }) {
  if (definition === null) return <p className="text-muted">The history does not contain the accepted definition.</p>;
  return <Definition title="Accepted" label={`accepted definition of ${tool}`} value={definition} />;
}

function Definition({ title, label, value }: { title: string; label: string; value: ProfileDriftRow["definition"] }) {
  return (
    <section className="flex min-w-0 flex-col gap-1">
      <h3 className="font-medium text-muted">{title}</h3>
      <Json value={value} label={label} />
    </section>
  );
}
