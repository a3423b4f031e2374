import { useRef, useState, type RefObject } from "react";
import { RowImpact, type RowChange } from "@/components/impact/row-impact";
import { useKey } from "@/components/keyboard/use-key";
import type { SaveHow } from "@/components/resource/editor/follow-request";
import { PlanWarnings } from "@/components/resource/editor/plan-warnings";
import { sentencesOf, sentencesOfNew, sentencesOnDescription } from "@/components/resource/editor/changes";
import type { Change, Sentence } from "@/components/resource/editor/changes";
import { SignInAgain, StaleSignIn, useRecentSignIn } from "@/components/resource/review/recent-sign-in";
import { ReviewReason, type RequiredReview } from "@/components/resource/review/review-reason";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { lazyPart } from "@/components/ui/lazy-part";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { WithCode } from "@/components/ui/json/with-code";
import type { RowUser, Warning } from "@/lib/contracts/changes/row-plan";
import { wordsOf } from "@/lib/contracts/changes/row-words";
import { isMeasuredOnCallers } from "@/lib/resources/impacts";
import { isResourceName, KINDS } from "@/lib/resources/kinds";

const JsonDiff = lazyPart(
  async () => (await import("@/components/ui/json/json-diff")).JsonDiff,
  <Skeleton className="h-24" />,
);

interface ReviewDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The element with the focus before the check that led to the review. The check takes the focus from the form. */
  openedFrom?: RefObject<Element | null>;
  /** Such as "Review changes to finance". */
  title: string;
  /** The text of the button that saves. */
  action?: string;
  /** The text of the button that closes the dialog without a save. */
  keep?: string;
  changes: readonly Change[];
  /** The rows that name the row, and get its new name. */
  followers?: readonly RowUser[];
  /** The warnings: assertions that would fail, and findings about the row. */
  warnings?: readonly Warning[];
  /** The change, if its effect is measured. */
  change?: RowChange | undefined;
  /** Whether the change undoes an earlier one. */
  isUndo?: boolean;
  /** Whether the row is new: nothing was there before. */
  isNew?: boolean;
  wording: Partial<Record<string, (item: never) => string>> | undefined;
  pending: boolean;
  /** Why the save waits for a second person; `null` = it does not. */
  waits?: RequiredReview | null;
  onSave: (how: SaveHow) => void;
}

/** The effect of a save: sentences, warnings and the affected callers, then the raw values. */
export function ReviewDialog({
  open,
  onOpenChange,
  openedFrom,
  title,
  action = "Save changes",
  keep,
  changes,
  followers = [],
  warnings = [],
  change,
  isUndo = false,
  isNew = false,
  wording,
  pending,
  waits = null,
  onSave,
}: ReviewDialogProps) {
  const [reason, setReason] = useState("");
  const told = (isNew ? sentencesOfNew : sentencesOf)(changes, wording);
  const sentences = [...told, ...sentencesOnDescription(change?.input, changes)];
  const [measured, setMeasured] = useState(false);
  const mustWait = change !== undefined && isMeasuredOnCallers(change.resource) && !measured;
  const mainButton = useRef<HTMLButtonElement>(null);
  const send = useOnce(onSave);
  const save = () => send({ reason: waits === null ? "" : reason, bypasses: false });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={title}
      mainButton={mainButton}
      openedFrom={openedFrom}
      onConfirm={open && !pending && !mustWait ? save : undefined}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{keep ?? (isUndo ? "Edit first" : "Keep editing")}</Button>
          {waits?.mayBypass === true && (
            <BypassButton
              hasReason={reason.trim() !== ""}
              disabled={pending || mustWait}
              onBypass={() => send({ reason, bypasses: true })}
            />
          )}
          <SaveButton button={mainButton} pending={pending} mustWait={mustWait} onSave={save}>
            {waits !== null ? "Request review" : warnings.length === 0 ? action : "Save anyway"}
          </SaveButton>
        </>
      }
    >
      <Sentences sentences={[...sentences, ...sentenceAbout(followers)]} />
      <Cautions warnings={warnings} waits={waits} reason={reason} onReason={setReason} />
      {change !== undefined && <Effect change={change} changes={changes} isUndo={isUndo} onMeasured={setMeasured} />}
      <RawValues changes={isNew ? changes.map((one) => ({ ...one, before: null })) : changes} />
    </Dialog>
  );
}

/** Milliseconds within which a second press of the save key repeats the first: `pending` arrives some time after a press. */
const REPEAT_MS = 500;

/** The save, which a repeated press does not send again. */
function useOnce(onSave: ReviewDialogProps["onSave"]): ReviewDialogProps["onSave"] {
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  return (how) => {
    const now = performance.now();
    if (now - sentAt.current < REPEAT_MS) return;
    sentAt.current = now;
    onSave(how);
  };
}

interface CautionsProps extends Required<Pick<ReviewDialogProps, "warnings" | "waits">> {
  reason: string;
  onReason: (reason: string) => void;
}

/** The warnings, and why the save waits for a second person. */
function Cautions({ warnings, waits, reason, onReason }: CautionsProps) {
  return (
    <>
      {warnings.length > 0 && (
        <div className="mt-4">
          <PlanWarnings title="Warnings before you save:" warnings={warnings} />
        </div>
      )}
      {waits !== null && (
        <div className="mt-4 flex flex-col gap-2">
          <ReviewReason review={waits} reason={reason} onReason={onReason} />
          {waits.mayBypass && <StaleSignIn />}
        </div>
      )}
    </>
  );
}

/** Most rows shown that get a new name; the rest is counted. */
const MAX_FOLLOWERS = 20;

function sentenceAbout(followers: readonly RowUser[]): readonly Sentence[] {
  if (followers.length === 0) return [];
  const items = followers
    .slice(0, MAX_FOLLOWERS)
    .map(({ resource, id }) => (isResourceName(resource) ? `${KINDS[resource].words[0]} \`${id}\`` : "the settings"));
  const more = followers.length - items.length;
  if (more > 0) items.push(`and ${more.toLocaleString("en")} more`);
  return [{ sign: "~", text: "These use it and get the new name:", items }];
}

interface EffectProps {
  change: RowChange;
  changes: readonly Change[];
  isUndo: boolean;
  onMeasured: (measured: boolean) => void;
}

/** The effect on callers and past calls. */
function Effect({ change, changes, isUndo, onMeasured }: EffectProps) {
  const fields = changes.map(({ field }) => field);
  return (
    <div className="mt-4 flex flex-col gap-4 empty:hidden">
      <RowImpact
        change={change}
        fields={fields}
        label="Impact of these changes"
        isUndo={isUndo}
        onMeasured={onMeasured}
      />
    </div>
  );
}

interface BypassButtonProps {
  hasReason: boolean;
  disabled: boolean;
  onBypass: () => void;
}

/** Applies the change in an emergency, or leads to the sign-in that this requires first. */
function BypassButton({ hasReason, disabled, onBypass }: BypassButtonProps) {
  const isRecent = useRecentSignIn();
  if (isRecent === undefined) return null;
  if (!isRecent) return <SignInAgain>Sign in again to apply now</SignInAgain>;
  return (
    <Button
      variant="danger"
      disabled={!hasReason || disabled}
      title={hasReason ? undefined : "Enter a reason first"}
      onClick={onBypass}
    >
      Apply now without review
    </Button>
  );
}

interface SaveButtonProps {
  button: RefObject<HTMLButtonElement | null>;
  pending: boolean;
  /** Whether the impact is not measured yet. */
  mustWait: boolean;
  onSave: () => void;
  children: string;
}

function SaveButton({ button, pending, mustWait, onSave, children }: SaveButtonProps) {
  return (
    <>
      {!pending && !mustWait && <SaveKey onSave={onSave} />}
      <Button
        ref={button}
        variant="primary"
        // It has the focus while the impact is measured, which a disabled button would lose.
        pending={pending || mustWait}
        title={mustWait ? "Wait for the impact" : undefined}
        aria-keyshortcuts="Control+S Control+Enter"
        // A held key must not confirm the dialog that it has opened.
        onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
        onClick={onSave}
      >
        {children}
      </Button>
    </>
  );
}

/** The old and the new value of each changed field, drawn once the part is opened. */
function RawValues({ changes }: Pick<ReviewDialogProps, "changes">) {
  const [raw, setRaw] = useState(false);
  return (
    <details className="mt-4" onToggle={(event) => setRaw(event.currentTarget.open)}>
      <summary className="w-fit rounded text-sm text-muted hover:text-ink">Raw values</summary>
      <div className="mt-2 flex flex-col gap-3">
        {raw && changes.map((change) => <RawChange key={change.field} change={change} />)}
      </div>
    </details>
  );
}

/** The shortcut that opened the review saves it. */
function SaveKey({ onSave }: { onSave: () => void }) {
  useKey("save", onSave);
  return null;
}

const TONE = { "+": "text-allow", "−": "text-deny", "~": "text-warn" } as const;

/** Changes in words, each on a line, and what a sentence lists below it. */
export function Sentences({ sentences }: { sentences: readonly Sentence[] }) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {sentences.map(({ sign, text, items = [] }) => (
        <li key={`${sign}${text}`} className="flex gap-2">
          <span className={cn("w-3 shrink-0 text-center font-mono font-semibold", TONE[sign])}>{sign}</span>
          <div className="min-w-0 flex-1 break-words">
            <WithCode text={text} />
            {items.length > 0 && (
              <ul className="mt-0.5 grid gap-x-6 sm:grid-cols-2">
                {items.map((item) => (
                  <WithCode as="li" key={item} className="min-w-0 break-words" text={item} />
                ))}
              </ul>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function RawChange({ change: { field, before, after } }: { change: Change }) {
  return (
    <div>
      <p className="mb-1 text-xs font-medium text-muted">{wordsOf(field)}</p>
      <JsonDiff
        label={`${wordsOf(field)} before and after`}
        before={{ title: "Before", value: before }}
        after={{ title: "After", value: after }}
      />
    </div>
  );
}
