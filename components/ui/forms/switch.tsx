import { Switch as Base } from "@base-ui/react/switch";
import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { OwnLabel, useOwnLabel } from "@/components/ui/forms/own-label";

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Shown next to the switch; without it, give `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  disabled?: boolean | undefined;
  /** Whether a change is being saved. Then the switch shows a spinner and ignores presses, but keeps the focus. */
  pending?: boolean | undefined;
  className?: string | undefined;
  "aria-label"?: string | undefined;
}

/** A switch for a value that is on or off. */
export function Switch({
  checked,
  onChange,
  label,
  hint,
  disabled = false,
  pending = false,
  className,
  ...rest
}: SwitchProps) {
  const { id, names } = useOwnLabel(label, hint);
  return (
    <OwnLabel id={id} label={label} hint={hint} className={className} lowered="mt-px">
      <Base.Root
        {...rest}
        {...names}
        checked={checked}
        disabled={disabled}
        readOnly={pending}
        aria-disabled={pending || undefined}
        aria-busy={pending || undefined}
        onCheckedChange={onChange}
        className="flex h-4.5 w-8 shrink-0 items-center rounded-full border border-edge bg-sunken p-0.5 transition-colors data-checked:border-transparent data-checked:bg-accent-fill data-disabled:opacity-50 aria-busy:cursor-progress"
      >
        <Base.Thumb
          className={cn(
            "size-3 rounded-full text-edge transition-transform data-checked:translate-x-3.5 data-checked:text-on-accent",
            !pending && "bg-current",
          )}
        >
          {pending && <LoaderCircle aria-hidden className="size-3 animate-spin" />}
        </Base.Thumb>
      </Base.Root>
    </OwnLabel>
  );
}
