"use client";

import { Plus, X } from "lucide-react";
import { item, within, type Bound } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { OptionalTextField } from "@/components/resource/fields/text-field";
import { Button } from "@/components/ui/button";
import { useAddRow } from "@/components/ui/forms/use-add-row";
import type { Input } from "@/lib/resources";

type Selector = Input<"groups">["selectors"][number];

/** A selector that checks nothing yet. */
export const BLANK_SELECTOR: Selector = {
  source: null,
  name: null,
  path: null,
  method: null,
  requiredTags: [],
  excludedTags: [],
  requiredLabels: [],
};

/** The selectors of a group. A tool must match every one of them, and every part that is stated. */
export function Selectors({ bound }: { bound: Bound<Selector[]> }) {
  const [list, addRow] = useAddRow<HTMLOListElement>();
  const add = () => addRow(() => bound.onChange([...bound.value, BLANK_SELECTOR]));
  return (
    <div className="flex flex-col gap-3" data-field={bound.path}>
      <ol ref={list} aria-label="Selectors" className="flex flex-col gap-3">
        {bound.value.map((selector, index) => (
          <SelectorCard key={index} number={index + 1} bound={item(bound, index, selector)} />
        ))}
      </ol>
      {bound.error !== undefined && <p className="text-xs text-deny">{bound.error}</p>}
      {!bound.readOnly && (
        <Button size="sm" className="w-fit" onClick={add}>
          <Plus aria-hidden /> Add selector
        </Button>
      )}
    </div>
  );
}

function SelectorCard({ number, bound }: { number: number; bound: Bound<Selector> & { remove: () => void } }) {
  return (
    <li aria-label={`Selector ${number}`} className="rounded-lg border border-line p-3">
      <div className="mb-2 flex items-center">
        <h3 className="text-xs font-medium text-muted">{number === 1 ? "Tools where" : "and where"}</h3>
        {!bound.readOnly && (
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Remove selector ${number}`}
            onClick={bound.remove}
            className="-my-1 -mr-1 ml-auto"
          >
            <X aria-hidden />
          </Button>
        )}
      </div>
      <SelectorFields bound={bound} />
    </li>
  );
}

/** The fields of one selector. An empty field is not checked. */
export function SelectorFields({ bound }: { bound: Bound<Selector> }) {
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-3">
      <OptionalTextField {...within(bound, "source")} label="Source" placeholder="any" mono />
      <OptionalTextField
        {...within(bound, "name")}
        label="Operation"
        placeholder="any, such as get_* or regex:^list"
        mono
      />
      <OptionalTextField {...within(bound, "path")} label="Path" placeholder="any, such as /orders/*" mono />
      <OptionalTextField {...within(bound, "method")} label="Method" placeholder="any" mono />
      <ChipsField {...within(bound, "requiredTags")} label="Has all tags" />
      <ChipsField {...within(bound, "excludedTags")} label="Has none of the tags" />
      <ChipsField {...within(bound, "requiredLabels")} label="Has all labels" className="col-span-2" />
    </div>
  );
}

/** A selector as a sentence. */
export function selectorInWords(selector: Selector): string {
  const patterns = (["source", "name", "path", "method"] as const).flatMap((part) =>
    selector[part] === null || selector[part] === "" ? [] : [`${part} ${selector[part]}`],
  );
  const lists = [
    selector.requiredTags.length > 0 ? worded("tag", selector.requiredTags) : null,
    selector.excludedTags.length > 0 ? `without ${worded("tag", selector.excludedTags)}` : null,
    selector.requiredLabels.length > 0 ? worded("label", selector.requiredLabels) : null,
  ].filter((text) => text !== null);
  const parts = [...patterns, ...lists];
  return parts.length === 0 ? "any tool" : `tools with ${parts.join(" and ")}`;
}

/** `tag read`, `tags read, write`. */
function worded(one: string, values: readonly string[]): string {
  return `${one}${values.length === 1 ? "" : "s"} ${values.join(", ")}`;
}
