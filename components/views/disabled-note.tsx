import type { ReactNode } from "react";
import { VisibleText } from "@/components/ui/visible-text";

interface OffNoteProps {
  /** "Disabled" or "Inactive": the word of the row's switch. */
  word: string;
  /** What the state means, and how to end it. */
  children: ReactNode;
}

/** Says on the page of a row that it is switched off, what follows, and how to switch it on. */
export function OffNote({ word, children }: OffNoteProps) {
  return (
    <p
      role="note"
      aria-label={word}
      className="mx-5 mt-3 max-w-4xl rounded-md border border-warn/40 bg-warn-soft px-3 py-1.5 text-sm break-words"
    >
      <span className="font-medium">{word}:</span> {children}
    </p>
  );
}

interface DisabledNoteProps {
  row: { readonly enabled: boolean; readonly disabledReason: string | null };
  /** What being disabled means, and how to end it. */
  children: ReactNode;
}

/** A note on a disabled row that stores the reason. */
export function DisabledNote({ row: { enabled, disabledReason }, children }: DisabledNoteProps) {
  if (enabled) return null;
  return (
    <OffNote word="Disabled">
      {children}
      {disabledReason !== null && (
        <>
          {" "}
          Reason: <VisibleText text={disabledReason} />
        </>
      )}
    </OffNote>
  );
}
