import { useId, type ReactNode } from "react";

interface SegmentedProps<V extends string> {
  /** The name of the choice, for screen readers. */
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: ReactNode }[];
  disabled?: boolean | undefined;
}

/** One of two to four, all in sight: radio buttons in a row. */
export function Segmented<V extends string>({ label, value, onChange, options, disabled = false }: SegmentedProps<V>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex w-fit max-w-full flex-wrap rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-6.5 items-center max-sm:h-9 rounded-[5px] px-2.5 max-sm:px-2 text-sm text-muted select-none has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line),0_1px_2px_var(--shadow)] has-focus-visible:outline-2 has-focus-visible:outline-accent has-disabled:opacity-60"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={disabled}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
