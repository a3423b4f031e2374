import type { Observations } from "@/lib/contracts/decisions/observations";
import { AppError } from "@/lib/errors";
import { db } from "@/lib/store/db/database";
import type { ObservedRule } from "@/lib/access/decide/observed";

/** Most calls and tools of an answer. */
const MAX_NAMED = 50;

interface Rule {
  readonly mode: string;
  readonly active: boolean;
  readonly revision: number;
  readonly updatedAt: Date;
}

/**
 * What an observed policy or flow rule would have changed since its last edit (docs/reference/governance.md#observe).
 *
 * @throws AppError `not_found` for an unknown rule; `config_unavailable`
 */
export async function readObservations({ kind, name }: ObservedRule): Promise<Observations> {
  const select = { mode: true, active: true, revision: true, updatedAt: true } as const;
  const rule: Rule | null = await (kind === "policy"
    ? db().policy.findUnique({ where: { name }, select })
    : db().flowRule.findUnique({ where: { name }, select }));
  if (rule === null) throw new AppError("not_found", "There is no such rule.");
  const where = { kind, rule: name, ruleRevision: rule.revision };
  const [changes, calls, days, tools] = await Promise.all([
    db().observedCall.groupBy({ by: ["change"], where, _count: true }),
    db().observedCall.findMany({ where, orderBy: [{ at: "desc" }, { callId: "desc" }], take: MAX_NAMED }),
    db().observedDay.aggregate({ where: { ...where, change: "calls" }, _sum: { count: true } }),
    db().$queryRaw<{ change: "shown" | "hidden"; tool: string; callers: number; lists: number }[]>`
      SELECT change, tool, count(DISTINCT (issuer, subject, agent))::int AS callers, sum(count)::int AS lists
      FROM observed_day WHERE kind = ${kind} AND rule = ${name} AND "ruleRevision" = ${rule.revision}
        AND change <> 'calls'
      GROUP BY change, tool ORDER BY change, callers DESC, tool`,
  ]);
  const callers = await db().$queryRaw<{ change: string; callers: number }[]>`
    SELECT change, count(DISTINCT (issuer, subject, agent))::int AS callers
    FROM observed_day WHERE kind = ${kind} AND rule = ${name} AND "ruleRevision" = ${rule.revision}
      AND change <> 'calls'
    GROUP BY change`;
  const counted = (change: string) => changes.find((one) => one.change === change)?._count ?? 0;
  const lists = (change: "shown" | "hidden") => {
    const named = tools.filter((one) => one.change === change);
    return {
      tools: named.length,
      callers: callers.find((one) => one.change === change)?.callers ?? 0,
      items: named.slice(0, MAX_NAMED).map(({ tool, callers: seenBy, lists: times }) => ({
        toolId: tool,
        callers: seenBy,
        lists: times,
      })),
    };
  };
  return {
    since: rule.updatedAt.toISOString(),
    observed: rule.mode === "observe" && rule.active,
    calls: Math.max(days._sum.count ?? 0, 0),
    refused: counted("refused"),
    allowed: counted("allowed"),
    asked: counted("asked"),
    shown: lists("shown"),
    hidden: lists("hidden"),
    items: calls.map(({ callId, at, toolId, subject, agent, change, visible, reason }) => ({
      callId,
      at: at.toISOString(),
      toolId,
      caller: agent ?? subject,
      change: change as Observations["items"][number]["change"],
      wouldBe: { visible, reason, rule: name },
    })),
  };
}
