import { Plus, X } from "lucide-react";
import { item, within, type Bound } from "@/components/resource/editor/bind";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Combobox } from "@/components/ui/forms/combobox";
import { ErrorText, Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { useAddRow } from "@/components/ui/forms/use-add-row";
import type { ClaimPathOption } from "@/components/views/rules/claim-paths";
import { carryOver, MatcherValue } from "@/components/views/rules/matcher-value";
import {
  operatorHint,
  operatorLabel,
  OPERATORS,
  operatorSentence,
  type OperatorName,
} from "@/lib/access/model/matcher";
import { OPERATOR_MENU } from "@/lib/access/matching/operator-spec";
import { operatorTable } from "@/lib/access/matching/operators";
import { countText } from "@/components/impact/count-text";
import type { MatcherCounts } from "@/lib/contracts/decisions/impact";
import type { PolicyInput } from "@/lib/resources/policy";

type Matcher = PolicyInput["matchers"][number];

const OPERATOR_OPTIONS = Object.entries(OPERATOR_MENU).flatMap(([menu, group]) =>
  OPERATORS.filter((name) => operatorTable[name].menu === menu).map((value) => ({
    value,
    label: operatorLabel(value),
    hint: operatorHint(value),
    group,
  })),
);
const BLANK: Matcher = { claim: "", operator: "equals", value: "", ignoreCase: false };
const TEXTUAL = new Set(["scalar", "list", "glob", "pattern"]);

interface MatchersProps {
  bound: Bound<Matcher[]>;
  /** "Claim" or "Argument": the object that the paths refer to. */
  what: string;
  paths: readonly ClaimPathOption[];
  pathPlaceholder: string;
  addLabel: string;
  /** How many recent callers each condition holds for, and all of them together. */
  counts?: MatcherCounts | undefined;
  /** Whether a negative condition holds for a caller without the claim, as in a deny policy. */
  holdsWithoutClaim?: boolean | undefined;
}

/** Conditions as sentences, one per row. All of them must hold. */
export function Matchers({ bound, what, paths, pathPlaceholder, addLabel, counts, holdsWithoutClaim }: MatchersProps) {
  const [list, addRow] = useAddRow<HTMLUListElement>();
  const add = () => addRow(() => bound.onChange([...bound.value, BLANK]));
  return (
    <div className="@container flex flex-col gap-2" data-field={bound.path}>
      {bound.value.length > 0 && (
        <ul ref={list} aria-label={`${what} conditions`} className="flex flex-col gap-4 @2xl:gap-2">
          {bound.value.map((matcher, index) => (
            <MatcherRow
              key={index}
              index={index}
              bound={item(bound, index, matcher)}
              what={what}
              paths={paths}
              placeholder={pathPlaceholder}
              count={counts === undefined ? null : countOf(counts, index)}
              holdsWithoutClaim={holdsWithoutClaim}
            />
          ))}
        </ul>
      )}
      {counts !== undefined && counts.callers > 0 && bound.value.length > 0 && (
        <p className="text-right text-xs text-muted tabular-nums">
          {bound.value.length > 1 ? "All hold" : "Holds"} for {countText(counts.all, counts.coarse)} of {counts.callers}{" "}
          recent callers{counts.all === 0 && "; an agent counts after its first call"}
        </p>
      )}
      <ErrorText text={bound.error} />
      {!bound.readOnly && (
        <Button size="sm" className="w-fit" onClick={add}>
          <Plus aria-hidden /> {addLabel}
        </Button>
      )}
    </div>
  );
}

/** The count of a condition. None for an incomplete or new condition, and none before the first caller. */
function countOf({ callers, coarse, matching }: MatcherCounts, index: number): Count | null {
  const count = matching[index] ?? null;
  return count === null || callers === 0 ? null : { count: countText(count, coarse), callers };
}

interface Count {
  readonly count: string;
  readonly callers: number;
}

interface MatcherRowProps {
  index: number;
  bound: Bound<Matcher> & { remove: () => void };
  what: string;
  paths: readonly ClaimPathOption[];
  placeholder: string;
  count: Count | null;
  holdsWithoutClaim: boolean | undefined;
}

function MatcherRow({ index, bound, what, paths, placeholder, count, holdsWithoutClaim }: MatcherRowProps) {
  const { value: matcher, onChange, readOnly } = bound;
  const claim = within(bound, "claim");
  const { value: kind, negative } = operatorTable[matcher.operator];
  const change = (operator: OperatorName) =>
    onChange({ ...matcher, operator, value: carryOver(matcher.value, operatorTable[operator].value) });
  return (
    <li
      aria-label={`Condition ${index + 1}`}
      className="grid grid-cols-[2.25rem_minmax(0,1fr)_5rem] items-start gap-2 @md:grid-cols-[2.25rem_minmax(11.5rem,1fr)_10.5rem_4.5rem] @2xl:grid-cols-[2.25rem_minmax(11.5rem,1.3fr)_9.5rem_minmax(7rem,1.4fr)_4rem_2rem]"
    >
      <span className="text-right text-xs leading-8 text-faint max-sm:leading-10">{index === 0 ? "where" : "and"}</span>
      <Field label={`${what} path`} hideLabel error={claim.error} path={claim.path}>
        <Combobox
          value={matcher.claim === "" ? null : matcher.claim}
          onChange={(path) => {
            const isList = paths.some(({ value, isList: list }) => list === true && value === path);
            const isNew = matcher.operator === BLANK.operator && matcher.value === BLANK.value;
            onChange({ ...matcher, claim: path ?? "", ...(isList && isNew && { operator: "contains" }) });
          }}
          options={paths}
          creatable
          clearable={false}
          placeholder={placeholder}
          disabled={readOnly}
          mono
        />
      </Field>
      <Select
        aria-label="Operator"
        value={matcher.operator}
        onChange={change}
        options={OPERATOR_OPTIONS}
        disabled={readOnly}
        className="@max-md:col-span-2 @max-md:col-start-2 @max-md:row-start-2"
      />
      <div className="col-span-2 col-start-2 row-start-3 flex min-w-0 flex-col gap-1.5 @md:row-start-2 @2xl:col-span-1 @2xl:col-start-4 @2xl:row-start-1">
        <MatcherValue
          key={kind}
          kind={kind}
          bound={within(bound, "value")}
          claim={what === "Claim" ? matcher.claim : null}
        />
        {TEXTUAL.has(kind) && <IgnoreCase bound={within(bound, "ignoreCase")} />}
      </div>
      <RecentCallers count={count} />
      <RemoveButton index={index} bound={bound} />
      {matcher.operator === "text_contains" && !readOnly && <InsideWords onCorrect={() => change("contains")} />}
      {holdsWithoutClaim !== undefined && negative && kind !== "none" && (
        <p className="col-span-full col-start-2 text-xs text-muted">
          {holdsWithoutClaim ? "Also matches callers without this claim" : "Callers without this claim do not match"}
        </p>
      )}
    </li>
  );
}

function RecentCallers({ count }: { count: Count | null }) {
  return (
    <span
      title="Recent callers that match this condition"
      className="col-start-3 row-start-4 text-right text-xs leading-8 whitespace-nowrap text-muted tabular-nums @md:col-start-4 @md:row-start-2 @2xl:col-start-5 @2xl:row-start-1"
    >
      {count !== null && (
        <>
          {count.count} of {count.callers}
          <span className="sr-only"> recent callers</span>
        </>
      )}
    </span>
  );
}

function IgnoreCase({ bound: { value, onChange, readOnly } }: { bound: Bound<boolean> }) {
  return <Checkbox label="Ignore case" checked={value} onChange={onChange} disabled={readOnly} className="w-fit" />;
}

function RemoveButton({ index, bound: { readOnly, remove } }: Pick<MatcherRowProps, "index" | "bound">) {
  return (
    <span className="col-start-3 row-start-1 flex justify-end @md:col-start-4 @2xl:col-start-6">
      {!readOnly && <IconButton icon={X} label={`Remove condition ${index + 1}`} onClick={remove} className="mt-0.5" />}
    </span>
  );
}

function InsideWords({ onCorrect }: { onCorrect: () => void }) {
  return (
    <p className="col-span-full col-start-2 text-xs text-warn">
      Also matches inside longer words: superadmin contains the text admin.{" "}
      <button type="button" onClick={onCorrect} className="rounded underline underline-offset-2 hover:text-ink">
        Use contains instead
      </button>
    </p>
  );
}

/** A condition as a sentence: `realm_access.roles contains staff`. */
export function matcherInWords({ claim, operator, value }: Matcher): string {
  const spec = operatorTable[operator];
  const operand =
    spec.value === "none"
      ? ""
      : ` ${Array.isArray(value) ? value.join(", ") : typeof value === "string" && value !== "" ? value : JSON.stringify(value)}`;
  return `${claim} ${operatorSentence(operator)}${operand}`;
}
