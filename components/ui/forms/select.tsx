import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { controlStyle } from "@/components/ui/forms/control-style";

export interface SelectOption<V extends string = string> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The heading of its group. The list shows the options of a group together. */
  readonly group?: string | undefined;
}

interface SelectProps<V extends string> {
  value: V | null;
  onChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  /** Needed without a `Field`, which gives the label. */
  "aria-label"?: string | undefined;
  id?: string | undefined;
  prefix?: ReactNode;
}

/** A menu of a few options. For many, use `Combobox`. */
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
              {byGroup(options).map(([group, inGroup]) =>
                group === undefined ? (
                  inGroup.map((option) => <Item key={option.value} option={option} />)
                ) : (
                  <Base.Group key={group}>
                    <Base.GroupLabel className="px-2 pt-2 pb-1 text-xs font-medium text-faint">{group}</Base.GroupLabel>
                    {inGroup.map((option) => (
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

function byGroup(options: readonly SelectOption[]): (readonly [string | undefined, readonly SelectOption[]])[] {
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.map((group) => [group, options.filter((option) => option.group === group)]);
}
