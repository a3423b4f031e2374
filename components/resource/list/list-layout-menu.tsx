import { SlidersHorizontal } from "lucide-react";
import { toOptions } from "@/components/ui/forms/options";
import { shownColumns, type ListLayout } from "@/components/resource/list/use-list-layout";
import type { Column } from "@/components/resource/view";
import { IconButton } from "@/components/ui/button";
import { Menu, MenuCheckbox, MenuGroup, MenuItem, MenuRadio, MenuSeparator } from "@/components/ui/overlays/menu";

interface ListLayoutMenuProps<T> {
  columns: readonly Column<T>[];
  layout: ListLayout;
  onChange: (layout: ListLayout) => void;
}

/** The menu for the columns and the row density of a list. */
export function ListLayoutMenu<T>({ columns, layout, onChange }: ListLayoutMenuProps<T>) {
  const shown = new Set(shownColumns(columns, layout).map(({ id }) => id));
  const show = (id: string, on: boolean) => {
    const next = columns.filter((column) => (column.id === id ? on : shown.has(column.id)));
    const isDefault = columns.every((column) => next.includes(column) === (column.aside !== true));
    onChange({ ...layout, columns: isDefault ? [] : next.map((column) => column.id) });
  };
  return (
    <Menu trigger={<IconButton icon={SlidersHorizontal} label="Columns and density" title="Columns and density" />}>
      <MenuGroup label="Columns">
        {columns.map(({ id, header }, index) => (
          <MenuCheckbox key={id} checked={shown.has(id)} disabled={index === 0} onChange={(on) => show(id, on)}>
            {header}
          </MenuCheckbox>
        ))}
      </MenuGroup>
      <MenuItem disabled={layout.columns.length === 0} onSelect={() => onChange({ ...layout, columns: [] })}>
        <span className="pl-5.5">Default columns</span>
      </MenuItem>
      <MenuSeparator />
      <MenuGroup label="Density">
        <MenuRadio
          label="Density"
          value={layout.density}
          onChange={(density: ListLayout["density"]) => onChange({ ...layout, density })}
          options={toOptions({ regular: "Regular", compact: "Compact" })}
        />
      </MenuGroup>
    </Menu>
  );
}
