import { Switch as Base } from "@base-ui/react/switch";
import type { ReactNode } from "react";
import { OwnLabel, useOwnLabel } from "@/components/ui/forms/own-label";

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Shown next to the switch; without it, give `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  disabled?: boolean | undefined;
  className?: string | undefined;
  "aria-label"?: string | undefined;
}

/** A switch for a value that is on or off. */
export function Switch({ checked, onChange, label, hint, disabled = false, className, ...rest }: SwitchProps) {
  const { id, names } = useOwnLabel(label, hint);
  return (
    <OwnLabel id={id} label={label} hint={hint} className={className} lowered="mt-px">
      <Base.Root
        {...rest}
        {...names}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        className="flex h-4.5 w-8 shrink-0 items-center rounded-full border border-edge bg-sunken p-0.5 transition-colors data-checked:border-transparent data-checked:bg-accent-fill data-disabled:opacity-50"
      >
        <Base.Thumb className="size-3 rounded-full bg-edge transition-transform data-checked:translate-x-3.5 data-checked:bg-on-accent" />
      </Base.Root>
    </OwnLabel>
  );
}
