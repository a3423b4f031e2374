import { useGet } from "@/components/resource/use-get";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { formatIn, useZone } from "@/components/ui/zone";
import type { Page } from "@/lib/contracts/changes/list";
import type { RevisionRow } from "@/lib/contracts/changes/revision";

/** How many of the newest revisions are offered; any other can be typed. */
const OFFERED = 50;

interface RevisionInputProps {
  label: string;
  /** null: the rules in force. */
  value: number | null;
  onChange: (revision: number | null) => void;
  placeholder?: string;
}

/** Which rules: those in force, or those of a revision. */
export function RevisionInput({ label, value, onChange, placeholder = "Current" }: RevisionInputProps) {
  const moment = formatIn(useZone(), { dateStyle: "medium", timeStyle: "short" });
  const { data, isPending } = useGet<Page<RevisionRow>>(
    ["revisions", "newest"],
    `/api/admin/revisions?limit=${OFFERED}`,
  );
  return (
    <Field label={label}>
      <Combobox
        creatable
        value={value === null ? null : String(value)}
        onChange={(text) => onChange(text === null ? null : toNumber(text))}
        options={(data?.items ?? []).map(({ number, at, actor, note }) => ({
          value: String(number),
          label: `Revision ${number}`,
          hint: [note, `${actor.name}, ${moment.format(new Date(at))}`].filter((text) => text !== "").join(" · "),
        }))}
        placeholder={placeholder}
        empty={isPending ? "Loading…" : "Revision not found"}
      />
    </Field>
  );
}

function toNumber(text: string): number | null {
  const number = Number(text.replace(/^revision\s+/i, ""));
  return Number.isInteger(number) && number >= 0 ? number : null;
}
