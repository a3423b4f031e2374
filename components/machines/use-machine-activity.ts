import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import type { GraphEdge } from "@/components/machines/graph-model";
import type { Input, Row } from "@/lib/resources";
import type { MachineActivity } from "@/lib/contracts/decisions/machine-activity";

/** Milliseconds between two polls of the runs' activity. */
const EVERY_MS = 30_000;

type Rule = Pick<Input<"machines">["rules"][number], "tool" | "selector">;
type Transition = Input<"machines">["rules"][number]["transitions"][number];

/** The activity of runs in a stored machine, by the elements of its present drawing. */
export interface ActivityOf {
  /** Live sessions in a state. */
  readonly sessionsIn: (state: string) => number;
  /** Calls of the last 24 hours that took a rule's transition. */
  readonly callsBy: (rule: Rule, transition: Transition) => number;
  /** The calls on all transitions of an edge. */
  readonly callsOn: (edge: GraphEdge, machine: Input<"machines">) => number;
  /** Calls that moved a run by a transition that no longer exists. */
  readonly others: number;
}

const NOTHING: ActivityOf = { sessionsIn: () => 0, callsBy: () => 0, callsOn: () => 0, others: 0 };

/** The live figures of a stored machine. A new machine and an edited transition have none. */
export function useMachineActivity(row: Row<"machines"> | null): ActivityOf {
  const { data } = useGet<MachineActivity>(
    ["machines", "activity", row?.name],
    adminPath("machines", row?.name ?? "", "activity"),
    {
      enabled: row !== null,
      refetchInterval: EVERY_MS,
    },
  );
  if (data === undefined || row === null) return NOTHING;
  const calls = new Map(data.transitions.map((one) => [keyOf(row.rules[one.rule], one), one.count]));
  return {
    sessionsIn: (state) => data.sessions.find((one) => one.state === state)?.count ?? 0,
    callsBy: (rule, transition) => calls.get(keyOf(rule, transition)) ?? 0,
    callsOn: ({ moves }, machine) => {
      // Counts a call once when a rule lists its transition twice.
      const keys = new Set(
        moves.flatMap(({ rule, transition }) => {
          const taken = machine.rules[rule]?.transitions[transition];
          return taken === undefined ? [] : [keyOf(machine.rules[rule], taken)];
        }),
      );
      return [...keys].reduce((sum, key) => sum + (calls.get(key) ?? 0), 0);
    },
    others: data.others,
  };
}

/** Identifies a transition by its content, because its position changes during edits. */
function keyOf(rule: Rule | undefined, { from, to }: Transition): string {
  return JSON.stringify([rule?.tool ?? null, rule?.selector ?? null, from, to]);
}
