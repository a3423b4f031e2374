import { ArrowRight, Plus, X } from "lucide-react";
import { item, within, type Bound } from "@/components/resource/editor/bind";
import { Button, IconButton } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import type { Input } from "@/lib/resources";

type Transition = Input<"machines">["rules"][number]["transitions"][number];

const ANY = { value: "*", label: "any state" };

interface TransitionsProps {
  bound: Bound<Transition[]>;
  states: readonly string[];
  /** The rule that has the transitions: "rule 2". */
  label: string;
  /** The state from which a new transition leads. */
  from: string;
  /** The number of calls in the last 24 hours that took a transition. */
  callsBy: (transition: Transition) => number;
}

/** The transitions, one per line. A transition from an exact state takes precedence over one from any state. */
export function Transitions({ bound, states, label, from, callsBy }: TransitionsProps) {
  const named = states.map((value) => ({ value, label: value }));
  return (
    <div className="flex flex-col gap-1.5" data-field={bound.path}>
      {bound.value.length === 0 && <span className="py-1.5 text-sm text-faint">No transition</span>}
      {bound.value.map((transition, index) => {
        const at = item(bound, index, transition);
        const name = `transition ${index + 1} of ${label}`;
        const calls = callsBy(transition);
        return (
          <div key={index} className="flex items-start gap-1.5">
            <StateChoice bound={within(at, "from")} label={`From, ${name}`} options={[ANY, ...named]} />
            <ArrowRight aria-label="to" className="mt-2.5 size-3.5 max-sm:mt-3.5 shrink-0 text-faint" />
            <StateChoice bound={within(at, "to")} label={`To, ${name}`} options={named} />
            {calls > 0 && (
              <span className="py-2 text-xs whitespace-nowrap text-muted tabular-nums">
                {calls.toLocaleString("en")} in 24 h
              </span>
            )}
            {!bound.readOnly && <IconButton icon={X} label={`Remove ${name}`} className="mt-0.5" onClick={at.remove} />}
          </div>
        );
      })}
      {!bound.readOnly && (
        <Button
          size="sm"
          variant="ghost"
          className="-ml-2.25 w-fit"
          disabled={states.length === 0}
          onClick={() =>
            bound.onChange([...bound.value, { from, to: states.findLast((name) => name !== from) ?? from }])
          }
        >
          <Plus aria-hidden /> Add transition<span className="sr-only"> to {label}</span>
        </Button>
      )}
    </div>
  );
}

interface StateChoiceProps {
  bound: Bound<string>;
  label: string;
  options: readonly { value: string; label: string }[];
}

function StateChoice({ bound, label, options }: StateChoiceProps) {
  const known = options.some(({ value }) => value === bound.value);
  return (
    <Field label={label} hideLabel error={bound.error} path={bound.path} className="w-36 max-sm:w-auto max-sm:flex-1">
      <Select
        value={bound.value}
        onChange={bound.onChange}
        // A deleted state stays visible until the person selects another.
        options={known ? options : [...options, { value: bound.value, label: bound.value }]}
        disabled={bound.readOnly}
        className="font-mono text-xs"
      />
    </Field>
  );
}
