import { Plus, X } from "lucide-react";
import { toOptions } from "@/components/ui/forms/options";
import { item, within, type Bound } from "@/components/resource/editor/bind";
import { useList } from "@/components/resource/list/use-list";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { OptionalTextField } from "@/components/resource/fields/text-field";
import { useNamesWithStaged } from "@/components/resource/use-names";
import { Button, IconButton } from "@/components/ui/button";
import { Combobox, type ComboboxOption, type ComboboxProps } from "@/components/ui/forms/combobox";
import { ErrorText, Field } from "@/components/ui/forms/field";
import { useAddRow } from "@/components/ui/forms/use-add-row";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";
import type { Input } from "@/lib/resources";

type Selector = Input<"groups">["selectors"][number];

/** The selectors of a group. A tool must match every one of them, and every part that is stated. */
export function Selectors({ bound }: { bound: Bound<Selector[]> }) {
  const [list, addRow] = useAddRow<HTMLOListElement>();
  const add = () => addRow(() => bound.onChange([...bound.value, BLANK_SELECTOR]));
  return (
    <div className="flex flex-col gap-3" data-field={bound.path}>
      <ol ref={list} aria-label="Selectors" className="flex flex-col gap-3 empty:hidden">
        {bound.value.map((selector, index) => (
          <SelectorCard key={index} number={index + 1} bound={item(bound, index, selector)} />
        ))}
      </ol>
      <ErrorText text={bound.error} />
      {bound.value.length > 1 && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-xs text-pretty text-warn">
          A tool must match every selector (AND). To include tools that match only one of them, create a second group
          and grant both groups.
        </p>
      )}
      {!bound.readOnly && (
        <Button size="sm" className="w-fit" onClick={add}>
          <Plus aria-hidden /> {bound.value.length === 0 ? "Add selector" : "Add another selector (AND)"}
        </Button>
      )}
    </div>
  );
}

function SelectorCard({ number, bound }: { number: number; bound: Bound<Selector> & { remove: () => void } }) {
  return (
    <li aria-label={`Selector ${number}`} className="rounded-lg border border-line p-3">
      <div className="mb-2 flex items-center">
        <h3 className="text-xs font-medium text-muted">
          {number === 1 ? "Tools that match this selector" : "and also match this selector"}
        </h3>
        {!bound.readOnly && (
          <IconButton
            icon={X}
            label={`Remove selector ${number}`}
            onClick={bound.remove}
            className="-my-1 -mr-1 ml-auto"
          />
        )}
      </div>
      <SelectorFields bound={bound} />
      <ErrorText text={bound.error} />
    </li>
  );
}

const METHODS: readonly ComboboxOption[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map((value) => ({
  value,
}));

/** Tags and labels of the catalogue's first tools, as suggestions. */
function useTagsAndLabels() {
  const { rows } = useList("tools", { limit: 200 });
  const options = (words: readonly string[]) => [...new Set(words)].toSorted().map((value) => ({ value }));
  return { tags: options(rows.flatMap((tool) => tool.tags)), labels: options(rows.flatMap((tool) => tool.labels)) };
}

/** The fields of one selector. An empty field is not checked. */
export function SelectorFields({ bound }: { bound: Bound<Selector> }) {
  const { picker, isWhole } = useNamesWithStaged("sources");
  const { tags, labels } = useTagsAndLabels();
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-3">
      <PatternPicker
        {...within(bound, "source")}
        label="Source"
        hint="Enter takes the only name that begins so"
        completes={isWhole}
        {...picker}
      />
      <OptionalTextField
        {...within(bound, "name")}
        label="Operation"
        placeholder="any, such as get_* or regex:^list"
        mono
      />
      <OptionalTextField {...within(bound, "path")} label="Path" placeholder="any, such as /orders/*" mono />
      <PatternPicker {...within(bound, "method")} label="Method" options={METHODS} />
      <ChipsField {...within(bound, "requiredTags")} label="Has all tags" options={tags} />
      <ChipsField {...within(bound, "excludedTags")} label="Has none of the tags" options={tags} />
      <ChipsField {...within(bound, "requiredLabels")} label="Has all labels" options={labels} className="col-span-2" />
      <div className="col-span-2 grid grid-cols-3 gap-x-3">
        <TraitField bound={within(bound, "readOnly")} label="Read-only" hint="Its source says that it only reads" />
        <TraitField bound={within(bound, "hasSideEffects")} label="Side effects" hint="It changes something outside" />
        <TraitField
          bound={within(bound, "destructive")}
          label="Destructive"
          hint="It may delete or overwrite something"
        />
      </div>
    </div>
  );
}

/** The only known name that begins with the text. A pattern, a known name and any other text stay as they are. */
function completeName(text: string, options: readonly ComboboxOption[]): string {
  if (text === "" || /[*?]|^regex:/.test(text) || options.some(({ value }) => value === text)) return text;
  const found = options.filter(({ value }) => value.toLowerCase().startsWith(text.toLowerCase()));
  return found.length === 1 ? (found[0]?.value ?? text) : text;
}

/** A known name to pick, or a typed pattern. */
function PatternPicker({
  value,
  onChange,
  readOnly,
  options,
  onType,
  empty,
  completes = true,
  ...field
}: Bound<string | null> & { label: string; hint?: string; completes?: boolean } & Pick<
    ComboboxProps,
    "options" | "onType" | "empty"
  >) {
  return (
    <Field {...field}>
      <Combobox
        value={value === "" ? null : value}
        onChange={onChange}
        options={options}
        onType={onType}
        empty={empty}
        creatable
        complete={(text) => (completes ? completeName(text, options) : text)}
        disabled={readOnly}
        placeholder="any"
        mono
      />
    </Field>
  );
}

const TRAIT_OPTIONS = toOptions({ any: "Any", yes: "Yes", no: "No" });

function TraitField({ bound, ...words }: { bound: Bound<boolean | null>; label: string; hint: string }) {
  const { value, onChange, ...rest } = bound;
  return (
    <ChoiceField<"any" | "yes" | "no">
      {...rest}
      value={value === null ? "any" : value ? "yes" : "no"}
      onChange={(choice) => onChange(choice === "any" ? null : choice === "yes")}
      {...words}
      options={TRAIT_OPTIONS}
    />
  );
}
