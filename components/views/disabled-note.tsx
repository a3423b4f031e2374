import { VisibleText } from "@/components/ui/visible-text";

interface DisabledNoteProps {
  row: { readonly enabled: boolean; readonly disabledReason: string | null };
}

/** Why a row is disabled, under its name; hidden without a reason. */
export function DisabledNote({ row }: DisabledNoteProps) {
  if (row.enabled || row.disabledReason === null) return null;
  return (
    <p className="mx-5 mt-3 max-w-4xl rounded-md border border-line bg-panel px-3 py-1.5 text-sm break-words">
      <span className="font-medium">Disabled:</span> <VisibleText text={row.disabledReason} />
    </p>
  );
}
