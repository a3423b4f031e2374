import { Combobox as Base } from "@base-ui/react/combobox";
import { Check, X } from "lucide-react";
import { cn } from "@/components/ui/cn";
import { controlStyle } from "@/components/ui/forms/control-style";
import { fitsAny, labelOf, useOptionList, useTypedOption } from "@/components/ui/forms/use-option-list";
import { useTypedChips } from "@/components/ui/forms/use-typed-chips";
import { VisibleText } from "@/components/ui/visible-text";

export interface ComboboxOption {
  readonly value: string;
  /** Absent: the value itself. */
  readonly label?: string | undefined;
  readonly hint?: string | undefined;
}

interface Shared {
  options: readonly ComboboxOption[];
  placeholder?: string | undefined;
  /** Enter takes the typed text. Otherwise Enter takes the first match. */
  creatable?: boolean | undefined;
  /** Called with the typed text, for options that a server searches. Then nothing is filtered here. */
  onQuery?: ((query: string) => void) | undefined;
  /** Called with the typed text, for further options. They are filtered here. */
  onType?: ((query: string) => void) | undefined;
  disabled?: boolean | undefined;
  mono?: boolean | undefined;
  className?: string | undefined;
  "aria-label"?: string | undefined;
  /** Shown when nothing fits. */
  empty?: string | undefined;
}

export interface ComboboxProps extends Shared {
  value: string | null;
  /** `null` when cleared. */
  onChange: (value: string | null) => void;
  clearable?: boolean | undefined;
  /** What the typed text means, with `creatable`: Enter takes the result. */
  complete?: ((text: string) => string) | undefined;
}

/** One of many, found by typing. */
export function Combobox({
  value,
  onChange,
  options,
  placeholder,
  creatable = false,
  onQuery,
  onType,
  disabled = false,
  mono = false,
  className,
  clearable = true,
  complete = (text) => text,
  empty,
  ...rest
}: ComboboxProps) {
  const { query, setQuery, take, takeTyped } = useTypedOption({ value, onChange, creatable });
  const chosen = value === null ? [] : [value];
  const typed = creatable && fitsAny(options, query) ? complete(query) : "";
  const list = useOptionList({ options, chosen, query, typed, creatable, empty, onQuery });
  const type = (next: string) => {
    setQuery(next);
    onQuery?.(next);
    onType?.(next);
  };
  return (
    <Base.Root<string>
      {...list.root}
      value={value}
      onValueChange={(next, details) => keptAtEscape(details) || take(next)}
      onInputValueChange={(next, details) => keptAtEscape(details) || type(next)}
      // Base UI also closes the list when an option is chosen, and `query` then still has the typed part of its name.
      onOpenChange={(open, { reason, event }) => {
        list.setOpen(open);
        if (!open && reason !== "item-press") takeTyped(isEnter(event) ? complete : undefined);
      }}
      disabled={disabled}
    >
      <Base.InputGroup className={cn("relative", className)}>
        <Base.Input
          {...rest}
          placeholder={placeholder}
          onKeyDown={({ key }) => {
            if (key !== "Enter" || list.isShown) return;
            list.setOpen(false); // Without the typed text, every option would fit.
            takeTyped(complete);
          }}
          onBlur={() => {
            if (list.isShown) return;
            list.setOpen(false);
            takeTyped();
          }}
          className={cn(controlStyle, "h-8 pr-7 max-sm:h-10", mono && "font-mono text-xs")}
        />
        {clearable && value !== null && !disabled && <Clear />}
      </Base.InputGroup>
      <Options items={list.items} mono={mono} empty={empty} isHidden={list.isHidden} />
    </Base.Root>
  );
}

function isEnter(event: Event): boolean {
  return event instanceof KeyboardEvent && event.key === "Enter";
}

function Clear() {
  return (
    <Base.Clear
      aria-label="Clear"
      className="absolute inset-y-0 right-1 my-auto flex size-6 items-center justify-center rounded text-faint hover:text-ink"
    >
      <X aria-hidden className="size-3.5" />
    </Base.Clear>
  );
}

interface ChipsProps extends Shared {
  value: readonly string[];
  onChange: (value: string[]) => void;
}

const CHIPS =
  "flex min-h-8 w-full max-sm:min-h-10 cursor-text flex-wrap items-center gap-1 rounded-md border border-edge/80 bg-raised px-1 py-0.5 focus-within:border-accent focus-within:outline-2 focus-within:outline-accent hover:border-muted data-disabled:bg-sunken";

/** Several values as chips. With `creatable`, Enter or a comma takes the typed text. */
export function Chips({
  value,
  onChange,
  options,
  placeholder,
  creatable = false,
  onQuery,
  onType,
  disabled = false,
  mono = false,
  className,
  empty,
  ...rest
}: ChipsProps) {
  const { query, type, add, onKeyDown, typing } = useTypedChips({
    value,
    onChange,
    creatable,
    onQuery: onQuery ?? onType,
  });
  const typed = creatable && !value.includes(query.trim()) ? query : "";
  const list = useOptionList({ options, chosen: [], query, typed, creatable, empty, onQuery });
  return (
    <Base.Root<string, true>
      multiple
      {...list.root}
      value={[...value]}
      onValueChange={(next, details) => {
        if (keptAtEscape(details)) return;
        type("");
        onChange(next);
      }}
      {...typing}
      onOpenChange={list.setOpen}
      disabled={disabled}
    >
      <Base.InputGroup className={cn(CHIPS, className)}>
        <Base.Chips className="flex max-h-48 min-w-0 flex-1 flex-wrap items-center gap-1 overflow-y-auto">
          {value.map((word) => (
            <Chip key={word} label={labelOf(options, word)} mono={mono} disabled={disabled} />
          ))}
          <Base.Input
            {...rest}
            placeholder={value.length === 0 ? placeholder : ""}
            onKeyDown={onKeyDown}
            onBlur={() => {
              if (!list.isShown) list.setOpen(false);
              if (creatable) add(query);
            }}
            className={cn("h-6 min-w-16 flex-1 bg-transparent px-1 text-sm outline-none", mono && "font-mono text-xs")}
          />
        </Base.Chips>
      </Base.InputGroup>
      <Options items={list.items} mono={mono} empty={empty} isHidden={list.isHidden} />
    </Base.Root>
  );
}

function Chip({ label, mono, disabled }: { label: string; mono: boolean; disabled: boolean }) {
  return (
    <Base.Chip
      data-chip
      aria-label={label}
      className="flex h-5.5 max-w-full items-center gap-0.5 rounded bg-hover pl-1.5 text-xs text-ink outline-none focus-within:bg-accent-soft data-highlighted:bg-accent-soft"
    >
      <span className={cn("truncate", mono && "font-mono text-xs")}>{label}</span>
      {!disabled && (
        <Base.ChipRemove
          aria-label={`Remove ${label}`}
          className="flex size-5 items-center justify-center rounded text-faint hover:text-ink"
        >
          <X aria-hidden className="size-3" />
        </Base.ChipRemove>
      )}
    </Base.Chip>
  );
}

/** The list of options below a text field. */
export function Options({
  items,
  mono,
  empty = "No matches",
  isHidden = false,
}: {
  items: readonly ComboboxOption[];
  mono: boolean;
  empty?: string | undefined;
  isHidden?: boolean;
}) {
  return (
    <Base.Portal>
      <Base.Positioner sideOffset={4} className="z-50 outline-none">
        <Base.Popup
          hidden={isHidden}
          className="popup w-(--anchor-width) max-w-(--available-width) min-w-48 [&[hidden]]:hidden"
        >
          <Base.Empty className="px-3 py-2 text-sm text-faint empty:hidden">{empty}</Base.Empty>
          <Base.List className="max-h-[min(18rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 empty:p-0">
            {(value: string) => {
              const option = items.find((item) => item.value === value);
              return (
                <Base.Item
                  key={value}
                  value={value}
                  className="grid cursor-default grid-cols-[1rem_1fr] items-center gap-1.5 rounded-md py-1 pr-2 pl-1 text-sm outline-none select-none data-highlighted:bg-hover"
                >
                  <Base.ItemIndicator className="col-start-1">
                    <Check aria-hidden className="size-3.5 text-accent" />
                  </Base.ItemIndicator>
                  <span className="col-start-2 flex min-w-0 flex-col">
                    <span className={cn("truncate", mono && "font-mono text-xs")}>{option?.label ?? value}</span>
                    {option?.hint !== undefined && (
                      <span className="truncate text-xs text-faint">
                        <VisibleText text={option.hint} />
                      </span>
                    )}
                  </span>
                </Base.Item>
              );
            }}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

/** Escape closes the list. Once it is closed, Base UI would empty the field: all chips gone by one key. */
export function keptAtEscape(details: { reason: string; cancel: () => void }): boolean {
  if (details.reason !== "escape-key") return false;
  details.cancel();
  return true;
}
