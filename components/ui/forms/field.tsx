import { Field as Base } from "@base-ui/react/field";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { WithCode } from "@/components/ui/json/with-code";
import { upperFirst } from "@/components/ui/text/letter-case";

/** The words of a field and its place, as each kind of field takes them. */
export interface FieldWords {
  label: string;
  /** One sentence under the control. */
  hint?: ReactNode;
  className?: string | undefined;
}

interface FieldProps extends Omit<FieldWords, "label"> {
  label: ReactNode;
  /** The problem and how to fix it. */
  error?: ReactNode;
  children: ReactNode;
  /** The label is read out but not shown: for rows whose header says it. */
  hideLabel?: boolean | undefined;
  /** A value is needed: the label says so. */
  required?: boolean | undefined;
  /** A group of controls instead of one control with a label. */
  group?: boolean | undefined;
  /** The field's path, such as `matchers.0.value`: a problem's link finds it. */
  path?: string | undefined;
}

/** Written by the style sheet, so that the label's own text stays what the page and the guides call it. */
const REQUIRED = "after:ml-1 after:font-normal after:text-faint after:content-['required']";

/** A label, its control, its hint and its error, wired together for people and for screen readers. */
export function Field({
  label,
  hint,
  error,
  children,
  className,
  hideLabel = false,
  required = false,
  group = false,
  path,
}: FieldProps) {
  const invalid = error !== undefined && error !== null && error !== "";
  const labelStyle = cn("text-xs font-medium text-muted", required && REQUIRED, hideLabel && "sr-only");
  return (
    <Base.Root
      invalid={invalid}
      data-field={path}
      className={cn("flex min-w-0 flex-col gap-1", className)}
      {...(group && { role: "group", "aria-label": String(label) })}
    >
      {group ? <div className={labelStyle}>{label}</div> : <Base.Label className={labelStyle}>{label}</Base.Label>}
      {children}
      {hint !== undefined && (
        <Base.Description className="text-xs text-faint">
          {typeof hint === "string" ? <WithCode text={hint} /> : hint}
        </Base.Description>
      )}
      {invalid && (
        <Base.Error match className="text-xs text-deny">
          {typeof error === "string" ? <Sentence text={error} /> : error}
        </Base.Error>
      )}
    </Base.Root>
  );
}

/** The problem of a value without a `Field`, such as a list. */
export function ErrorText({ text, role }: { text: string | undefined; role?: "alert" | undefined }) {
  return (
    text !== undefined && (
      <p role={role} className="text-xs text-deny">
        <Sentence text={text} />
      </p>
    )
  );
}

/** A problem begins in lower case, because some lists write a field's name before it. */
function Sentence({ text }: { text: string }) {
  return <WithCode text={upperFirst(text)} />;
}
