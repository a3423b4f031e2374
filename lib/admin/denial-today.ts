import { conditionsOf } from "@/lib/access/decide/arguments";
import { explain } from "@/lib/access/explain/explain";
import { smallestGrant } from "@/lib/access/explain/grant";
import { registeredIn, requestAgain, type LoggedCaller } from "@/lib/access/impact/request";
import type { DenialDetail, DenialRow } from "@/lib/contracts/decisions/denial";
import { findDenial } from "@/lib/admin/denials";
import { getExecution } from "@/lib/store/log/executions";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** Today's decision on a call like a refused one, and the grant that would allow it. */
type Decided = Pick<DenialDetail, "revision" | "today" | "grant">;

/** Codes of refusals that a resolution decides: policies, groups and its other steps. */
const DECIDED: ReadonlySet<string> = new Set(["tool_not_available", "arguments_refused", "paused"]);

/** Most calls that an answer names. */
const EXAMPLES = 5;

/**
 * The kind of a refused call (by id), with today's decision on a call like its latest and the smallest grant that would
 * allow it; `null` when there is no such refusal. The fix depends on the caller's claims, so it may reveal them.
 *
 * @param now epoch milliseconds
 * @throws AppError `config_unavailable`
 */
export async function readDenial(id: string, now: number): Promise<DenialDetail | null> {
  const found = await findDenial(id, now, EXAMPLES);
  if (found === null) return null;
  return { ...found.row, examples: found.calls, ...(await decideToday(found.row, now)) };
}

async function decideToday(denial: DenialRow, now: number): Promise<Decided> {
  const { index, revision } = await currentSnapshot();
  const unknown = (problem: string): Decided => ({
    revision,
    today: { verdict: "unknown", reason: null, problem, fix: null },
    grant: null,
  });
  if (!denial.known)
    return unknown("There was no tool of this name: the caller was told the same as for a hidden one.");
  if (!DECIDED.has(denial.code ?? ""))
    return unknown("This is no decision of policies or groups: a grant changes nothing.");
  const caller = await callerOf(denial);
  if (caller === null) return unknown("The claims of this caller are no longer kept.");
  const known = registeredIn(index);
  const again = requestAgain(known, known, caller);
  if (!again.ok) return unknown(`The caller would not be served today: ${again.message}.`);
  const explanation = explain(index, again.request, denial.tool, now);
  if (explanation === null) return unknown("There is no such tool any more.");
  const conditional = explanation.visible && conditionsOf(index, again.request, denial.tool, now).length > 0;
  const grant = smallestGrant(index, again.request, denial, denial.tool, now);
  return {
    revision,
    today: {
      verdict: !explanation.visible ? "refused" : conditional ? "conditional" : "allowed",
      reason: explanation.reason,
      problem: null,
      fix: explanation.fix as Decided["today"]["fix"],
    },
    grant: grant && {
      policy: grant.policy as NonNullable<Decided["grant"]>["policy"],
      brings: [...grant.brings],
      remaining: grant.remaining.map(({ text }) => text),
    },
  };
}

/** A call's caller from the log; `null` when its claims are deleted, or it was refused before its resolution. */
async function callerOf({ id, issuer, subject }: DenialRow): Promise<LoggedCaller | null> {
  const logged = await getExecution(id, { bodies: true });
  if (logged === null || logged.claims === null || logged.mode === null) return null;
  return {
    issuer,
    subject,
    claims: logged.claims as LoggedCaller["claims"],
    request: logged.request as unknown as LoggedCaller["request"],
    fromSession: logged.session !== null,
  };
}
