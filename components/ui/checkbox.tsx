"use client";

import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";
import { useId, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Shown beside the box; without it, give `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  indeterminate?: boolean | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  "aria-label"?: string | undefined;
}

/** A box to tick. It is named by its own label, also where a `Field` around it has one: several may stand in it. */
export function Checkbox({
  checked,
  onChange,
  label,
  hint,
  indeterminate = false,
  disabled = false,
  className,
  ...rest
}: CheckboxProps) {
  const id = useId();
  const box = (
    <Base.Root
      {...rest}
      {...(label !== undefined && { "aria-labelledby": `${id}label` })}
      {...(hint !== undefined && { "aria-describedby": `${id}hint` })}
      checked={checked}
      indeterminate={indeterminate}
      disabled={disabled}
      onCheckedChange={onChange}
      className="flex size-4 shrink-0 items-center justify-center rounded border border-edge bg-raised text-on-accent data-checked:border-transparent data-checked:bg-accent-fill data-disabled:opacity-50 data-indeterminate:border-transparent data-indeterminate:bg-accent-fill"
    >
      <Base.Indicator>
        {indeterminate ? <Minus aria-hidden className="size-3" /> : <Check aria-hidden className="size-3" />}
      </Base.Indicator>
    </Base.Root>
  );
  if (label === undefined) return box;
  return (
    <label className={cn("flex items-start gap-2 text-sm", className)}>
      <span className="mt-0.5 flex">{box}</span>
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
