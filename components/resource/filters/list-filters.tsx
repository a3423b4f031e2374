"use client";

import { FilterChip, FilterChoice, NamesChoice } from "@/components/resource/filters/filter-chip";
import { MoreFilters } from "@/components/resource/filters/more-filters";
import { onlyTime, TimeChoice } from "@/components/resource/filters/time-choice";
import type { Chip, Filter } from "@/components/resource/view";

interface ListFiltersProps {
  filters: readonly Filter[];
  chips: readonly Chip[];
  /** It is narrowed by times too. */
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
      {live && <TimeChoice chosen={chosen} onChange={(time) => onChange(onlyTime(time))} />}
      {filters.map((filter) => {
        const { key, label } = filter;
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
      {chips.map(({ key, label }) => {
        const value = chosen[key];
        return (
          value !== undefined && (
            <FilterChip key={key} label={label} value={value} onRemove={() => onChange({ [key]: null })} />
          )
        );
      })}
    </>
  );
}
