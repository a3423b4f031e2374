import { X } from "lucide-react";
import { useTypedNames, type Named } from "@/components/resource/use-names";
import { IconButton } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Select, type SelectOption } from "@/components/ui/forms/select";
import { lazyPart } from "@/components/ui/lazy-part";

const TypedNames = lazyPart(async () => (await import("@/components/resource/filters/typed-names")).TypedNames);

const chipStyle = "flex h-8 items-center rounded-md max-sm:h-10 bg-accent-soft pr-0.5 text-accent";

interface FilterChoiceProps {
  label: string;
  options: readonly SelectOption[];
  value: string | null;
  onChange: (value: string | null) => void;
}

/** A filter: a menu while it is not set, then a chip that can be changed or removed. */
export function FilterChoice({ label, options, value, onChange }: FilterChoiceProps) {
  const on = value !== null;
  // The URL may contain a value that is no option. The chip shows it, so that the person can remove it.
  const all = !on || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
  return (
    <div className={cn(on && chipStyle)}>
      <Select
        aria-label={label}
        placeholder={label}
        prefix={on ? <span>{label}:</span> : undefined}
        value={value}
        onChange={onChange}
        options={all}
        className={cn("h-8 w-auto max-sm:h-10 max-w-72 gap-1 pr-1.5 pl-2.5", on && "border-transparent bg-transparent")}
      />
      {on && <Remove label={label} onRemove={() => onChange(null)} />}
    </div>
  );
}

/** A filter with the names of a resource as options. Where a menu would not hold all of them, a person types the name. */
export function NamesChoice({ names, ...rest }: Omit<FilterChoiceProps, "options"> & { names: Named }) {
  const { picker, hasMore } = useTypedNames(names);
  if (!hasMore)
    return <FilterChoice {...rest} options={picker.options.map(({ value }) => ({ value, label: value }))} />;
  const { label, value, onChange } = rest;
  return (
    <span className={cn("flex items-center", value !== null && `${chipStyle} pl-2.5 text-sm`)}>
      <TypedNames {...picker} label={label} value={value} onChange={onChange} />
    </span>
  );
}

interface FilterChipProps {
  label: string;
  value: string;
  /** Absent: the filter can only be removed. */
  onEdit?: () => void;
  onRemove: () => void;
}

/** A filter that is set, with the button that removes it. */
export function FilterChip({ label, value, onEdit, onRemove }: FilterChipProps) {
  const text = `${label}: ${value}`;
  return (
    <span className={cn(chipStyle, "pl-2.5 text-sm")}>
      {onEdit === undefined ? (
        <span className="max-w-60 truncate">{text}</span>
      ) : (
        <button type="button" onClick={onEdit} className="max-w-60 truncate rounded">
          {text}
        </button>
      )}
      <Remove label={label} onRemove={onRemove} />
    </span>
  );
}

function Remove({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <IconButton
      icon={X}
      label={`Clear ${label}`}
      onClick={onRemove}
      className="text-accent hover:not-disabled:text-accent"
    />
  );
}
