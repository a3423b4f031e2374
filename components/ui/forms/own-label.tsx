import { useId, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface OwnLabelProps {
  id: string;
  /** Without it the control is not in a field, and has a name already. */
  label: ReactNode | undefined;
  hint: ReactNode | undefined;
  className: string | undefined;
  /** The class that aligns the control with the label's first line. */
  lowered: string;
  children: ReactNode;
}

/**
 * The ids that label and describe a control in an `OwnLabel`. They override those of a surrounding `Field`, which may
 * contain several controls.
 */
export function useOwnLabel(label: ReactNode | undefined, hint: ReactNode | undefined) {
  const id = useId();
  const names = {
    ...(label !== undefined && { "aria-labelledby": `${id}label` }),
    ...(label !== undefined && hint !== undefined && { "aria-describedby": `${id}hint` }),
  };
  return { id, names };
}

/** A control with its label and hint next to it. */
export function OwnLabel({ id, label, hint, className, lowered, children }: OwnLabelProps) {
  if (label === undefined) return children;
  return (
    <label className={cn("flex items-start gap-2 text-sm", className)}>
      <span className={cn("flex", lowered)}>{children}</span>
      <span className="flex flex-col">
        <span id={`${id}label`}>{label}</span>
        {hint !== undefined && (
          <span id={`${id}hint`} className="text-xs text-faint">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
