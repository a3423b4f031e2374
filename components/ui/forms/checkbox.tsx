import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";
import type { ReactNode } from "react";
import { OwnLabel, useOwnLabel } from "@/components/ui/forms/own-label";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Shown next to the box; without it, give `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  indeterminate?: boolean | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  "aria-label"?: string | undefined;
  /** For a `label` elsewhere on the page. */
  id?: string | undefined;
}

/** A box to tick. */
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
  const { id, names } = useOwnLabel(label, hint);
  return (
    <OwnLabel id={id} label={label} hint={hint} className={className} lowered="mt-0.5">
      <Base.Root
        {...rest}
        {...names}
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
    </OwnLabel>
  );
}
