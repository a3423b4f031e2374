import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { controlStyle } from "@/components/ui/forms/control-style";

export interface SelectOption<V extends string = string> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The heading of its part of the list. Options of one part stand together. */
  readonly part?: string | undefined;
}

interface SelectProps<V extends string> {
  value: V | null;
  onChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  /** Needed where no `Field` names it. */
  "aria-label"?: string | undefined;
  id?: string | undefined;
  prefix?: ReactNode;
}

/** One of a few; for many, use `Combobox`. */
export function Select<V extends string>({
  value,
  onChange,
  options,
  placeholder,
  disabled,
  className,
  prefix,
  ...rest
}: SelectProps<V>) {
  return (
    <Base.Root<V>
      items={options as SelectOption<V>[]}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled ?? false}
    >
      <Base.Trigger
        {...rest}
        className={cn(
          controlStyle,
          "flex h-8 items-center gap-1.5 text-left max-sm:h-10 data-disabled:bg-sunken data-disabled:text-muted",
          className,
        )}
      >
        {prefix}
        <span className="min-w-0 flex-1 truncate data-placeholder:text-faint">
          <Base.Value placeholder={placeholder ?? "Select…"} />
        </span>
        <Base.Icon className="text-faint">
          <ChevronDown aria-hidden className="size-3.5" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50 outline-none">
          <Base.Popup className="popup max-h-[min(20rem,var(--available-height))] max-w-[min(32rem,var(--available-width))] min-w-(--anchor-width) overflow-y-auto p-1">
            <Base.List>
              {partsOf(options).map(([part, inPart]) =>
                part === undefined ? (
                  inPart.map((option) => <Item key={option.value} option={option} />)
                ) : (
                  <Base.Group key={part}>
                    <Base.GroupLabel className="px-2 pt-2 pb-1 text-xs font-medium text-faint">{part}</Base.GroupLabel>
                    {inPart.map((option) => (
                      <Item key={option.value} option={option} />
                    ))}
                  </Base.Group>
                ),
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ option: { value, label, hint } }: { option: SelectOption }) {
  return (
    <Base.Item
      value={value}
      className="grid cursor-default grid-cols-[1rem_1fr] items-center gap-1.5 rounded-md py-1 pr-3 pl-1 text-sm max-sm:min-h-10 outline-none select-none data-highlighted:bg-hover"
    >
      <Base.ItemIndicator className="col-start-1">
        <Check aria-hidden className="size-3.5 text-accent" />
      </Base.ItemIndicator>
      <span className="col-start-2 flex flex-col">
        <Base.ItemText>{label}</Base.ItemText>
        {hint !== undefined && <span className="text-xs text-faint">{hint}</span>}
      </span>
    </Base.Item>
  );
}

/** Options by the heading of their part, in their order. */
function partsOf(options: readonly SelectOption[]): (readonly [string | undefined, readonly SelectOption[]])[] {
  const headings = [...new Set(options.map(({ part }) => part))];
  return headings.map((part) => [part, options.filter((option) => option.part === part)]);
}
