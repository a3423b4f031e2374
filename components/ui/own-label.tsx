import { useId, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface OwnLabelProps {
  /** Without it the control stands alone, and has a name already. */
  label: ReactNode | undefined;
  hint: ReactNode | undefined;
  className?: string | undefined;
  /** What brings the control to the height of the label's first line. */
  lowered: string;
  /** The control, with what names and describes it. */
  control: (names: { "aria-labelledby"?: string; "aria-describedby"?: string }) => ReactNode;
}

/** A control with a label beside it, which names it also where a `Field` around it has one: several may stand in it. */
export function OwnLabel({ label, hint, className, lowered, control }: OwnLabelProps) {
  const id = useId();
  if (label === undefined) return control({});
  const names = {
    "aria-labelledby": `${id}label`,
    ...(hint !== undefined && { "aria-describedby": `${id}hint` }),
  };
  return (
    <label className={cn("flex items-start gap-2 text-sm", className)}>
      <span className={cn("flex", lowered)}>{control(names)}</span>
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
