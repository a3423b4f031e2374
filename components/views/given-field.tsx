import { useState } from "react";
import { ErrorText } from "@/components/ui/forms/field";
import { toOptions } from "@/components/ui/forms/options";
import { parseClaims, type ChangeDraft } from "@/components/preview/draft";
import { draftOfGiven, givenOfDraft, isPlain, type Given } from "@/components/preview/inputs/given";
import { Inputs } from "@/components/preview/inputs/inputs";
import type { Bound } from "@/components/resource/editor/bind";
import { same } from "@/components/resource/editor/changes";
import { JsonField } from "@/components/resource/fields/json-field";
import { Segmented } from "@/components/ui/forms/segmented";

const CLAIMS = "given.claims";

/** The request of an assertion, edited as the preview's inputs or as JSON. */
export function GivenField(bound: Bound<Given>) {
  const { path, value, readOnly, of } = bound;
  const plain = isPlain(value);
  const [face, setFace] = useState<"inputs" | "json">(plain ? "inputs" : "json");
  const shown = readOnly || !plain ? "json" : face;
  const problem = of.errorBelow(path);
  return (
    <div className="flex flex-col gap-3">
      {!readOnly && plain && (
        <Segmented
          label="Edit the request as"
          value={shown}
          onChange={setFace}
          // Text that does not parse must be corrected where it was typed.
          disabled={[path, CLAIMS].some((at) => of.error(at) !== undefined)}
          options={toOptions({ inputs: "Inputs", json: "JSON" })}
        />
      )}
      {shown === "json" ? (
        <JsonField
          {...bound}
          label="Request"
          rows={12}
          hint="claims, persona, group, state, machine, profile, capabilities, intent, confidence, labels"
        />
      ) : (
        <>
          <GivenInputs {...bound} />
          <ErrorText role="alert" text={problem} />
        </>
      )}
    </div>
  );
}

function GivenInputs({ value, onChange, of }: Bound<Given>) {
  const [typed, setTyped] = useState<string | null>(null);
  const [wanted, setWanted] = useState<"claims" | "persona">("claims");
  const read = typed === null ? null : parseClaims(typed);
  // The typed text stays while it matches the draft, or while it does not parse.
  const stands = read !== null && (read.ok ? same(read.claims, value.claims) : of.error(CLAIMS) !== undefined);
  const text = stands && typed !== null ? typed : JSON.stringify(value.claims, null, 2);
  // Selecting a persona takes two steps, and the first one has no name yet.
  const draft = draftOfGiven(value, value.persona === null ? wanted : "persona", text);
  const change: ChangeDraft = (part) => {
    const next = { ...draft, ...part };
    setWanted(next.caller.kind === "persona" ? "persona" : "claims");
    if (part.claimsText !== undefined) setTyped(part.claimsText);
    const claims = parseClaims(next.claimsText);
    of.block(CLAIMS, claims.ok ? null : claims.message);
    if (claims.ok) onChange(givenOfDraft(next, claims.claims as Given["claims"]));
  };
  return <Inputs draft={draft} change={change} resolved={undefined} asserted />;
}
