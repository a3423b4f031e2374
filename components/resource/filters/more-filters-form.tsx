import { Popover } from "@base-ui/react/popover";
import { useRef, useState, type FormEvent, type RefObject } from "react";
import type { Chip } from "@/components/resource/view";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { useTypedNames, type Named } from "@/components/resource/use-names";
import { Combobox, type ComboboxProps } from "@/components/ui/forms/combobox";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";

interface MoreFiltersFormProps {
  chips: readonly Chip[];
  chosen: Readonly<Record<string, string>>;
  /** The button that opened the form: the form is placed at it and returns the focus to it. */
  anchor: RefObject<HTMLElement | null>;
  onApply: (next: Record<string, string | null>) => void;
  onClose: () => void;
}

/** One field for each filter. Enter applies them together; Escape changes nothing. */
export function MoreFiltersForm({ chips, chosen, anchor, onApply, onClose }: MoreFiltersFormProps) {
  const [texts, setTexts] = useState(chosen);
  // Enter in a picker submits before the picker has taken the typed text.
  const typed = useRef<Record<string, string>>({ ...chosen });
  const set = (key: string, text: string) => {
    typed.current[key] = text;
    setTexts((before) => ({ ...before, [key]: text }));
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    onApply(Object.fromEntries(chips.map(({ key }) => [key, typed.current[key]?.trim() || null])));
    onClose();
  };
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="start" sideOffset={4} className="z-50 outline-none">
          <Popover.Popup finalFocus={anchor} aria-label="More filters" className="popup w-80 p-4">
            <form onSubmit={apply} className="flex flex-col gap-3">
              {chips.map((chip) => (
                <Field
                  key={chip.key}
                  label={chip.label}
                  className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-2"
                >
                  <ChipInput
                    chip={chip}
                    value={texts[chip.key] ?? ""}
                    onChange={(text) => set(chip.key, text)}
                    onType={(text) => (typed.current[chip.key] = text)}
                  />
                </Field>
              ))}
              <div className="flex justify-end gap-2">
                <Button onClick={onClose}>Cancel</Button>
                <Button type="submit" variant="primary">
                  Apply
                </Button>
              </div>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface ChipInputProps {
  chip: Chip;
  value: string;
  onChange: (text: string) => void;
  /** Called with every key: the text of a picker is not its value yet. */
  onType: (text: string) => void;
}

/** The choice that sets no filter. */
const ANY = "any";

/** The value of one filter: selected from suggestions if there are any, else typed. */
function ChipInput({ chip, value, onChange, onType }: ChipInputProps) {
  if (chip.names === undefined && chip.options === undefined)
    return <Input mono value={value} placeholder={chip.example} onChange={(event) => onChange(event.target.value)} />;
  if (chip.isClosed && chip.options !== undefined)
    return (
      <Select
        value={value === "" ? ANY : value}
        onChange={(next) => onChange(next === ANY ? "" : next)}
        options={[{ value: ANY, label: "Any" }, ...chip.options]}
      />
    );
  return (
    <div onInput={(event) => event.target instanceof HTMLInputElement && onType(event.target.value)}>
      {chip.names === undefined ? (
        <Picker
          chip={chip}
          value={value}
          onChange={onChange}
          options={(chip.options ?? []).map(({ value: code, label }) => ({ value: code, hint: label }))}
        />
      ) : (
        <NamesPicker chip={chip} names={chip.names} value={value} onChange={onChange} />
      )}
    </div>
  );
}

type PickerProps = Omit<ChipInputProps, "onType">;

function NamesPicker({ names, ...rest }: PickerProps & { names: Named }) {
  return <Picker {...rest} {...useTypedNames(names).picker} />;
}

function Picker({ chip, value, onChange, options, onType }: PickerProps & Pick<ComboboxProps, "options" | "onType">) {
  return (
    <Combobox
      creatable
      value={value === "" ? null : value}
      onChange={(next) => onChange(next ?? "")}
      options={options}
      onType={onType}
      placeholder={chip.example}
    />
  );
}
