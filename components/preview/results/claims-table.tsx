import { Plus, X } from "lucide-react";
import { useState } from "react";
import { claimsOf, nameRows, normalizeText, rowsOf, type ClaimRow } from "@/components/preview/results/claim-rows";
import { Button, IconButton } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

interface ClaimsTableProps {
  claims: Record<string, unknown>;
  onChange: (claims: Record<string, unknown>) => void;
  readOnly?: boolean;
}

/** Top-level claims as rows. */
export function ClaimsTable({ claims, onChange, readOnly = false }: ClaimsTableProps) {
  const [draft, setDraft] = useState<{ rows: readonly ClaimRow[]; of: string } | null>(null);
  // The typed rows belong to the claims that they mean: claims from elsewhere (discard, reload) replace them.
  const shown = JSON.stringify(claims);
  const rows = draft !== null && draft.of === shown ? draft.rows : rowsOf(claims);
  const change = (next: readonly ClaimRow[]) => {
    const named = nameRows(next);
    const changed = claimsOf(named);
    setDraft({ rows: named, of: JSON.stringify(changed) });
    if (JSON.stringify(changed) !== shown) onChange(changed);
  };
  return (
    <div className="flex flex-col gap-1">
      {rows.map((row, index) => (
        <ClaimInputs
          // The position identifies the row, because its name changes while typing.
          key={index}
          position={index + 1}
          row={row}
          readOnly={readOnly}
          onChange={(part) => change(rows.with(index, { ...row, ...part }))}
          onRemove={() => change(rows.toSpliced(index, 1))}
        />
      ))}
      {!readOnly && (
        <Button
          size="sm"
          variant="ghost"
          className="self-start"
          onClick={() => change([...rows, ...rowsOf({ [freshName(claims)]: "" })])}
        >
          <Plus aria-hidden /> Add a claim
        </Button>
      )}
    </div>
  );
}

interface ClaimInputsProps {
  position: number;
  row: ClaimRow;
  readOnly: boolean;
  onChange: (part: Partial<ClaimRow>) => void;
  onRemove: () => void;
}

function ClaimInputs({ position, row, readOnly, onChange, onRemove }: ClaimInputsProps) {
  const { name, typedName, typedValue } = row;
  const taken = `Another claim is named “${typedName}”. Enter another name: until then, this claim is named “${name}”.`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-1">
      <Field label={`Claim ${position}`} hideLabel error={typedName === name ? undefined : taken}>
        <Input
          mono
          title={typedName}
          value={typedName}
          className="px-1.5"
          readOnly={readOnly}
          onChange={(event) => onChange({ typedName: event.target.value })}
        />
      </Field>
      <Input
        mono
        aria-label={`Value of ${name}`}
        title={typedValue}
        value={typedValue}
        className="px-1.5"
        readOnly={readOnly}
        onChange={(event) => onChange({ typedValue: event.target.value })}
        onBlur={() => {
          if (normalizeText(typedValue) !== typedValue) onChange({ typedValue: normalizeText(typedValue) });
        }}
      />
      {!readOnly && <IconButton icon={X} label={`Remove ${name}`} onClick={onRemove} />}
    </div>
  );
}

function freshName(claims: Record<string, unknown>): string {
  let number = 1;
  while (Object.hasOwn(claims, `claim${number}`)) number += 1;
  return `claim${number}`;
}
