import { useId, type FormEvent, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Dialog, type DialogProps } from "@/components/ui/overlays/dialog";

interface ActionDialogProps extends Pick<DialogProps, "title" | "description" | "size" | "onConfirm" | "children"> {
  /** The text of the button that acts. */
  action: ReactNode;
  cancel?: string;
  tone?: "primary" | "danger";
  pending?: boolean;
  disabled?: boolean;
  /** Why the action failed. */
  error?: string | undefined;
  /** The content is a form: Enter in a field acts too. */
  isForm?: boolean;
  onAct: () => void;
  onClose: () => void;
}

/** A dialog with two buttons: Cancel, and one that acts. */
export function ActionDialog({
  action,
  cancel = "Cancel",
  tone = "primary",
  pending,
  disabled,
  error,
  isForm = false,
  onAct,
  onClose,
  children,
  ...dialog
}: ActionDialogProps) {
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React passes it through the portal to a form that the dialog was opened from.
    event.stopPropagation();
    onAct();
  };
  const content =
    error === undefined && children === undefined ? undefined : (
      <>
        {error !== undefined && <ErrorNote text={error} />}
        {children}
      </>
    );
  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            variant={tone}
            pending={pending}
            disabled={disabled}
            {...(isForm ? { type: "submit", form } : { onClick: onAct })}
          >
            {action}
          </Button>
        </>
      }
    >
      {isForm ? (
        <form id={form} onSubmit={submit} className="flex flex-col gap-4">
          {content}
        </form>
      ) : (
        content !== undefined && <div className="flex flex-col gap-4 empty:hidden">{content}</div>
      )}
    </Dialog>
  );
}
