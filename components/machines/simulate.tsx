import { isObject } from "@/lib/access/model/json";
import { RotateCcw, Undo2 } from "lucide-react";
import { useState } from "react";
import { LazyMachineGraph } from "@/components/machines/lazy-machine-graph";
import { SimulatedTools } from "@/components/machines/simulated-tools";
import { StateName } from "@/components/machines/state-name";
import type { ActivityOf } from "@/components/machines/use-machine-activity";
import { useSettledMachine } from "@/components/machines/use-settled-machine";
import { heldAfter, useSimulation, type Step } from "@/components/machines/use-simulation";
import type { PreviewBody } from "@/components/preview/draft";
import { usePreview } from "@/components/preview/use-preview";
import { ProblemSummary } from "@/components/resource/problem-note";
import { problemsOf } from "@/components/resource/request";
import { useTypedNames, type TypedNames } from "@/components/resource/use-names";
import { Button } from "@/components/ui/button";
import { Chips, Combobox, type ComboboxOption } from "@/components/ui/forms/combobox";
import { Textarea } from "@/components/ui/forms/textarea";
import { useDebounced } from "@/components/resource/use-debounced";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/forms/field";
import { ToolId } from "@/components/ui/tool-id";
import type { Input, Row } from "@/lib/resources";
import type { Warning } from "@/lib/contracts/changes/row-plan";

interface SimulateProps {
  machine: Input<"machines">;
  /** As it is stored; null for a new one. */
  row: Row<"machines"> | null;
  activity: ActivityOf;
  warnings: readonly Warning[];
}

/** Simulates the edited machine as one caller: the available tools, and the state after each call. */
export function Simulate({ machine, row, activity, warnings }: SimulateProps) {
  const run = useSimulation(machine.initial);
  const caller = useCaller(row?.name ?? machine.name);
  const [stated, setStated] = useState<readonly string[]>([]);
  const labels = heldAfter(stated, run.trail);
  const { settled, problems: invalid } = useSettledMachine(machine);
  const state = run.trail.length === 0 ? null : run.state;
  const answer = usePreview(
    caller.simulated === null || invalid?.length !== 0
      ? null
      : { ...caller.simulated, draft: draftOf(settled, row), state, labels: [...labels] },
  );
  const problems = answer.error === null ? (invalid ?? []) : problemsOf(answer.error);
  return (
    <div className="flex flex-col gap-4">
      <div className="h-72 min-h-48 resize-y overflow-hidden rounded-lg border border-line">
        <LazyMachineGraph
          machine={machine}
          activity={activity}
          warnings={warnings}
          simulated={{ state: run.state, last: run.trail.at(-1) }}
        />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <section aria-label="Simulation" className="flex min-w-0 flex-col gap-4">
          <div className="flex flex-wrap items-start gap-3">
            <CallerFields caller={caller} />
            <LabelsField stated={stated} onChange={setStated} />
            <div className="flex flex-col gap-1">
              <span className="text-xs font-medium text-muted">State</span>
              <output aria-live="polite" className="flex h-8 items-center text-sm font-medium">
                <StateName name={run.state} machine={machine} />
              </output>
            </div>
            <div className="ml-auto flex gap-2 pt-5">
              <Button disabled={run.trail.length === 0} onClick={run.undo}>
                <Undo2 aria-hidden /> Undo
              </Button>
              <Button disabled={run.trail.length === 0} onClick={run.reset}>
                <RotateCcw aria-hidden /> Start over
              </Button>
            </div>
          </div>
          {caller.name === null && !caller.isLoading ? (
            <EmptyState title="Choose a caller">The simulation shows the tools of one caller in each state.</EmptyState>
          ) : problems.length > 0 ? (
            <ProblemSummary problems={problems} />
          ) : (
            <SimulatedTools preview={answer} state={run.state} labels={labels} machine={machine} onPress={run.press} />
          )}
        </section>
        <Trail start={run.start} trail={run.trail} stated={stated} machine={machine} />
      </div>
    </div>
  );
}

/** The labels that the caller holds before the first call. Only flow rules read them: without one, they change nothing. */
function LabelsField({ stated, onChange }: { stated: readonly string[]; onChange: (next: string[]) => void }) {
  const { picker } = useTypedNames("labels");
  const rules = useTypedNames("flows");
  if (picker.options.length === 0 || rules.first.length === 0) return null;
  return (
    <Field label="Held labels" hint="Flow rules restrict tools by them" className="w-72 max-sm:w-full">
      <Chips {...picker} value={[...stated]} onChange={onChange} placeholder="None" />
    </Field>
  );
}

interface TrailProps {
  start: string;
  trail: readonly Step[];
  /** The labels that were held before the first call. */
  stated: readonly string[];
  machine: Input<"machines">;
}

/** The simulated calls, with the state and the held labels after each. */
function Trail({ start, trail, stated, machine }: TrailProps) {
  return (
    <section aria-label="Trail" className="rounded-lg border border-line p-3">
      <h2 className="mb-2 text-xs font-medium text-muted">Trail</h2>
      <ol className="flex flex-col gap-2">
        <li>
          <StateName name={start} machine={machine} />
          <HeldLabels labels={heldAfter(stated, [])} />
        </li>
        {trail.map(({ tool, to }, index) => (
          <li key={index} className="flex flex-col gap-1">
            <span className="pl-4 text-muted">
              <ToolId id={tool} />
            </span>
            <StateName name={to} machine={machine} />
            <HeldLabels labels={heldAfter(stated, trail.slice(0, index + 1))} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function HeldLabels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return <p className="pl-4 text-xs text-pretty text-muted">holds {labels.join(", ")}</p>;
}

/** The caller that a person describes by its claims. */
const CLAIMS = "claims";

/** The chosen caller; an agent of the machine by default. */
function useCaller(machine: string) {
  const [chosen, choose] = useState<string | null>(null);
  const [text, setText] = useState('{ "sub": "sam" }');
  const [personas, agents] = [useTypedNames("personas"), useTypedNames("agents")];
  const isLoading = personas.isPending || agents.isPending;
  const name = chosen ?? (isLoading ? null : defaultCaller(machine, agents));
  const claims = useDebounced(parseClaims(text), 300);
  return {
    name,
    choose,
    isLoading,
    options: callersFor(machine, personas, agents, name),
    onType: (typed: string) => [personas, agents].forEach(({ picker }) => picker.onType(typed)),
    empty: personas.picker.empty ?? agents.picker.empty,
    text,
    setText,
    isReadable: claims !== null,
    simulated: callerOf(name, claims),
  };
}

function CallerFields({ caller }: { caller: ReturnType<typeof useCaller> }) {
  const { name, choose, isLoading, options, onType, empty, text, setText, isReadable } = caller;
  return (
    <>
      <Field label="Caller" className="w-72 max-sm:w-full">
        <Combobox
          value={name}
          onChange={choose}
          options={options}
          onType={onType}
          empty={empty}
          clearable={false}
          // Disabled until the callers are loaded, because the default would replace typed text.
          disabled={isLoading}
          placeholder={isLoading ? "Loading…" : "Choose a caller…"}
        />
      </Field>
      {name === CLAIMS && (
        <Field label="Claims" error={!isReadable ? "Enter a JSON object" : undefined} className="w-72 max-sm:w-full">
          <Textarea mono rows={2} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      )}
    </>
  );
}

/** The claims as JSON text; `null` for a text that is no JSON object. */
function parseClaims(text: string): string | null {
  try {
    const claims = JSON.parse(text) as unknown;
    return isObject(claims) ? JSON.stringify(claims) : null;
  } catch {
    return null;
  }
}

/** The first agent that has this machine; `null` = a person chooses. */
export function defaultCaller(machine: string, { first }: Pick<TypedNames, "first">): string | null {
  const agent = first.find((one) => one.machine === machine);
  return agent === undefined ? null : `agent:${agent.value}`;
}

type Picked = { readonly picker: Pick<TypedNames["picker"], "options"> };

/** The agents of this machine, personas, and the other agents that may run it. The chosen one may be of an earlier search. */
export function callersFor(
  machine: string,
  personas: Picked,
  agents: Picked,
  chosen: string | null,
): readonly ComboboxOption[] {
  const agentsWith = (assigned: string | null) =>
    agents.picker.options
      .filter((agent) => agent.machine === assigned)
      .map(({ value }) => ({ value: `agent:${value}`, label: value, hint: "agent" }));
  const options = [
    ...agentsWith(machine),
    ...personas.picker.options.map(({ value }) => ({ value: `persona:${value}`, label: value, hint: "persona" })),
    ...agentsWith(null),
    { value: CLAIMS, label: "Claims…", hint: "any caller, by its claims" },
  ];
  if (chosen === null || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: chosen.slice(chosen.indexOf(":") + 1), hint: undefined }];
}

function draftOf(input: Input<"machines">, row: Row<"machines"> | null): PreviewBody["draft"] {
  return { resource: "machines", ...(row !== null && { id: row.name }), input };
}

/** A chosen caller as a preview states it; `null` without one, or with claims that cannot be read. */
function callerOf(chosen: string | null, claims: string | null): PreviewBody | null {
  if (chosen === CLAIMS) return claims === null ? null : { claims: JSON.parse(claims) as PreviewBody["claims"] };
  if (chosen === null) return null;
  const name = chosen.slice(chosen.indexOf(":") + 1);
  return chosen.startsWith("agent:") ? { agent: name } : { persona: name };
}
