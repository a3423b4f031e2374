import { transitionFinder } from "@/lib/access/compile/machines";
import { AppError } from "@/lib/errors";
import type { MachineActivity } from "@/lib/contracts/decisions/machine-activity";
import type { Snapshot } from "@/lib/store/snapshot/build";
import { db } from "@/lib/store/db/database";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

const DAY_MS = 86_400_000;

/** The number of calls of one tool that moved a run from one state to another. */
interface MoveCount {
  readonly toolId: string;
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/**
 * Counts the live sessions of a machine by state, and the transitions that calls took in the 24 hours before `now`.
 *
 * @throws AppError `not_found`, `config_unavailable`
 */
export async function loadMachineActivity(name: string, now: Date): Promise<MachineActivity> {
  const snapshot = await currentSnapshot();
  const machine = snapshot.index.machines.get(name)?.machine ?? null;
  if (machine === null) throw new AppError("not_found", `There is no state machine \`${name}\`.`);
  // A session that names no machine uses its agent's machine.
  const agents = [...snapshot.agents.values()].filter((agent) => agent.machine === name).map((agent) => agent.name);
  const [sessions, moves] = await Promise.all([
    db().$queryRaw<MachineActivity["sessions"]>`
      SELECT "state", count(*)::int AS "count" FROM agent_session
      WHERE "expiresAt" > ${now} AND ("machine" = ${name} OR ("machine" IS NULL AND "agent" = ANY(${agents})))
      GROUP BY "state" ORDER BY "state"`,
    db().$queryRaw<MoveCount[]>`
      SELECT "toolId", "stateBefore" AS "from", "stateAfter" AS "to", count(*)::int AS "count"
      FROM execution JOIN execution_outcome outcome
        ON outcome."callId" = execution."callId" AND outcome."callAt" = execution."at"
      WHERE execution."at" > ${new Date(now.getTime() - DAY_MS)} AND "request"->>'machine' = ${name}
        AND outcome."status" = 'succeeded' AND "stateBefore" IS NOT NULL AND "stateAfter" IS NOT NULL
      GROUP BY 1, 2, 3`,
  ]);
  return { sessions, ...countByTransition(machine, snapshot.index.tools, moves) };
}

/** Assigns each move to the transition that would cause it today. `others` counts the moves without such a transition. */
function countByTransition(
  machine: Parameters<typeof transitionFinder>[0],
  { all, numberOf }: Snapshot["index"]["tools"],
  moves: readonly MoveCount[],
): Pick<MachineActivity, "transitions" | "others"> {
  const find = transitionFinder(machine);
  const transitions = new Map<string, MachineActivity["transitions"][number]>();
  let others = 0;
  for (const { toolId, from, to, count } of moves) {
    const tool = all[numberOf.get(toolId) ?? -1];
    const match = tool === undefined ? null : find(tool, from);
    const transition = match === null ? undefined : machine.rules[match.rule]?.transitions[match.transition];
    if (match !== null && transition?.to === to) {
      const key = `${match.rule} ${match.transition}`;
      transitions.set(key, { rule: match.rule, ...transition, count: (transitions.get(key)?.count ?? 0) + count });
    } else if (from !== to) others += count;
  }
  return { transitions: [...transitions.values()], others };
}
