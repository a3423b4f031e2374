import { Plus } from "lucide-react";
import { useState } from "react";
import { fromOf } from "@/components/machines/graph-model";
import { RowActions } from "@/components/machines/row-actions";
import { Transitions } from "@/components/machines/transitions";
import type { ActivityOf } from "@/components/machines/use-machine-activity";
import { bind, item, within, type Bound } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { StatedListField } from "@/components/resource/fields/stated-list-field";
import { Button } from "@/components/ui/button";
import { ErrorText } from "@/components/ui/forms/field";
import { Headers, Table, Td } from "@/components/ui/table";
import { useAddRow } from "@/components/ui/forms/use-add-row";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";
import { selectorInWords } from "@/components/views/rules/selector-words";
import { SelectorFields } from "@/components/views/rules/selectors";
import { ToolPicker } from "@/components/views/tools/tool-picker";
import type { Input } from "@/lib/resources";

type Machine = Input<"machines">;
type Rule = Machine["rules"][number];

const AVAILABLE = {
  unstated: { label: "Every state", means: "In every state of the machine" },
  none: { label: "Never", means: "In no state" },
  these: { label: "These", means: "In these states only" },
} as const;

interface RulesTableProps {
  draft: Draft<Machine>;
  /** Calls of the last 24 hours that took a rule's transition. */
  callsBy: ActivityOf["callsBy"];
}

/**
 * The rules of a machine, one per row: tools, the states in which they are available, and the state after a successful
 * call.
 */
export function RulesTable({ draft, callsBy }: RulesTableProps) {
  const rules = bind(draft, "rules");
  const states = [...new Set(draft.value.states.map(({ name }) => name))].filter((name) => name !== "");
  const add = (rule: Pick<Rule, "tool" | "selector">) =>
    rules.onChange([...rules.value, { ...rule, availableIn: null, transitions: [] }]);
  const [rows, addRow] = useAddRow<HTMLTableSectionElement>();
  const addSelector = () => addRow(() => add({ tool: null, selector: BLANK_SELECTOR }));
  return (
    <div className="flex flex-col gap-3" data-field="rules">
      {rules.value.length > 0 && (
        <Table label="Rules" stacks>
          <Headers
            of={["Tools", "Available in", "After a successful call", { hidden: "Order and removal" }]}
            className="px-2"
          />
          <tbody ref={rows}>
            {rules.value.map((rule, index) => (
              <RuleRow key={index} rules={rules} index={index} rule={rule} states={states} callsBy={callsBy} />
            ))}
          </tbody>
        </Table>
      )}
      <ErrorText text={rules.error} />
      {!draft.readOnly && (
        <div className="flex flex-wrap items-center gap-2">
          <div className="w-80 max-w-full">
            <ToolPicker
              label="Add a rule for a tool"
              onPick={(tool) => add({ tool, selector: null })}
              disabled={draft.readOnly}
            />
          </div>
          <Button onClick={addSelector}>
            <Plus aria-hidden /> Add a rule for a selector
          </Button>
        </div>
      )}
    </div>
  );
}

interface RuleRowProps {
  rules: Bound<Rule[]>;
  index: number;
  rule: Rule;
  states: readonly string[];
  callsBy: ActivityOf["callsBy"];
}

function RuleRow({ rules, index, rule, states, callsBy }: RuleRowProps) {
  const at = item(rules, index, rule);
  const label = `rule ${index + 1}`;
  return (
    <tr aria-label={label}>
      <Td data-label="Tools" className="min-w-60 px-2 align-top">
        <Tools bound={at} label={label} />
      </Td>
      <Td data-label="Available in" className="min-w-64 px-2 align-top">
        <StatedListField
          {...within(at, "availableIn")}
          label={`Available in, ${label}`}
          hideLabel
          options={states.map((value) => ({ value }))}
          modes={AVAILABLE}
          strict
          mono
        />
      </Td>
      <Td data-label="After a successful call" className="min-w-80 px-2 align-top">
        <Transitions
          bound={within(at, "transitions")}
          states={states}
          label={label}
          from={fromOf(rule)}
          callsBy={(transition) => callsBy(rule, transition)}
        />
      </Td>
      <Td className="px-1 align-top">
        <RowActions list={rules} index={index} label={label} />
      </Td>
    </tr>
  );
}

/** The tool of a rule, or its selector in words, which opens for editing. */
function Tools({ bound, label }: { bound: Bound<Rule>; label: string }) {
  const { tool, selector } = bound.value;
  // Decided once, because typing must not close a new selector.
  const [blank] = useState(selector !== null && selectorInWords(selector) === "any tool");
  const error = bound.of.error(`${bound.path}.tool`);
  return (
    <div className="flex min-w-0 flex-col gap-1" data-field={`${bound.path}.tool`}>
      {tool !== null && <span className="py-2 font-mono text-xs break-all">{tool}</span>}
      {selector !== null && (
        <details open={blank}>
          <summary className="w-fit cursor-pointer rounded-sm py-1.5 text-sm">
            {selectorInWords(selector)}
            <span className="sr-only">: edit the selector of {label}</span>
          </summary>
          <div className="py-2 sm:min-w-72">
            <SelectorFields bound={within(bound, "selector") as Bound<NonNullable<Rule["selector"]>>} />
          </div>
        </details>
      )}
      <ErrorText text={error} />
    </div>
  );
}
