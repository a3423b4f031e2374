import { exampleClaims } from "@/lib/access/findings/example";
import { toConstraints } from "@/lib/access/findings/constraints";
import { compileInParts, type Index } from "@/lib/access/compile/compile";
import { requestOf } from "@/lib/access/model/request";
import type { JsonObject } from "@/lib/access/model/configuration";
import { visibleNumbers } from "@/lib/access/decide/resolve";
import { withCandidate, type Candidate } from "@/lib/access/rightsizing/candidates";
import { firstDayOfWindow, tokensOf, usesOfPolicies } from "@/lib/admin/rightsizing/overview";
import { stateOf } from "@/lib/admin/background-runs";
import { runOf, type ReplayedCandidate, type RunResult } from "@/lib/admin/rightsizing/replay-run";
import {
  MAX_EXCEPTIONS,
  type CandidateDraft,
  type CandidateOutput,
  type RightsizingDetail,
} from "@/lib/contracts/decisions/rightsizing";
import { AppError } from "@/lib/errors";
import { runInTurns } from "@/lib/store/db/in-turns";
import { hasDemoUse } from "@/lib/store/usage/read";
import { API_VERSION } from "@/lib/resources/sections";

/**
 * A policy with its tools and candidates. Starts their replay unless it is known.
 *
 * @param clock epoch milliseconds
 * @throws AppError `not_found`, `overloaded`, `config_unavailable`
 */
export async function readRightsizing(policy: string, days: number, clock = Date.now): Promise<RightsizingDetail> {
  const now = clock();
  const [{ run, revision }, [row], demo] = await Promise.all([
    runOf(policy, days, clock),
    usesOfPolicies(days, now, policy),
    hasDemoUse(firstDayOfWindow(now, days)),
  ]);
  const none = { policy, callers: 0, granted: 0, used: 0, unused: 0, tokens: 0, kept: 0, changed: false };
  const { result } = run;
  return {
    ...(row ?? none),
    revision: result === null ? 0 : revision,
    demo,
    days,
    replay: stateOf(run),
    tools: (result?.tools ?? []).map(({ tool, calls, callers, lastDay, isUnused, isChanged, kept }) => ({
      tool: tool.id,
      calls,
      callers,
      lastDay,
      unused: isUnused,
      changed: isChanged,
      kept: kept === null ? null : { reason: kept.reason, by: kept.by, at: kept.at.toISOString() },
    })),
    candidates: (result?.candidates ?? []).map((replayed) => toOutput(result, replayed)),
  };
}

function toOutput(result: RunResult | null, { candidate, result: replay }: ReplayedCandidate): CandidateOutput {
  const { kind, dropped, groups, removed } = candidate;
  const tools = new Set(removed);
  return {
    kind,
    dropped: [...dropped],
    groups: groups.map(({ name }) => name),
    removed: removed.length,
    tokens: tokensOf((result?.tools ?? []).flatMap(({ tool }) => (tools.has(tool.id) ? [tool] : []))),
    calls: replay.calls,
    same: replay.same,
    notJudged: replay.notJudged,
    exceptions: replay.exceptions
      .slice(0, MAX_EXCEPTIONS)
      .map(({ toolId, ...exception }) => ({ ...exception, tool: toolId })),
    moreExceptions: Math.max(0, replay.exceptions.length - MAX_EXCEPTIONS),
  };
}

/**
 * A replayed candidate as a configuration document to merge, with an assertion that the kept tools stay visible.
 *
 * @throws AppError `not_found`; `conflict` before the replay has ended; `overloaded`; `config_unavailable`
 */
export async function draftCandidate(
  policy: string,
  { candidate: kind, days }: { readonly candidate: CandidateOutput["kind"]; readonly days: number },
  clock = Date.now,
): Promise<CandidateDraft> {
  const { run, revision } = await runOf(policy, days, clock);
  const { result } = run;
  if (result === null) throw new AppError("conflict", "The replay has not ended: read the candidates first.");
  const replayed = result.candidates.find(({ candidate }) => candidate.kind === kind);
  if (replayed === undefined) throw new AppError("not_found", "There is no such candidate.");
  const { candidate } = replayed;
  const assertion = await assertionFor(result, policy, candidate, clock());
  const policies = [candidate.policy, candidate.newPolicy].filter((one) => one !== null);
  const document = {
    apiVersion: API_VERSION,
    ...(candidate.groups.length > 0 && { groups: candidate.groups.map(withoutMeta) }),
    ...(policies.length > 0 && { policies: policies.map(withoutMeta) }),
    ...(assertion !== null && { assertions: [assertion] }),
  };
  return {
    document: JSON.stringify(document),
    revision,
    sentences: [...sentencesOf(policy, candidate, assertion?.name ?? null)],
    assertion: assertion?.name ?? null,
    result: toOutput(result, replayed),
  };
}

/** A stored row without the fields that the store adds. */
function withoutMeta(row: object): object {
  const {
    revision: _revision,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...input
  } = row as Record<string, unknown>;
  return input;
}

function* sentencesOf(policy: string, candidate: Candidate, assertion: string | null): Generator<string> {
  const { kind, dropped, groups, removed, newPolicy } = candidate;
  const tools = removed.length === 1 ? "1 tool" : `${removed.length.toLocaleString("en")} tools`;
  if (kind === "drop_groups") yield `\`${policy}\` no longer grants ${dropped.map((name) => `\`${name}\``).join(", ")}`;
  if (kind === "exclude_tools") yield `${groups.map(({ name }) => `\`${name}\``).join(", ")} excludes ${tools}`;
  if (kind === "own_group" || kind === "rest_on_request") {
    yield `creates the group \`${groups[0]?.name ?? ""}\` with every tool that is not unused`;
    yield `\`${policy}\` grants only this group, ${tools} fewer`;
  }
  if (newPolicy !== null)
    yield `creates the request policy \`${newPolicy.name}\` and the group \`${groups[1]?.name ?? ""}\`, so that callers can request ${tools}`;
  if (assertion !== null) yield `creates the assertion \`${assertion}\``;
}

/**
 * An assertion with claims made from the policy's conditions, never with a caller's claims: such a caller sees the kept
 * tools before and after the cut. `null` when no such claims are known.
 */
async function assertionFor(result: RunResult, policy: string, candidate: Candidate, now: number) {
  const { index, tools } = result;
  const compiled = index.policies.find((one) => one.policy.name === policy);
  const claims = compiled === undefined ? null : exampleClaims(toConstraints(compiled), now);
  if (claims === null) return null;
  const after = await runInTurns(compileInParts(withCandidate(index.config, candidate), index));
  const [had, has] = [visibleIds(index, claims, now), visibleIds(after, claims, now)];
  const visible = tools
    .filter(({ tool, isUnused }) => !isUnused && had.has(tool.id) && has.has(tool.id))
    .map(({ tool }) => tool.id);
  if (visible.length === 0) return null;
  return {
    name: `${policy} keeps the tools in use`,
    description: `Created by Rightsizing for ${policy}. Its claims are an example that meets the conditions of the policy.`,
    given: { claims },
    expect: { visible },
  };
}

function visibleIds(index: Index, claims: JsonObject, now: number): ReadonlySet<string> {
  const numbers = visibleNumbers(index, requestOf(claims), now);
  return new Set(numbers.flatMap((number) => index.tools.all[number]?.id ?? []));
}
