import { ArrowLeftRight } from "lucide-react";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { useState, type FormEvent } from "react";
import { RestoreButton } from "@/components/configuration/restore-button";
import { RowDifferences } from "@/components/configuration/row-differences";
import { useDiff } from "@/components/configuration/use-revisions";
import { Button, IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/forms/input";

interface RevisionDiffViewProps {
  from: number;
  to: number;
  onCompare: (from: number, to: number) => void;
  onBack: () => void;
}

/** A comparison of two revisions. The person can change either one. */
export function RevisionDiffView({ from, to, onCompare, onBack }: RevisionDiffViewProps) {
  const diff = useDiff(from, to);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <RevisionChoice key={`${from} ${to}`} from={from} to={to} onCompare={onCompare} />
        <Button variant="ghost" size="sm" onClick={onBack}>
          All revisions
        </Button>
        <RestoreButton number={Math.min(from, to)} />
      </div>
      <WhenLoaded of={diff} skeleton="h-40">
        {(data) => <RowDifferences diff={data} />}
      </WhenLoaded>
    </div>
  );
}

function RevisionChoice({ from, to, onCompare }: Omit<RevisionDiffViewProps, "onBack">) {
  const [fromText, setFromText] = useState(String(from));
  const [toText, setToText] = useState(String(to));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCompare(Number(fromText), Number(toText));
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-muted">From revision</span>
      <RevisionNumber label="From revision" value={fromText} onChange={setFromText} />
      <span className="text-muted">to</span>
      <RevisionNumber label="To revision" value={toText} onChange={setToText} />
      <Button type="submit" size="sm">
        Compare
      </Button>
      <IconButton icon={ArrowLeftRight} label="Swap the revisions" onClick={() => onCompare(to, from)} />
    </form>
  );
}

function RevisionNumber({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Input
      aria-label={label}
      inputMode="numeric"
      required
      pattern="[0-9]+"
      title="A revision number, such as 12"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="w-20 tabular-nums"
    />
  );
}
