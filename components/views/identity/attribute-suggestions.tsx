import type { Bound } from "@/components/resource/editor/bind";
import { useGet } from "@/components/resource/use-get";
import { Button } from "@/components/ui/button";
import type { Page } from "@/lib/contracts/changes/list";
import type { Row } from "@/lib/resources";

/** Most suggestions: an installation can have hundreds of conditions. */
const MAX_SHOWN = 8;

type Attribute = Row<"agents">["attributes"][string];

interface Suggestion {
  readonly claim: string;
  readonly value: string;
  /** The policy looks for the value in a list. */
  readonly inList: boolean;
}

/** The attributes that granting policies compare with one value, or look for in a list. A button adds each to the agent. */
export function AttributeSuggestions({ attributes }: { attributes: Bound<Row<"agents">["attributes"]> }) {
  const { data } = useGet<Page<Row<"policies">>>(["policies", "conditions"], "/api/admin/policies?limit=500");
  const { value: present, onChange, readOnly } = attributes;
  const missing = suggestionsIn(data?.items ?? []).filter(
    ({ claim, value }) => !listOf(present[claim]).includes(value),
  );
  if (readOnly || missing.length === 0) return null;
  return (
    <div role="group" aria-label="Attributes that policies read" className="flex flex-wrap items-center gap-1">
      <span className="mr-1 text-xs text-faint">Policies read</span>
      {missing.slice(0, MAX_SHOWN).map(({ claim, value, inList }) => (
        <Button
          key={`${claim} ${value}`}
          size="sm"
          aria-label={`Add ${claim}: ${value}`}
          className="font-mono text-xs"
          onClick={() => {
            const isList = inList || Array.isArray(present[claim]);
            onChange({ ...present, [claim]: isList ? [...listOf(present[claim]), value] : value });
          }}
        >
          {claim}: {value}
        </Button>
      ))}
    </div>
  );
}

/** Claims that name the caller: authentication sets them, whatever the attributes say. */
const IDENTITY: ReadonlySet<string> = new Set(["iss", "sub"]);

/** Claims by a plain name only: an attribute at a deeper path is not one button's change. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/;

/** The entries of a list; another value is a list of one, as operators read it. */
function listOf(attribute: Attribute | undefined): Attribute[] {
  return Array.isArray(attribute) ? attribute : attribute === undefined ? [] : [attribute];
}

/** Distinct, in the order of the policies. */
function suggestionsIn(policies: readonly Row<"policies">[]): readonly Suggestion[] {
  const found = new Map<string, Suggestion>();
  const granting = policies.filter(({ effect }) => effect !== "deny");
  for (const { claim, operator, value } of granting.flatMap(({ matchers }) => matchers))
    if (
      (operator === "equals" || operator === "contains") &&
      typeof value === "string" &&
      PLAIN_NAME.test(claim) &&
      !IDENTITY.has(claim)
    )
      found.set(JSON.stringify([claim, value]), { claim, value, inList: operator === "contains" });
  return [...found.values()];
}
