import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import {
  useCallback,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { Button, IconButton } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { firstField } from "@/components/ui/forms/first-field";
import { toContentIfLost } from "@/components/ui/to-content";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** One sentence about the dialog's purpose. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  size?: "sm" | "md" | "lg" | undefined;
  /** False: only its own buttons close it (a secret shown once). */
  dismissible?: boolean | undefined;
  /** Gets the focus at first if the content has no text field. Absent: the first button. */
  mainButton?: RefObject<HTMLButtonElement | null>;
  /** Gets the focus after the dialog if it is still there; else the content does. Empty: the element with the focus before it. */
  openedFrom?: RefObject<Element | null> | undefined;
  /** Runs on Ctrl-Enter. */
  onConfirm?: (() => void) | undefined;
}

/** On a phone, three buttons stand one below the other, the main one first. */
const FOOTER =
  "flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 max-sm:has-[>:nth-child(3)]:flex-col-reverse max-sm:has-[>:nth-child(3)]:items-stretch";

/** A large dialog holds a table or a difference, so it also uses more of the window's height. */
const SIZE = {
  sm: "top-[12vh] max-h-[76vh] max-w-md",
  md: "top-[12vh] max-h-[76vh] max-w-xl",
  lg: "top-[6vh] max-h-[88vh] max-w-4xl",
};

/** A modal dialog. The focus starts in its first text field, or on its main button. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = "md",
  dismissible = true,
  mainButton,
  openedFrom,
  onConfirm,
}: DialogProps) {
  const { content, attach, hasNewChips } = useContent();
  const { hasTyped, ...keys } = useDialogKeys(content, onConfirm);
  const { change, question } = useClosing(onOpenChange, { dismissible, hasTyped: () => hasTyped() || hasNewChips() });
  return (
    <Base.Root
      open={open}
      onOpenChange={change}
      // The opener may no longer exist, such as the bar of a saved draft. This runs before the dialog is removed.
      onOpenChangeComplete={(shown) => !shown && setTimeout(() => toContentIfLost(openedFrom?.current))}
      disablePointerDismissal={!dismissible}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[light-dark(rgb(15_18_30/0.3),rgb(0_0_0/0.6))] transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          // On touch screens, no field gets the focus, because the keyboard would cover half of the screen.
          initialFocus={(by) => (by === "touch" ? null : (firstField(content.current) ?? mainButton?.current)) ?? true}
          finalFocus={() => (openedFrom?.current ?? null) === null}
          {...keys}
          className={cn(
            // Hidden overflow keeps the scrollbar inside the round corners.
            "popup fixed left-1/2 z-50 flex w-[calc(100vw-2rem)] -translate-x-1/2 flex-col overflow-hidden rounded-xl",
            SIZE[size],
          )}
        >
          <div className={cn("flex items-start gap-3 px-5 pt-4", children === undefined ? "pb-4" : "pb-3")}>
            <Heading title={title} description={description} />
            {dismissible && (
              <Base.Close render={<IconButton icon={X} label="Close" className="-mt-1 -mr-2 max-sm:-mt-2" />} />
            )}
          </div>
          {children !== undefined && (
            <div ref={attach} className="min-h-0 flex-1 scroll-pb-16 overflow-y-auto px-5 pb-4">
              {children}
            </div>
          )}
          {footer !== undefined && <div className={FOOTER}>{footer}</div>}
          {question}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The content of a dialog, and whether the chips of its fields are others than at first. A picked chip leaves no text. */
function useContent() {
  const content = useRef<HTMLDivElement>(null);
  const atFirst = useRef("");
  const attach = useCallback((element: HTMLDivElement | null) => {
    content.current = element;
    atFirst.current = chipsIn(element);
  }, []);
  return { content, attach, hasNewChips: () => chipsIn(content.current) !== atFirst.current };
}

function chipsIn(content: HTMLElement | null): string {
  return JSON.stringify(Array.from(content?.querySelectorAll("[data-chip]") ?? [], (chip) => chip.textContent));
}

/** How a dialog closes, and the question before it. */
function useClosing(
  onOpenChange: DialogProps["onOpenChange"],
  given: { dismissible: boolean; hasTyped: () => boolean },
) {
  const [asking, setAsking] = useState(false);
  const change = (next: boolean) => {
    if (!next && !given.dismissible) return;
    if (!next && given.hasTyped()) setAsking(true);
    else onOpenChange(next);
  };
  const question = asking && <DiscardDialog onKeep={() => setAsking(false)} onDiscard={() => onOpenChange(false)} />;
  return { change, question };
}

/** Asks before Escape, a press beside a dialog or its X drops what a person typed there. Buttons of the footer do not ask. */
function DiscardDialog({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onKeep}
      size="sm"
      title="Discard what you entered?"
      footer={
        <>
          <Button onClick={onKeep}>Keep editing</Button>
          <Button
            variant="danger"
            onClick={() => {
              onKeep();
              onDiscard();
            }}
          >
            Discard
          </Button>
        </>
      }
    />
  );
}

function Heading({ title, description }: Pick<DialogProps, "title" | "description">) {
  return (
    <div className="min-w-0 flex-1">
      <Base.Title className="text-base font-semibold text-balance">{title}</Base.Title>
      {description !== undefined && (
        <Base.Description className="mt-1 text-sm text-pretty text-muted">{description}</Base.Description>
      )}
    </div>
  );
}

/** The handlers of a dialog's popup that keep its keys inside it, and whether a field in sight holds typed text. */
function useDialogKeys(content: RefObject<HTMLElement | null>, onConfirm: (() => void) | undefined) {
  const lastInput = useRef<LastInput | null>(null);
  const typed = useRef(new Set<EventTarget>());
  return {
    hasTyped: () =>
      [...typed.current].some((field) => isTextField(field) && field.value !== "" && field.checkVisibility()),
    onInput: ({ target, nativeEvent }: FormEvent) => {
      typed.current.add(target);
      lastInput.current = { target, isUndo: "inputType" in nativeEvent && nativeEvent.inputType === "historyUndo" };
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) =>
      onKeyDown(event, { content: content.current, lastInput: lastInput.current, onConfirm }),
  };
}

function isTextField(target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox" && target.type !== "radio";
  return target instanceof HTMLTextAreaElement;
}

/** The field of the last change in a dialog, and whether the change took typing back. */
interface LastInput {
  readonly target: EventTarget;
  readonly isUndo: boolean;
}

interface KeyContext extends Pick<DialogProps, "onConfirm"> {
  readonly content: HTMLElement | null;
  readonly lastInput: LastInput | null;
}

/**
 * Confirms on Ctrl-Enter, except on a button that does something else. Keeps Ctrl-Z inside the dialog: in a field where
 * nothing is left to undo, the browser would undo the last text that was typed behind the dialog.
 */
function onKeyDown(event: KeyboardEvent<HTMLElement>, { content, lastInput, onConfirm }: KeyContext): void {
  const { key, ctrlKey, metaKey, repeat, currentTarget, target } = event;
  if (!(ctrlKey || metaKey) || !(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
  const hasText = isTextField(target) && target.value !== "";
  const wasCleared = lastInput !== null && lastInput.target === target && !lastInput.isUndo;
  if (key.toLowerCase() === "z" && !hasText && !wasCleared) event.preventDefault();
  // On a link, the key opens a tab.
  if (key !== "Enter" || onConfirm === undefined || target.closest("a") !== null) return;
  // Outside the content are Close, and the buttons of the footer, the main one last.
  const isOtherButton = target.tagName === "BUTTON" && content?.contains(target) !== true;
  if (isOtherButton && [...currentTarget.querySelectorAll("button")].at(-1) !== target) return;
  event.preventDefault();
  if (!repeat) onConfirm();
}

/** The `footer` of a dialog whose content changes: the content brings its own buttons, in sight while it scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-4 z-10 -mx-5 -mb-4 flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-t border-line bg-raised px-5 py-3">
      {children}
    </div>
  );
}
