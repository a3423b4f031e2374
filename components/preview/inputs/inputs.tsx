import { useEffect, useRef, type ReactNode } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { STATE_FROM_SESSION } from "@/components/machines/state-words";
import { CallerInput, type Resolved } from "@/components/preview/inputs/caller-input";
import type { ChangeDraft, GroupChoice, PreviewDraft } from "@/components/preview/draft";
import { RevisionInput } from "@/components/preview/inputs/revision-input";
import { RoutingInput } from "@/components/preview/inputs/routing-input";
import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { useTypedNames } from "@/components/resource/use-names";
import { Chips, Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { Switch } from "@/components/ui/forms/switch";
import { profileNames } from "@/lib/access/compile/profiles";
import type { Row } from "@/lib/resources";

interface InputsProps {
  draft: PreviewDraft;
  change: ChangeDraft;
  /** The inputs of the last answer. */
  resolved: Resolved | undefined;
  /** False when the comparison is between rules. */
  rules?: boolean;
  /** The inputs become an assertion, which allows no registered or logged caller and no disabled tools. */
  asserted?: boolean;
}

/** The caller, its groups and state, and below "More" everything that few previews need. */
export function Inputs({ draft, change, resolved, rules = true, asserted = false }: InputsProps) {
  const isFree = draft.caller.kind !== "execution";
  return (
    <form aria-label="Inputs" className="flex flex-col gap-3" onSubmit={(event) => event.preventDefault()}>
      <CallerInput draft={draft} change={change} resolved={resolved} asserted={asserted} />
      {isFree && (
        <>
          <hr className="border-line" />
          <GroupInput choice={draft.group} onChange={(group) => change({ group })} />
          <MachineInput draft={draft} change={change} />
        </>
      )}
      {(isFree || (rules && !asserted)) && (
        <More isUsed={isMoreUsed(draft)}>
          {isFree && <RequestInputs draft={draft} change={change} asserted={asserted} />}
          {rules && !asserted && (
            <RevisionInput label="Rules" value={draft.revision} onChange={(revision) => change({ revision })} />
          )}
          {isFree && !asserted && (
            <Switch
              label="Include disabled"
              hint="Also shows disabled, quarantined and paused tools, marked as not callable"
              checked={draft.includeDisabled}
              onChange={(includeDisabled) => change({ includeDisabled })}
            />
          )}
        </More>
      )}
    </form>
  );
}

/** Whether a field below "More" has a value. */
function isMoreUsed({ profile, capabilities, intent, labels, includeDisabled, revision }: PreviewDraft): boolean {
  const stated = [profile, capabilities, intent, revision].some((value) => value !== null);
  return stated || labels.length > 0 || includeDisabled;
}

/** Opens when a field in it gets a value, such as from a link. A person may close it again. */
function More({ isUsed, children }: { isUsed: boolean; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isUsed && details.current !== null) details.current.open = true;
  }, [isUsed]);
  return (
    <details ref={details} className="border-t border-line pt-3">
      <summary className="w-fit rounded text-sm text-muted hover:text-ink">More</summary>
      <div className="mt-3 flex flex-col gap-3">{children}</div>
    </details>
  );
}

/** The parts of a request that most callers leave out. */
function RequestInputs({ draft, change, asserted }: Required<Pick<InputsProps, "draft" | "change" | "asserted">>) {
  return (
    <>
      <Field label="Profile">
        <Combobox
          value={draft.profile}
          onChange={(profile) => change({ profile })}
          options={profileNames.map((value) => ({ value }))}
          placeholder="The caller’s"
        />
      </Field>
      <CapabilitiesInput draft={draft} change={change} />
      <RoutingInput draft={draft} change={change} escalates={!asserted} />
      <LabelsInput draft={draft} change={change} />
    </>
  );
}

/** The labels that the caller holds. Without a label in the configuration there is nothing to choose. */
function LabelsInput({ draft, change }: Pick<InputsProps, "draft" | "change">) {
  const { picker } = useTypedNames("labels");
  if (picker.options.length === 0 && draft.labels.length === 0) return null;
  return (
    <Field
      label="Held labels"
      hint="What the caller has read. If you select none, an agent’s preview uses the labels that it holds now"
    >
      <Chips {...picker} value={[...draft.labels]} onChange={(next) => change({ labels: next })} placeholder="None" />
    </Field>
  );
}

const GROUP_KINDS = [
  { value: "all", label: "All granted", hint: "The caller requests all granted groups" },
  { value: "default", label: "Default request", hint: "The groups of a session that requests none" },
  { value: "chosen", label: "Selected", hint: "Only these groups. Without a group, the caller gets no tools" },
] as const;

function GroupInput({ choice, onChange }: { choice: GroupChoice; onChange: (choice: GroupChoice) => void }) {
  const { picker } = useTypedNames("groups");
  return (
    <>
      <Field label="Requested groups" hint="A caller can ask for some of its groups. Most ask for all">
        <Select<GroupChoice["kind"]>
          value={choice.kind}
          onChange={(kind) => onChange(kind === "chosen" ? { kind, names: [] } : { kind })}
          options={GROUP_KINDS}
        />
      </Field>
      {choice.kind === "chosen" && (
        <Field
          label="Groups"
          hint={choice.names.length === 0 ? "No group is selected. The caller requests no tools" : undefined}
        >
          <Chips
            {...picker}
            value={choice.names}
            onChange={(next) => onChange({ kind: "chosen", names: next })}
            options={[{ value: "default" }, ...picker.options]}
            placeholder="Choose groups…"
            creatable
          />
        </Field>
      )}
    </>
  );
}

/** The state machine and its state. The names come from a search, so the states come from the row itself. */
export function MachineInput({ draft, change }: Pick<InputsProps, "draft" | "change">) {
  const { picker } = useTypedNames("machines");
  const name = draft.machine ?? "";
  const { data: machine } = useGet<Row<"machines">>(["machines", "row", name], adminPath("machines", name), {
    enabled: name !== "",
    refetchOnWindowFocus: false,
  });
  return (
    <div className="grid grid-cols-2 gap-2">
      <Field label="State machine">
        <Combobox
          {...picker}
          value={draft.machine}
          onChange={(next) => change({ machine: next, state: "" })}
          placeholder="The caller’s"
        />
      </Field>
      <Field label="State" hint={draft.machine === null ? undefined : STATE_FROM_SESSION}>
        <Combobox
          value={draft.state === "" ? null : draft.state}
          onChange={(state) => change({ state: state ?? "" })}
          options={(machine?.states ?? []).map((state) => ({ value: state.name }))}
          placeholder={machine?.initial ?? "Initial"}
          creatable
        />
      </Field>
    </div>
  );
}

function CapabilitiesInput({ draft, change }: Pick<InputsProps, "draft" | "change">) {
  const stated = draft.capabilities !== null;
  return (
    <>
      <Field label="Capabilities">
        <Select
          value={stated ? "stated" : "caller"}
          onChange={(kind) => change({ capabilities: kind === "stated" ? [] : null })}
          options={toOptions({ caller: "The caller’s own", stated: "Set here" })}
        />
      </Field>
      {stated && (
        <Field
          label="Granted capabilities"
          hint="`files.*` covers all capabilities below files. An empty field grants no capability"
        >
          <Chips
            mono
            creatable
            value={draft.capabilities ?? []}
            onChange={(capabilities) => change({ capabilities })}
            options={[]}
            placeholder="files.read"
          />
        </Field>
      )}
    </>
  );
}
