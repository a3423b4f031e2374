import type { Bound } from "@/components/resource/editor/bind";
import { Chips } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { SuggestInput } from "@/components/ui/forms/suggest-input";
import { useTypedText } from "@/components/ui/forms/use-typed-text";
import { useClaimValues } from "@/components/views/rules/claim-paths";
import type { ValueKind } from "@/lib/access/matching/operator-spec";
import type { PolicyInput } from "@/lib/resources/policy";

type Value = PolicyInput["matchers"][number]["value"];

const PLACEHOLDER: Record<ValueKind, string> = {
  none: "",
  scalar: "value",
  list: "Type and press Enter",
  number_or_time: "100, or 2026-01-31T00:00:00Z",
  duration: "PT1H, P30D",
  pattern: "[a-z]+@example\\.com$",
  glob: "team-*",
  version: "1.4.0",
  cidr: "10.0.0.0/8",
};

/** Kinds of values that are compared with whole claims, so that seen claims are worth offering. */
const SUGGESTED: ReadonlySet<ValueKind> = new Set(["scalar", "list"]);

interface MatcherValueProps {
  kind: ValueKind;
  bound: Bound<Value>;
  /** The claim path whose values are suggested; `null` for arguments. */
  claim: string | null;
}

/** The control for a matcher's value: chips for a list, nothing where the operator takes none. */
export function MatcherValue({ kind, bound, claim }: MatcherValueProps) {
  const values = useClaimValues(SUGGESTED.has(kind) ? claim : null);
  const [text, type] = useMatcherText(kind, bound);
  if (kind === "none") return <span />;
  return (
    <Field label="Value" hideLabel error={bound.of.errorBelow(bound.path)} path={bound.path}>
      {kind === "list" ? (
        <Chips
          value={toList(bound.value)}
          onChange={bound.onChange}
          options={values.map((value) => ({ value }))}
          creatable
          disabled={bound.readOnly}
          placeholder={PLACEHOLDER.list}
          mono
        />
      ) : (
        <SuggestInput
          mono
          value={text}
          onChange={type}
          suggestions={values}
          placeholder={PLACEHOLDER[kind]}
          disabled={bound.readOnly}
        />
      )}
    </Field>
  );
}

/** The text of a matcher's value, and what a person's typing does: "1." stays on its way to 1.5. */
export function useMatcherText(kind: ValueKind, { value, onChange }: Pick<Bound<Value>, "value" | "onChange">) {
  const [text, keep] = useTypedText(toText(value));
  const type = (next: string) => {
    const meant = fromText(next, kind);
    keep(next, toText(meant));
    onChange(meant);
  };
  return [text, type] as const;
}

/** Converts a value for an operator of another kind, as far as possible. */
export function carryOver(value: Value, to: ValueKind): Value {
  if (to === "none") return null;
  if (to === "list") return toList(value);
  return fromText(Array.isArray(value) ? toText(value[0] ?? "") : toText(value), to);
}

function toText(value: Value): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A stored list, or comma-separated text, which `in` and `not_in` accept too. */
function toList(value: Value): string[] {
  if (Array.isArray(value)) return value.map(toText);
  return toText(value)
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Numbers are kept as numbers where the operator compares numbers; elsewhere text is text. */
function fromText(text: string, kind: ValueKind): Value {
  if (kind !== "number_or_time") return text;
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}
