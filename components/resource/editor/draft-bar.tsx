import { Eye } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { CHANGE_SET_PAGE } from "@/components/configuration/change-set";
import { ImpactLine } from "@/components/impact/impact-line";
import type { RowChange } from "@/components/impact/row-impact";
import { useKey } from "@/components/keyboard/use-key";
import type { Stage } from "@/components/resource/editor/use-stage";
import { counted } from "@/components/ui/counted";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import { isInDialog } from "@/components/ui/forms/is-typing";
import { isMeasuredOnCallers } from "@/lib/resources/impacts";

interface DraftBarProps {
  isNew: boolean;
  changes: number;
  /** Whether a field holds text that is no value, which no change counts. */
  isBlocked: boolean;
  /** Whether the change set has the draft's changes, or an edit of the row although the draft has no change left. */
  stage?: Pick<Stage, "state" | "isReverted">;
  /** The kind of the new row: "access policy". */
  word: string;
  pending: boolean;
  /** The draft as a change, if nothing else shows its effect. */
  change?: RowChange | undefined;
  /** Shows a caller's tools in force and with the draft; absent for resources that are no rules. */
  onPreview?: (() => void) | undefined;
  /** Adds the draft to the change set; absent where the change set cannot contain it. */
  onStage?: (() => void) | undefined;
  /** @param from the element that had the focus */
  onReview: (from: Element | null) => void;
  onDiscard: () => void;
  onCancel: () => void;
}

/** The bar that stays visible while there are unsaved changes: "3 changes · Review and save… · Discard", and their effect. */
export function DraftBar({
  isNew,
  changes,
  isBlocked,
  stage,
  word,
  pending,
  change,
  onPreview,
  onStage,
  onReview,
  onDiscard,
  onCancel,
}: DraftBarProps) {
  const main = useRef<HTMLButtonElement>(null);
  const left = useRef<Element | null>(null);
  const review = () => onReview(left.current ?? document.activeElement);
  useKey("save", (event) => {
    if (isInDialog(event)) return;
    // Some fields update the draft only when they lose the focus, and the bar may appear only then.
    const field = document.querySelector<HTMLElement>(":focus");
    field?.blur();
    setTimeout(() => {
      left.current = field;
      (main.current ?? field)?.focus();
      main.current?.click();
      left.current = null;
    });
  });
  if (!isNew && changes === 0 && !isBlocked) return stage?.isReverted && <Reverted onRemove={onDiscard} />;
  // Text that is no value is in no change set.
  const isStaged = stage?.state === "shown" && !isBlocked;
  return (
    <Bar>
      {!isNew && (isStaged ? <InChangeSet changes={changes} /> : <Unsaved changes={changes} />)}
      <Button ref={main} variant="primary" pending={pending} aria-keyshortcuts="Control+S" onClick={review}>
        {isNew ? `Create ${word}` : "Review and save…"}
      </Button>
      <Button variant="ghost" onClick={isNew ? onCancel : onDiscard}>
        {isNew ? "Cancel" : isStaged ? "Remove from change set" : "Discard"}
      </Button>
      {onPreview !== undefined && <PreviewButton onPreview={onPreview} />}
      {onStage !== undefined && (
        <Button variant="ghost" disabled={pending} title="Save this edit later, together with others" onClick={onStage}>
          Add to change set
        </Button>
      )}
      {change !== undefined && <Effect change={change} />}
    </Bar>
  );
}

function Bar({ children }: { children: ReactNode }) {
  return (
    <div
      role="region"
      aria-label="Unsaved changes"
      data-bottom-bar
      className="sticky bottom-0 z-20 flex items-center gap-2 border-t border-line bg-panel px-5 py-2.5 max-sm:flex-wrap"
    >
      {children}
    </div>
  );
}

/** The form shows the stored row again, but saving the change set would still change it. */
function Reverted({ onRemove }: { onRemove: () => void }) {
  return (
    <Bar>
      <span aria-live="polite" className="mr-2 text-sm font-medium">
        The change set still has an edit of this
      </span>
      <Button onClick={onRemove}>Remove edit</Button>
    </Bar>
  );
}

/** The edit is kept: the form can be left, and the change set saves it. */
function InChangeSet({ changes }: Pick<DraftBarProps, "changes">) {
  return (
    <span aria-live="polite" className="mr-2 text-sm font-medium tabular-nums">
      {counted(changes, "change")} in the <TextLink href={CHANGE_SET_PAGE}>change set</TextLink>
    </span>
  );
}

/** Without a change, the bar is there for text that is no value. */
function Unsaved({ changes }: Pick<DraftBarProps, "changes">) {
  return (
    <span aria-live="polite" className="mr-2 text-sm font-medium tabular-nums">
      {changes === 0 ? "A field is invalid" : counted(changes, "change")}
    </span>
  );
}

/** The number of callers whose tools change. */
function Effect({ change: { resource, ...row } }: { change: RowChange }) {
  if (!isMeasuredOnCallers(resource)) return null;
  return (
    <div className="ml-auto flex min-w-0 sm:pl-4">
      <ImpactLine change={{ resource, ...row }} />
    </div>
  );
}

function PreviewButton({ onPreview }: { onPreview: () => void }) {
  return (
    <Button variant="ghost" onClick={onPreview}>
      <Eye aria-hidden />
      <span>
        Preview <span className="max-sm:sr-only">with this draft</span>
      </span>
    </Button>
  );
}
