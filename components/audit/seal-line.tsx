import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useSeals } from "@/components/audit/use-seals";
import { EraseFiltered } from "@/components/executions/erase-filtered";
import { useCan } from "@/components/resource/who";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";

interface SealLineProps {
  /** The filters of the list below. */
  apiQuery: Readonly<Record<string, string>>;
}

/** A line above the log: how far it is sealed, with links to verify it and to erase a caller's bodies, if the role may. */
export function SealLine({ apiQuery }: SealLineProps) {
  const may = useCan("executions:verify");
  const { data } = useSeals(may);
  if (!may) return null;
  if (data === undefined) return <div className="h-6 shrink-0" />; // Keeps the height, so that the list below does not move.
  const { last, checkpoint } = data;
  const behind = checkpoint !== null && checkpoint.number > (last?.number ?? 0);
  const Icon = behind ? ShieldAlert : ShieldCheck;
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 px-5 pb-2 text-xs text-muted">
      <Icon aria-hidden className={behind ? "size-3.5 text-deny" : "size-3.5 text-allow"} />
      {behind ? (
        <span className="text-deny">The last checkpoint contains seals that the database does not have.</span>
      ) : last === null ? (
        <span>Nothing is sealed yet.</span>
      ) : (
        <span>
          Sealed up to seal {last.number.toLocaleString("en")}, <Time at={last.at} />
        </span>
      )}
      <TextLink href="/admin/executions/verify">Verify the log</TextLink>
      <EraseFiltered apiQuery={apiQuery} />
    </div>
  );
}
