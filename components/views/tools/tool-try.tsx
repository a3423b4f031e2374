import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { useCallers, Why } from "@/components/preview/inputs/who-sees";
import { StatusBadge } from "@/components/executions/status-badge";
import { adminPath, Problem, request } from "@/components/resource/request";
import { useRemembered } from "@/components/resource/remembered";
import { Section } from "@/components/resource/section";
import { useTypedNames } from "@/components/resource/use-names";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { Combobox } from "@/components/ui/forms/combobox";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { Field } from "@/components/ui/forms/field";
import { Json } from "@/components/ui/json/json";
import { Kbd } from "@/components/ui/kbd";
import { Segmented } from "@/components/ui/forms/segmented";
import { TextLink } from "@/components/ui/text-link";
import { WithCode } from "@/components/ui/json/with-code";
import { argumentProblems, unchangedProblems } from "@/components/views/tools/tool-argument-problems";
import { ToolArguments } from "@/components/views/tools/tool-arguments";
import type { Json as JsonValue } from "@/lib/access/model/configuration";
import type { Row } from "@/lib/resources";
import type { CallersOutput, CallerVisibility } from "@/lib/contracts/decisions/callers";
import type { TryOutput } from "@/lib/contracts/log/try";

const AS = toOptions({ agent: "An agent", persona: "A persona" });

type Kind = (typeof AS)[number]["value"];

interface Trial {
  readonly as: Kind;
  readonly name: string;
  readonly args: JsonValue;
}

/** The caller of the last trial, which the next one starts with. */
interface Caller {
  readonly as: Kind;
  readonly name: string | null;
}

function readCaller(stored: unknown): Caller {
  const { as, name } = (stored ?? {}) as { as?: unknown; name?: unknown };
  return { as: as === "persona" ? "persona" : "agent", name: typeof name === "string" ? name : null };
}

/** Calls the saved tool as a chosen caller: a real call through every check of the pipeline. */
export function ToolTry({ row }: { row: Row<"tools"> }) {
  const mayWrite = useCan("configuration:write");
  if (!mayWrite)
    return (
      <EmptyState title="You cannot call tools">
        Only editors and administrators can try a tool, because a trial is a real call.
      </EmptyState>
    );
  return <TryForm row={row} />;
}

function TryForm({ row }: { row: Row<"tools"> }) {
  const { trial, names, callers, isLoading, choose, setArgs, block, call, ready, submit, form } = useTrial(row);
  return (
    <div className="flex flex-col gap-6">
      <Section
        title="Try it"
        description="Calls the saved tool with the rights of the selected caller. The call is real and has effects. The log records it with your name."
      >
        <form
          ref={form}
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            submit(event.currentTarget);
          }}
        >
          <CallAs trial={trial} names={names} isLoading={isLoading} onChange={choose} error={call.error} />
          <NoSession trial={trial} names={names} />
          {call.data?.error?.code !== NOT_AVAILABLE && <Hidden tool={row.id} trial={trial} callers={callers} />}
          <ToolArguments
            schema={row.inputSchema}
            value={trial.args}
            onChange={setArgs}
            problems={unchangedProblems(argumentProblems(call.data?.error), call.variables?.args ?? null, trial.args)}
            block={block}
          />
          <div className="flex items-center gap-2">
            <Button type="submit" variant="primary" pending={call.isPending} disabled={!ready}>
              Call tool
            </Button>
            <Kbd>Ctrl Enter</Kbd>
          </div>
          {call.isError && <ErrorNote text={call.error.message} />}
        </form>
      </Section>
      {/* There before the answer is, so that it is read out. */}
      <div aria-live="polite">
        {call.data !== undefined && (
          <Result answer={call.data}>
            {call.data.error?.code === NOT_AVAILABLE && (
              <Hidden tool={row.id} trial={call.variables} callers={callers} />
            )}
          </Result>
        )}
      </div>
    </div>
  );
}

type Names = ReturnType<typeof useTypedNames>;
type Callers = CallersOutput | undefined;

const NOT_AVAILABLE = "tool_not_available";

const sees = ({ standing }: CallerVisibility) => standing === "yes" || standing === "partly";

/** Says why the tool is hidden from the chosen caller, and leads to the preview, which offers a grant. */
function Hidden({ tool, trial: { as, name }, callers }: { tool: string; trial: Trial; callers: Callers }) {
  const same = callers?.callers.filter(({ kind }) => kind === as) ?? [];
  const caller = same.find((one) => one.name === name);
  if (caller === undefined || sees(caller)) return null;
  return (
    <p className="text-sm text-warn">
      {callers?.more === false && !same.some(sees) && `No ${as} sees this tool. `}
      <code className="font-mono text-[0.94em]">{name}</code> does not see it:{" "}
      <Why about={{ kind: "tool", name: tool }} caller={caller} isLinked target="_blank" />
    </p>
  );
}

/** Says that the server refuses a trial as the chosen agent. */
function NoSession({ trial: { name }, names: { picker } }: { trial: Trial; names: Names }) {
  const isRefused = picker.options.some((one) => one.value === name && one.needsSession === true);
  return (
    isRefused && (
      <p className="text-sm text-warn">
        <code className="font-mono text-[0.94em]">{name}</code> calls in a session, and a trial has none. Select an
        agent without a state machine, or a persona.
      </p>
    )
  );
}

interface CallAsProps {
  trial: Trial;
  names: Names;
  /** Disables the caller's field, because the default would replace typed text. */
  isLoading: boolean;
  onChange: (caller: Caller) => void;
  error: Error | null;
}

/** Who calls the tool: an agent, or a persona. */
function CallAs({ trial, names, isLoading, onChange, error }: CallAsProps) {
  const { as, name } = trial;
  const problems = error instanceof Problem ? error.errors : [];
  return (
    <>
      <Segmented label="Call as" value={as} onChange={(next) => onChange({ as: next, name: null })} options={AS} />
      <Field
        label={as === "agent" ? "Agent" : "Persona"}
        className="max-w-64"
        error={problems.find(({ path }) => path === as)?.message}
      >
        <Combobox
          {...names.picker}
          value={name === "" ? null : name}
          onChange={(next) => onChange({ as, name: next ?? "" })}
          disabled={isLoading}
          placeholder={isLoading ? "Loading…" : "Select…"}
        />
      </Field>
    </>
  );
}

/** A trial: who calls with which arguments, and the call. Ctrl-Enter sends it from any field of the form. */
function useTrial(row: Row<"tools">) {
  const [last, setLast] = useRemembered("trial-caller", readCaller);
  const [chosen, choose] = useState<Caller | null>(null);
  const caller = chosen ?? { ...last, name: null };
  const [args, setArgs] = useState<JsonValue>({});
  const agents = useTypedNames("agents");
  const personas = useTypedNames("personas");
  const names = caller.as === "agent" ? agents : personas;
  const { data: callers, isPending } = useCallers({ kind: "tool", name: row.id });
  const isLoading = caller.name === null && (names.isPending || isPending);
  const trial: Trial = { as: caller.as, name: isLoading ? "" : startFrom(caller, last.name, names, callers), args };
  // By field: two may be wrong at once.
  const [blocks, setBlocks] = useState<Readonly<Record<string, string | null>>>({});
  const block = (id: string, problem: string | null) =>
    setBlocks((before) => ((before[id] ?? null) === problem ? before : { ...before, [id]: problem }));
  const call = useMutation({
    mutationFn: (sent: Trial) => {
      setLast({ as: sent.as, name: sent.name });
      choose({ as: sent.as, name: sent.name });
      return request<TryOutput>(adminPath("tools", row.id, "try"), {
        method: "POST",
        body: { [sent.as]: sent.name, arguments: sent.args },
      });
    },
  });
  const ready = trial.name !== "" && Object.values(blocks).every((problem) => problem === null);
  const submit = (own: HTMLFormElement) => {
    if (!submitAfterBlur(own) && ready && !call.isPending) call.mutate(trial);
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const own = form.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      own?.requestSubmit();
    };
    own?.addEventListener("keydown", onKey);
    return () => own?.removeEventListener("keydown", onKey);
  }, []);
  return { trial, names, callers, isLoading, choose, setArgs, block, call, ready, submit, form };
}

/**
 * Whether the form is submitted again, after its focused field was left. The name of an additional argument applies only
 * then, and the call must not be sent without it.
 */
function submitAfterBlur(form: HTMLFormElement): boolean {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || field instanceof HTMLButtonElement || !form.contains(field)) return false;
  field.blur();
  setTimeout(() => {
    form.requestSubmit();
    // A renamed argument has another field.
    (field.isConnected ? field : form.querySelector<HTMLElement>("[type=submit]"))?.focus();
  });
  return true;
}

/**
 * The chosen caller. If nobody is chosen, or if the chosen one was deleted, an enabled one: rather one that sees the tool,
 * then one whose calls need no session, then the caller of the last trial.
 */
function startFrom(
  { as, name }: Caller,
  last: string | null,
  { picker: { options }, isWhole }: Names,
  callers: Callers,
): string {
  // Of more names than the options, only the server knows the others.
  const mayExist = name === "" || !isWhole || options.some(({ value }) => value === name);
  if (name !== null && mayExist) return name;
  const seeing = new Set(callers?.callers.filter((one) => one.kind === as && sees(one)).map((one) => one.name));
  const rank = ({ value, needsSession }: (typeof options)[number]) =>
    (seeing.has(value) ? 4 : 0) + (needsSession === true ? 0 : 2) + (value === last ? 1 : 0);
  const enabled = options.filter((option) => option.enabled);
  return enabled.toSorted((left, right) => rank(right) - rank(left))[0]?.value ?? "";
}

function Result({ answer, children }: { answer: TryOutput; children: ReactNode }) {
  const { status, error, output, printed } = answer;
  return (
    <Section title="Result" description="The answer that the caller would get.">
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <StatusBadge status={status} />
        {error !== undefined && <code className="font-mono text-xs text-ink">{error.code}</code>}
        <span>{Math.round(answer.duration_ms)} ms</span>
        <TextLink href={`/admin/executions/${answer.call_id}`} className="ml-auto">
          Show in log
        </TextLink>
      </p>
      {error !== undefined && <WithCode as="p" className="text-sm break-words text-deny" text={error.message} />}
      {children}
      {error?.details !== undefined && <Json value={error.details} label="details" />}
      {output !== undefined && <Json value={output} label="output" />}
      {printed.length > 0 && (
        <div className="flex flex-col gap-1">
          <h3 className="text-xs font-medium text-muted">Console output (only you see it)</h3>
          <ol
            aria-label="Console output"
            className="max-h-64 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-5"
          >
            {printed.map(({ level, text }, index) => (
              <li key={index} className="break-words whitespace-pre-wrap">
                <span className={level === "error" ? "text-deny" : level === "warn" ? "text-warn" : "text-faint"}>
                  {level}
                </span>{" "}
                {text}
              </li>
            ))}
          </ol>
        </div>
      )}
    </Section>
  );
}
