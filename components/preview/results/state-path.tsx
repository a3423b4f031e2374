import { ArrowRight } from "lucide-react";
import { RuleLink } from "@/components/preview/results/rule-link";
import { TextLink } from "@/components/ui/text-link";
import { ToolId } from "@/components/ui/tool-id";
import { UNDEFINED_STATE } from "@/lib/access/model/configuration";
import type { ExplanationOutput } from "@/lib/contracts/decisions/preview";

type Path = NonNullable<ExplanationOutput["statePath"]>;

interface StatePathProps {
  path: Path;
  /** The caller's state machine; `null` = the built-in one, which has no page. */
  machine: string | null;
}

/** How a run gets to a state that allows the tool, for a tool that the state hides. */
export function StatePath({ path: { from, calls, needsSession }, machine }: StatePathProps) {
  const [only, ...others] = calls;
  const last = calls.at(-1);
  return (
    <section
      aria-label="Way to an allowed state"
      className="flex flex-col gap-1.5 rounded-md border border-line bg-panel px-3 py-2.5 text-sm"
    >
      {only === undefined || last === undefined ? (
        <p>
          No call leads from <State name={from} /> to a state that allows this tool.
        </p>
      ) : calls.some(({ hidden }) => hidden) ? (
        <>
          <p>
            No call of this caller leads from <State name={from} /> to a state that allows this tool. The shortest way
            to <State name={last.to} /> uses tools that are hidden from this caller:
          </p>
          <Calls calls={calls} />
        </>
      ) : (
        <>
          {others.length === 0 ? (
            <p>
              Call <Tool id={only.toolId} /> to get to <State name={only.to} />, where this tool is allowed.
            </p>
          ) : (
            <>
              <p>
                These calls lead to <State name={last.to} />, where this tool is allowed:
              </p>
              <Calls calls={calls} />
            </>
          )}
          {machine !== null && (
            <p className="text-muted">
              {needsSession
                ? "Use one session for all calls, because the server keeps the state of this caller."
                : "This caller may set its own state, so its calls need no session."}
            </p>
          )}
        </>
      )}
      {machine !== null && <RuleLink rule={{ kind: "machine", name: machine }} />}
    </section>
  );
}

/** Calls in order, each with the state after it. */
function Calls({ calls }: Pick<Path, "calls">) {
  return (
    <ol aria-label="Calls" className="flex list-decimal flex-col gap-1 pl-5">
      {calls.map(({ toolId, to, hidden }) => (
        <li key={to}>
          <Tool id={toolId} /> <ArrowRight aria-label="leads to" className="inline size-3 text-faint" />{" "}
          <State name={to} />
          {hidden && <span className="text-muted"> (hidden from this caller)</span>}
        </li>
      ))}
    </ol>
  );
}

function Tool({ id }: { id: string }) {
  return (
    <TextLink href={`/admin/tools/${encodeURIComponent(id)}`}>
      <ToolId id={id} />
    </TextLink>
  );
}

/** `undefined` is no name that a person knows. */
function State({ name }: { name: string }) {
  return name === UNDEFINED_STATE ? "the initial state" : <code className="font-mono text-xs">{name}</code>;
}
