import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { Route } from "next";
import type { ReactElement, ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import { NewTabMark } from "@/components/ui/text-link";

const itemStyle =
  "flex cursor-default items-center gap-2 rounded-md px-2 py-1 text-sm max-sm:min-h-10 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-3.5 [&_svg]:text-faint";

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "center" | "end" | undefined;
  defaultOpen?: boolean | undefined;
}

/** A menu of `MenuItem`, `MenuLink`, `MenuRadio`, `MenuCheckbox`, `MenuGroup` and `MenuSeparator`. */
export function Menu({ trigger, children, align = "end", defaultOpen = false }: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50 outline-none">
          <Base.Popup className="popup max-h-(--available-height) min-w-44 overflow-y-auto p-1">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** An item that runs an action. */
export function MenuItem({
  onSelect,
  danger = false,
  disabled = false,
  children,
}: {
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}) {
  return (
    <Base.Item onClick={onSelect} disabled={disabled} className={cn(itemStyle, danger && "text-deny")}>
      {children}
    </Base.Item>
  );
}

interface MenuLinkProps {
  href: string;
  /** Called when the link is followed. */
  onSelect?: (() => void) | undefined;
  newTab?: boolean;
  children: ReactNode;
}

/** An item that opens a page. */
export function MenuLink({ href, onSelect, newTab = false, children }: MenuLinkProps) {
  const target = newTab ? "_blank" : undefined;
  return (
    <Base.Item render={<Link href={href as Route} target={target} />} onClick={onSelect} className={itemStyle}>
      {children}
      {newTab && <NewTabMark />}
    </Base.Item>
  );
}

interface MenuRadioProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: ReactNode }[];
}

/** A choice of one of a few options. */
export function MenuRadio<V extends string>({ label, value, onChange, options }: MenuRadioProps<V>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as V)} aria-label={label}>
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          closeOnClick
          className={cn(itemStyle, "pl-7.5 data-checked:pl-2")}
        >
          <Base.RadioItemIndicator>
            <Check aria-hidden />
          </Base.RadioItemIndicator>
          {option.label}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

interface MenuCheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean | undefined;
  children: ReactNode;
}

/** An item that is on or off. The menu stays open, so that a person can switch several. */
export function MenuCheckbox({ checked, onChange, disabled = false, children }: MenuCheckboxProps) {
  return (
    <Base.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      className={cn(itemStyle, "pl-7.5 data-checked:pl-2")}
    >
      <Base.CheckboxItemIndicator>
        <Check aria-hidden />
      </Base.CheckboxItemIndicator>
      {children}
    </Base.CheckboxItem>
  );
}

/** A group of items with a heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1 pb-0.5 text-xs font-medium text-faint">{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}

/** A line between groups of items. */
export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
