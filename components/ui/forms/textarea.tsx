import { Field } from "@base-ui/react/field";
import type { ClipboardEvent, ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { controlStyle } from "@/components/ui/forms/control-style";

interface TextareaProps extends ComponentProps<"textarea"> {
  mono?: boolean | undefined;
}

/** Characters from which on a paste is slow. */
const LONG = 10_000;

/**
 * A long text is set rather than typed: Chromium takes seconds for the lines of a document that it inserts one by one,
 * so that each could be undone.
 */
function pasteAtOnce(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const field = event.currentTarget;
  const text = event.clipboardData.getData("text/plain");
  if (text.length < LONG || field.readOnly || field.maxLength >= 0) return;
  event.preventDefault();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}

/** A text field of several lines that grows with its text if the browser supports it. */
export function Textarea({ className, mono = false, ...rest }: TextareaProps) {
  return (
    <Field.Control
      render={
        <textarea
          spellCheck={!mono}
          rows={3}
          // Text gets the direction of its language; code does not.
          {...(!mono && { dir: "auto" })}
          onPaste={pasteAtOnce}
          {...rest}
          className={cn(
            controlStyle,
            "field-sizing-content min-h-16 resize-y py-1.5",
            mono && "font-mono text-xs",
            className,
          )}
        />
      }
    />
  );
}
