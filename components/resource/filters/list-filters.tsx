import { ListFilterPlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { FilterChip, FilterChoice, NamesChoice } from "@/components/resource/filters/filter-chip";
import { toTimeFilters, TimeChoice } from "@/components/resource/filters/time-choice";
import type { Chip, Filter } from "@/components/resource/view";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";

interface ListFiltersProps {
  filters: readonly Filter[];
  chips: readonly Chip[];
  /** Whether the list has time filters. */
  live: boolean;
  /** The values that are set, by key. */
  chosen: Readonly<Record<string, string>>;
  /** Called with values by key; `null` = no filter. */
  onChange: (next: Readonly<Record<string, string | null>>) => void;
}

/** The filters of a list besides its text box: menus, and a chip for each other value. */
export function ListFilters({ filters, chips, live, chosen, onChange }: ListFiltersProps) {
  return (
    <>
      {live && <TimeChoice chosen={chosen} onChange={(time) => onChange(toTimeFilters(time))} />}
      {filters.map((filter) => {
        const { key, label, byTabs } = filter;
        if (byTabs === true) return null;
        const choice = {
          label,
          value: chosen[key] ?? null,
          onChange: (value: string | null) => onChange({ [key]: value }),
        };
        return "names" in filter ? (
          <NamesChoice key={key} {...choice} names={filter.names} />
        ) : (
          <FilterChoice key={key} {...choice} options={filter.options} />
        );
      })}
      {chips.length > 0 && <MoreFilters chips={chips} chosen={chosen} onApply={onChange} />}
      {chips.map((chip) => {
        const { key, label } = chip;
        const value = chosen[key];
        return (
          value !== undefined && (
            <FilterChip
              key={key}
              label={label}
              value={shownValue(chip, value)}
              onRemove={() => onChange({ [key]: null })}
            />
          )
        );
      })}
    </>
  );
}

function shownValue({ isClosed, options }: Chip, value: string): string {
  return (isClosed && options?.find((option) => option.value === value)?.label) || value;
}

const load = () => import("@/components/resource/filters/more-filters-form");
const Form = lazyPart(async () => (await load()).MoreFiltersForm);

interface MoreFiltersProps {
  chips: readonly Chip[];
  /** The present values by key. */
  chosen: Readonly<Record<string, string>>;
  /** Called with all of them; `null` = not set. */
  onApply: (next: Record<string, string | null>) => void;
}

/** The free-text filters in one form. Set ones appear next to it as chips. */
function MoreFilters({ chips, chosen, onApply }: MoreFiltersProps) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  // Loaded before the menu opens, because people type at once.
  useEffect(() => void load(), []);
  return (
    <>
      <Button
        ref={trigger}
        variant="ghost"
        className="px-2"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <ListFilterPlus aria-hidden />
        More filters
      </Button>
      {open && <Form chips={chips} chosen={chosen} anchor={trigger} onApply={onApply} onClose={() => setOpen(false)} />}
    </>
  );
}
