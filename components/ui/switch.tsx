"use client";

import { Switch as Base } from "@base-ui/react/switch";
import { useId, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Shown beside the switch; without it, give `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  disabled?: boolean | undefined;
  className?: string | undefined;
  "aria-label"?: string | undefined;
}

/** On or off, and meant that way. Named as a `Checkbox` is. */
export function Switch({ checked, onChange, label, hint, disabled = false, className, ...rest }: SwitchProps) {
  const id = useId();
  const control = (
    <Base.Root
      {...rest}
      {...(label !== undefined && { "aria-labelledby": `${id}label` })}
      {...(hint !== undefined && { "aria-describedby": `${id}hint` })}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      className="flex h-4.5 w-8 shrink-0 items-center rounded-full border border-edge bg-sunken p-0.5 transition-colors data-checked:border-transparent data-checked:bg-accent-fill data-disabled:opacity-50"
    >
      <Base.Thumb className="size-3 rounded-full bg-edge transition-transform data-checked:translate-x-3.5 data-checked:bg-on-accent" />
    </Base.Root>
  );
  if (label === undefined) return control;
  return (
    <label className={cn("flex items-start gap-2 text-sm", className)}>
      <span className="mt-px flex">{control}</span>
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
