import { Plus, X } from "lucide-react";
import { item, within, type Bound } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { OptionalTextField } from "@/components/resource/fields/text-field";
import { Button, IconButton } from "@/components/ui/button";
import { ErrorText } from "@/components/ui/forms/field";
import { toOptions } from "@/components/ui/forms/options";
import { useAddRow } from "@/components/ui/forms/use-add-row";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";
import { selectorInWords } from "@/components/views/rules/selector-words";
import { SelectorFields } from "@/components/views/rules/selectors";
import type { Input } from "@/lib/resources";

type Restriction = Input<"flows">["restrict"][number];
type Kind = keyof Restriction;

const KIND_OPTIONS = toOptions<Kind>({
  is: "Tools of a class",
  tool: "One tool",
  selector: "Tools that match a selector",
});

const BLANK: Readonly<Record<Kind, Restriction>> = {
  is: { is: "", tool: null, selector: null },
  tool: { is: null, tool: "", selector: null },
  selector: { is: null, tool: null, selector: BLANK_SELECTOR },
};

/** The tools that a flow rule restricts: those that match any of these. */
export function Restrictions({ bound }: { bound: Bound<Restriction[]> }) {
  const [list, addRow] = useAddRow<HTMLOListElement>();
  return (
    <div className="flex flex-col gap-3" data-field={bound.path}>
      <ol ref={list} aria-label="Restrictions" className="flex flex-col gap-3">
        {bound.value.map((restriction, index) => (
          <RestrictionCard key={index} number={index + 1} bound={item(bound, index, restriction)} />
        ))}
      </ol>
      <ErrorText text={bound.error} />
      {!bound.readOnly && (
        <Button size="sm" className="w-fit" onClick={() => addRow(() => bound.onChange([...bound.value, BLANK.is]))}>
          <Plus aria-hidden /> Add restriction
        </Button>
      )}
    </div>
  );
}

function RestrictionCard({ number, bound }: { number: number; bound: Bound<Restriction> & { remove: () => void } }) {
  const kind = kindOf(bound.value);
  const { selector } = bound.value;
  return (
    <li aria-label={`Restriction ${number}`} className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <div className="flex items-end gap-2">
        <ChoiceField<Kind>
          {...bound}
          value={kind}
          onChange={(next) => bound.onChange(BLANK[next])}
          label="Restrict"
          options={KIND_OPTIONS}
          className="flex-1"
        />
        {!bound.readOnly && <IconButton icon={X} label={`Remove restriction ${number}`} onClick={bound.remove} />}
      </div>
      {kind === "is" && <OptionalTextField {...within(bound, "is")} label="Class" placeholder="such as outward" mono />}
      {kind === "tool" && (
        <OptionalTextField {...within(bound, "tool")} label="Tool" placeholder="source:operation" mono />
      )}
      {selector !== null && (
        <SelectorFields bound={{ ...within(bound, "selector"), value: selector } as Bound<typeof selector>} />
      )}
    </li>
  );
}

function kindOf({ tool, selector }: Restriction): Kind {
  if (selector !== null) return "selector";
  return tool === null ? "is" : "tool";
}

/** A restriction in a few words: "class outward". */
export function restrictionInWords({ is, tool, selector }: Restriction): string {
  if (is !== null) return `class ${is}`;
  return tool ?? (selector === null ? "no tool" : selectorInWords(selector));
}
