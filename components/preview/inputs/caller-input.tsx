import { toOptions } from "@/components/ui/forms/options";
import { ClaimsInput } from "@/components/preview/inputs/claims-input";
import {
  isNamed,
  toFreeDraft,
  type CallerChoice,
  type ChangeDraft,
  type PreviewDraft,
} from "@/components/preview/draft";
import { LoggedCall, ResolvedFacts } from "@/components/preview/results/logged-call";
import { useTypedNames } from "@/components/resource/use-names";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { Json } from "@/components/ui/json/json";
import { Select, type SelectOption } from "@/components/ui/forms/select";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

/** The inputs that the answer of a preview states. */
export interface Resolved extends Pick<PreviewOutput, "claims" | "request"> {
  /** Whether a person has changed the inputs since. */
  readonly isOutdated: boolean;
}

type Kind = CallerChoice["kind"];

const KINDS: readonly SelectOption<Kind>[] = toOptions({ claims: "Claims", persona: "A persona" });
const AN_AGENT: SelectOption<Kind> = { value: "agent", label: "A registered agent" };
const A_CALL: SelectOption<Kind> = { value: "execution", label: "A logged call" };

interface CallerInputProps {
  draft: PreviewDraft;
  change: ChangeDraft;
  /** The inputs of the last answer. */
  resolved: Resolved | undefined;
  /** Whether the caller is for an assertion, which can name only claims or a persona. */
  asserted: boolean;
}

/** The caller: free claims, a persona, a registered agent, or the inputs of a logged call. */
export function CallerInput({ draft, change, resolved, asserted }: CallerInputProps) {
  const { caller } = draft;
  const mayReadCalls = useCan("executions:bodies");
  const others = mayReadCalls || caller.kind === "execution" ? [AN_AGENT, A_CALL] : [AN_AGENT];
  const choose = (kind: Kind) => {
    // A person who switches to free claims starts with those of the persona, the agent or the call.
    // The last answer may be for another caller, whose claims they did not choose.
    if (kind === "claims") change(resolved?.isOutdated === false ? toVariation(draft, resolved) : { caller: { kind } });
    else change({ caller: kind === "execution" ? { kind, id: "" } : { kind, name: "" }, revision: null });
  };
  return (
    <>
      <Field label="Caller">
        <Select<Kind> value={caller.kind} onChange={choose} options={asserted ? KINDS : [...KINDS, ...others]} />
      </Field>
      {caller.kind === "claims" && (
        <ClaimsInput text={draft.claimsText} onChange={(claimsText) => change({ claimsText }, "type")} />
      )}
      {caller.kind === "persona" && <Named section="personas" label="Persona" caller={caller} change={change} />}
      {caller.kind === "agent" && <Named section="agents" label="Agent" caller={caller} change={change} />}
      {caller.kind === "execution" && <LoggedCall id={caller.id} change={change} />}
      {caller.kind !== "claims" && isNamed(draft) && resolved !== undefined && (
        <>
          <Json value={resolved.claims} label="claims" className="max-h-48 overflow-auto" />
          {caller.kind === "execution" && <ResolvedFacts request={resolved.request} />}
          <Button
            size="sm"
            variant="ghost"
            className="-ml-2 self-start"
            disabled={resolved.isOutdated}
            onClick={() => choose("claims")}
          >
            Change these inputs
          </Button>
        </>
      )}
    </>
  );
}

/** A draft with the inputs of an answer as free inputs, for the same revision. */
function toVariation({ revision }: PreviewDraft, resolved: Resolved): PreviewDraft {
  return { ...toFreeDraft(resolved), revision };
}

function Named({
  section,
  label,
  caller,
  change,
}: {
  section: "personas" | "agents";
  label: string;
  caller: { kind: "persona" | "agent"; name: string };
  change: ChangeDraft;
}) {
  const { picker } = useTypedNames(section);
  return (
    <Field label={label}>
      <Combobox
        {...picker}
        value={caller.name === "" ? null : caller.name}
        onChange={(name) => change({ caller: { kind: caller.kind, name: name ?? "" } })}
        placeholder={`Choose ${label === "Agent" ? "an agent" : "a persona"}…`}
        empty={picker.empty ?? `No ${label.toLowerCase()} yet.`}
      />
    </Field>
  );
}
