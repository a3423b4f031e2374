"use client";

import { SlidersHorizontal } from "lucide-react";
import { shownColumns, type Look } from "@/components/resource/list/use-look";
import type { Column } from "@/components/resource/view";
import { Button } from "@/components/ui/button";
import { Menu, MenuCheckbox, MenuGroup, MenuItem, MenuRadio, MenuSeparator } from "@/components/ui/menu";

interface LookMenuProps<T> {
  columns: readonly Column<T>[];
  look: Look;
  onChange: (look: Look) => void;
}

/** The menu for the columns and the row density of a list. */
export function LookMenu<T>({ columns, look, onChange }: LookMenuProps<T>) {
  const shown = new Set(shownColumns(columns, look).map(({ id }) => id));
  const show = (id: string, on: boolean) => {
    const next = columns.filter((column) => (column.id === id ? on : shown.has(column.id)));
    const usual = columns.every((column) => next.includes(column) === (column.aside !== true));
    onChange({ ...look, columns: usual ? [] : next.map((column) => column.id) });
  };
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label="Columns and density" title="Columns and density">
          <SlidersHorizontal aria-hidden />
        </Button>
      }
    >
      <MenuGroup label="Columns">
        {columns.map(({ id, header }, index) => (
          <MenuCheckbox key={id} checked={shown.has(id)} disabled={index === 0} onChange={(on) => show(id, on)}>
            {header}
          </MenuCheckbox>
        ))}
      </MenuGroup>
      <MenuItem disabled={look.columns.length === 0} onSelect={() => onChange({ ...look, columns: [] })}>
        <span className="pl-5">Usual columns</span>
      </MenuItem>
      <MenuSeparator />
      <MenuGroup label="Density">
        <MenuRadio
          label="Density"
          value={look.density}
          onChange={(density: Look["density"]) => onChange({ ...look, density })}
          options={[
            { value: "regular", label: "Regular" },
            { value: "compact", label: "Compact" },
          ]}
        />
      </MenuGroup>
    </Menu>
  );
}
