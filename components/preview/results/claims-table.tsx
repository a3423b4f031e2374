import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/forms/input";

interface ClaimsTableProps {
  claims: Record<string, unknown>;
  onChange: (claims: Record<string, unknown>) => void;
  readOnly?: boolean;
}

/** Top-level claims as rows. A value that is not plain text is JSON, so that nothing changes its type unseen. */
export function ClaimsTable({ claims, onChange, readOnly = false }: ClaimsTableProps) {
  const rows = Object.entries(claims);
  const replace = (index: number, name: string, value: unknown) =>
    onChange(Object.fromEntries(rows.map((row, at) => (at === index ? [name, value] : row))));
  return (
    <div className="flex flex-col gap-1">
      {[...rows.keys()].map((index) => (
        <ClaimRow
          // The position identifies the row, because its name changes while typing.
          key={index}
          position={index + 1}
          name={rows[index]?.[0] ?? ""}
          value={rows[index]?.[1]}
          readOnly={readOnly}
          onChange={(name, value) => replace(index, name, value)}
          onRemove={() => onChange(Object.fromEntries(rows.filter((_row, at) => at !== index)))}
        />
      ))}
      {!readOnly && (
        <Button
          size="sm"
          variant="ghost"
          className="self-start"
          onClick={() => onChange({ ...claims, [freshName(claims)]: "" })}
        >
          <Plus aria-hidden /> Add a claim
        </Button>
      )}
    </div>
  );
}

interface ClaimRowProps {
  position: number;
  name: string;
  value: unknown;
  readOnly: boolean;
  onChange: (name: string, value: unknown) => void;
  onRemove: () => void;
}

function ClaimRow({ position, name, value, readOnly, onChange, onRemove }: ClaimRowProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-1">
      <Input
        mono
        aria-label={`Claim ${position}`}
        title={name}
        value={name}
        className="px-1.5"
        readOnly={readOnly}
        onChange={(event) => onChange(event.target.value, value)}
      />
      <Input
        mono
        aria-label={`Value of ${name}`}
        title={toText(value)}
        value={toText(value)}
        className="px-1.5"
        readOnly={readOnly}
        onChange={(event) => onChange(name, fromText(event.target.value))}
      />
      {!readOnly && (
        <Button size="icon" variant="ghost" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden />
        </Button>
      )}
    </div>
  );
}

function toText(value: unknown): string {
  return typeof value === "string" && fromText(value) === value ? value : JSON.stringify(value);
}

function fromText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function freshName(claims: Record<string, unknown>): string {
  let number = 1;
  while (Object.hasOwn(claims, `claim${number}`)) number += 1;
  return `claim${number}`;
}
