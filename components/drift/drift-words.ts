import type { Tone } from "@/components/ui/badge";
import type { DriftItem, DriftNote } from "@/lib/contracts/sources/drift";

export const KIND_WORDS: Readonly<Record<DriftItem["kind"], string>> = {
  new: "new",
  changed: "changed",
  removed: "removed",
};

/** The badge's colour for each severity. The badge also shows the severity as text. */
export const SEVERITY_TONES: Readonly<Record<DriftItem["severity"], Tone>> = {
  low: "neutral",
  medium: "warn",
  high: "deny",
};

/** The notes of high severity: hidden characters, another address, more danger or rights, broken arguments. */
export function seriousNotes({ notes }: Pick<DriftItem, "notes">): readonly DriftNote[] {
  return notes.filter(({ severity }) => severity === "high");
}

/** For each kind, the labels of the two decisions and their effects. `null` = not possible. */
export const DECISIONS: Readonly<
  Record<DriftItem["kind"], { readonly approve: string; readonly reject: string | null; readonly follows: string }>
> = {
  new: {
    approve: "Approve",
    reject: "Keep out",
    follows:
      "If you approve it, the tool joins the catalogue. If you keep it out, syncs stop proposing it. You can still import it.",
  },
  changed: {
    approve: "Approve",
    reject: "Keep quarantined",
    follows: "If you approve it, the tool takes the new definition and is callable from the next request.",
  },
  removed: {
    approve: "Acknowledge",
    reject: null,
    follows: "The tool is already deprecated. It returns automatically when its source has the same definition again.",
  },
};
