import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { actionInWords, KIND_WORDS, meaningOf, targetHref, trailOf } from "@/components/audit/trail-words";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { Peek } from "@/components/resource/peek";
import { ObjectHeading } from "@/components/resource/object-heading";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { VisibleText } from "@/components/ui/visible-text";
import type { AuditRow } from "@/lib/contracts/log/audit-trail";

function useEntry(id: string) {
  return useGet<AuditRow>(["audit", "row", id], adminPath("audit", id), {
    // Entries are append-only.
    staleTime: Infinity,
  });
}

export function AuditEntryPage({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useEntry(id)} skeleton="m-5 h-64">
      {(entry) => (
        <DetailLayout label="Audit entry" asideLabel="Who and when" aside={<WhoAndWhen entry={entry} />}>
          <ObjectHeading title={titleOf(entry)} path={`audit/${encodeURIComponent(id)}`} value={entry} />
          <What entry={entry} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

/** One entry, without leaving the list. */
export function AuditPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useEntry(id);
  const title = found.data === undefined ? id : titleOf(found.data);
  return (
    <Peek
      id={id}
      title={title}
      description="audit entry"
      href={`/admin/audit/${encodeURIComponent(id)}`}
      onClose={onClose}
    >
      <WhenLoaded of={found} skeleton="h-64">
        {(entry) => (
          <div className="flex flex-col gap-4">
            <What entry={entry} />
            <WhoAndWhen entry={entry} />
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}

function titleOf(entry: AuditRow): string {
  return `${entry.actor.name}: ${actionInWords(entry)}`;
}

function What({ entry }: { entry: AuditRow }) {
  const { kind, action, target, detail, count, change } = entry;
  const href = targetHref(entry);
  const meaning = meaningOf(entry);
  return (
    <Facts>
      <Fact label="What">
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={KIND_WORDS[kind].tone}>{KIND_WORDS[kind].text}</Badge>
          <TextLink href={trailOf("action", action)}>{actionInWords(entry)}</TextLink>
        </span>
      </Fact>
      {meaning !== null && <Fact label="Meaning">{meaning}</Fact>}
      {target !== "" && (
        <Fact label="Target">
          {href === null || change !== null ? <VisibleText text={target} /> : <TextLink href={href}>{target}</TextLink>}
          <span className="text-faint"> · </span>
          <TextLink href={trailOf("target", target)}>all entries for this target</TextLink>
        </Fact>
      )}
      {change !== null && href !== null && (
        <Fact label="Change">
          <TextLink href={href}>Before and after</TextLink>
        </Fact>
      )}
      {change === null && detail !== null && (
        <Fact label={kind === "refusal" ? "Reason" : "Detail"}>
          <VisibleText text={detail} />
        </Fact>
      )}
      {(kind === "refusal" || count > 1) && <Fact label="Count">{count.toLocaleString("en")} within a minute</Fact>}
    </Facts>
  );
}

function WhoAndWhen({ entry: { actor, address, at, requestId } }: { entry: AuditRow }) {
  return (
    <Facts>
      <Fact label="Who">
        <TextLink href={trailOf("actor", actor.name)}>{actor.name}</TextLink>
        <span className="text-faint">
          {" "}
          · {actor.kind}
          {actor.role !== "" && `, as ${actor.role}`}
        </span>
      </Fact>
      {address !== null && <Fact label="Address">{address}</Fact>}
      <TimeFact label="When" at={at} />
      {requestId !== null && (
        <Fact label="Request">
          <span className="font-mono text-xs break-all">{requestId}</span>
        </Fact>
      )}
    </Facts>
  );
}
