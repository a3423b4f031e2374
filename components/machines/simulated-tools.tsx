import { StateName } from "@/components/machines/state-name";
import type { Step } from "@/components/machines/use-simulation";
import { useList } from "@/components/resource/list/use-list";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { WithCode } from "@/components/ui/json/with-code";
import type { Answered } from "@/components/preview/use-preview";
import { ToolId } from "@/components/ui/tool-id";
import type { Input } from "@/lib/resources";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

interface SimulatedToolsProps {
  /** Holds the answer for a former caller or state until that for the present one is there. */
  preview: Answered<PreviewOutput>;
  /** The state that the simulation is in, and the labels that the caller holds there. */
  state: string;
  labels: readonly string[];
  machine: Input<"machines">;
  onPress: (step: Step) => void;
}

/**
 * The caller's tools in one list with a fixed order. Tools that this state or a flow rule hides keep their place, so that
 * the keyboard focus stays where it is.
 */
export function SimulatedTools({ preview, state, labels, machine, onPress }: SimulatedToolsProps) {
  const { data: answer, isOutdated } = preview;
  // Labels matter to flow rules alone.
  const hasFlowRules = useList("flows", { limit: 500 }).rows.some(({ active }) => active);
  if (answer === undefined) return <Skeleton className="h-40" />;
  const withheld = answer.hidden.filter(({ decidedBy }) => decidedBy === "state" || decidedBy === "flow");
  const restricted = withheld.filter(({ decidedBy }) => decidedBy === "flow").length;
  const tools = [
    ...answer.tools.map(({ toolId, nextState, raises }) => ({ toolId, to: nextState, raises, reason: null })),
    ...withheld.map(({ toolId, reason }) => ({ toolId, to: null, raises: [], reason })),
  ].toSorted((left, right) => (left.toolId < right.toolId ? -1 : 1));
  if (tools.length === 0)
    return <p className="text-sm text-muted">No policy grants this caller a tool in any state.</p>;
  // An answer for another caller or state has other next states, so its buttons are disabled.
  const stale = isOutdated || answer.state !== state || answer.request.labels.toSorted().join() !== labels.join();
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted tabular-nums">
        {answer.tools.length} available, {withheld.length - restricted} unavailable in this state
        {restricted > 0 && <>, {restricted} restricted by flow rules</>}. Select a tool to simulate a successful call.
      </p>
      <NeverVisible tools={ruledTools(machine).filter((id) => !tools.some(({ toolId }) => toolId === id))} />
      <ul
        aria-label="Tools"
        aria-busy={stale || undefined}
        className={cn("flex flex-col gap-1 transition-opacity", isOutdated && "opacity-55")}
      >
        {tools.map(({ toolId, to, raises, reason }) => (
          <li key={toolId}>
            <ToolButton
              tool={toolId}
              to={to}
              raises={hasFlowRules ? raises : []}
              reason={reason}
              moves={to !== null && to !== answer.state}
              machine={machine}
              isStale={stale}
              onPress={() => to !== null && !stale && onPress({ tool: toolId, from: state, to, raises })}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The tools with a rule of their own, by id. */
function ruledTools({ rules }: Input<"machines">): readonly string[] {
  return [...new Set(rules.flatMap(({ tool }) => tool ?? []))];
}

/** Tools of the machine that this caller sees in no state, which a person would miss in the list. */
function NeverVisible({ tools }: { tools: readonly string[] }) {
  if (tools.length === 0) return null;
  return (
    <p className="text-sm text-warn">
      <WithCode
        text={`This caller sees ${tools.map((id) => `\`${id}\``).join(", ")} in no state. Choose another caller to simulate the ${tools.length === 1 ? "rule" : "rules"}.`}
      />
    </p>
  );
}

interface ToolButtonProps {
  tool: string;
  /** `null`: not available. */
  to: string | null;
  /** The labels that a call raises. */
  raises: readonly string[];
  /** Why the tool is not available. */
  reason: PreviewOutput["hidden"][number]["reason"] | null;
  moves: boolean;
  machine: Input<"machines">;
  /** Whether this is the answer for another caller or state: pressing the button does nothing then. */
  isStale: boolean;
  onPress: () => void;
}

function ToolButton({ tool, to, raises, reason, moves, machine, isStale, onPress }: ToolButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={to === null || isStale || undefined}
      onClick={onPress}
      className={cn(
        "flex min-h-8 w-full max-sm:min-h-10 max-sm:flex-wrap max-sm:gap-y-0 max-sm:py-1 items-center gap-3 rounded-md border border-line px-2 text-left",
        to === null ? "border-dashed text-faint" : "bg-raised hover:bg-hover",
      )}
    >
      <span className="min-w-0 flex-1 max-sm:basis-full">
        <ToolId id={tool} />
      </span>
      {raises.length > 0 && (
        <span className="shrink-0 text-xs text-muted">
          raises {raises.length === 1 ? "the label" : "the labels"} {raises.join(", ")}
        </span>
      )}
      {to === null ? (
        <span className="text-xs">
          {reason === "flow_restricted" ? <code className="font-mono">flow_restricted</code> : "unavailable"}
        </span>
      ) : moves ? (
        <span className="flex items-center gap-1.5 text-xs text-muted">
          <span aria-hidden>→</span>
          <span className="sr-only">leads to</span>
          <StateName name={to} machine={machine} />
        </span>
      ) : (
        <span className="shrink-0 text-xs text-faint">state unchanged</span>
      )}
    </button>
  );
}
