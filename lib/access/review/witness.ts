import { exampleClaims } from "@/lib/access/findings/example";
import { toConstraints } from "@/lib/access/findings/constraints";
import type { Index } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";
import { requestOf } from "@/lib/access/model/request";
import { requestOfAgent, type Registered } from "@/lib/access/impact/request";
import { check } from "@/lib/access/decide/resolve";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { freesArguments } from "@/lib/access/review/freed-arguments";
import type { Doubt } from "@/lib/access/review/doubt";

/** A caller who gains a tool, or loses the argument conditions of one. */
export interface Witness {
  readonly kind: "claims" | "persona" | "agent";
  /** The name of the persona or agent; `null` for claims made from conditions. */
  readonly name: string | null;
  readonly claims: JsonObject;
  readonly tool: string;
  /** What the caller gains: the tool, or calls with any arguments. */
  readonly gains: "tool" | "arguments";
  /** Epoch milliseconds of the decision. */
  readonly at: number;
}

/** Both configurations, without pauses: a pause must not hide a widening. */
interface Compared {
  readonly before: Registered;
  readonly after: Registered;
}

/** The most callers that are tried for one doubt, and the most tools for each of them. */
const MAX_TRIED = 200;

/**
 * Searches for a caller for whom the resolver confirms a doubt. Tries claims made from the policies' conditions, then the
 * agent that the doubt names, then personas, then the other agents. `null`: none of them confirms it, but another caller may.
 * In parts, because it may decide on hundreds of tools for hundreds of callers.
 *
 * @param now epoch milliseconds
 */
export function* findWitness(sides: Compared, doubt: Doubt, now: number): Parts<Witness | null> {
  const { before, after } = sides;
  // A policy that starts later grants nothing now.
  const at = Math.max(now, ...doubt.through.slice(0, 1).map(({ from }) => (Number.isFinite(from) ? from : now)));
  const { raised = [] } = doubt;
  // Only before the change did a call of the doubt's tool raise these labels, so only that side's request holds them.
  const withRaisedLabels = ({ was, is }: RequestPair): RequestPair => ({
    was: was && { ...was, labels: [...(doubt.request.labels ?? []), ...raised] },
    is: { ...is, labels: doubt.request.labels ?? [] },
  });
  let tried = 0;
  for (const candidate of callersFor(sides, doubt, at)) {
    if (tried === MAX_TRIED) return null;
    tried += 1;
    yield;
    const caller = raised.length === 0 ? candidate : { ...candidate, ...withRaisedLabels(candidate) };
    if (raised.length > 0 && !mayCallOnBothSides(before.index, after.index, caller, doubt.rule, at)) continue;
    if (!isCausedBy(doubt, before.index, after.index, caller, at)) continue;
    const gained = yield* firstGain(before.index, after.index, caller, doubt, at);
    if (gained !== null) return { kind: caller.kind, name: caller.name, claims: caller.is.claims, at, ...gained };
  }
  return null;
}

/** The callers to try. The agent that the doubt names precedes the personas, of which there may be more than `MAX_TRIED`. */
function* callersFor({ before, after }: Compared, doubt: Doubt, at: number): Iterable<Candidate> {
  const request = { capabilities: ["*"], ...doubt.request };
  for (const claims of claimsMatching(doubt, at))
    yield { kind: "claims", name: null, ...sameRequest({ ...requestOf(claims), ...request }) };
  const agents = after.index.config.agents.filter(({ enabled }) => enabled);
  const named = agents.filter(({ name }) => name === doubt.rule);
  yield* agentsAmong(named);
  for (const { name, capabilities, sampleClaims } of after.index.config.personas)
    yield {
      kind: "persona",
      name,
      ...sameRequest({ ...requestOf(sampleClaims), capabilities, ...doubt.request }),
    };
  yield* agentsAmong(agents.filter((agent) => !named.includes(agent)));

  function* agentsAmong(these: readonly { readonly name: string }[]): Iterable<Candidate> {
    for (const { name } of these) {
      const [was, is] = [requestOfAgent(before, name), requestOfAgent(after, name)];
      if (is.ok) yield { kind: "agent", name, was: was.ok ? was.request : null, is: is.request };
    }
  }
}

/** One caller's request before and after the change. */
interface RequestPair {
  /** `null`: the caller was refused. */
  readonly was: ResolveRequest | null;
  readonly is: ResolveRequest;
}

interface Candidate extends RequestPair, Pick<Witness, "kind" | "name"> {}

/** Whether a caller without the raised labels may call a tool both before and after the change. */
function mayCallOnBothSides(before: Index, after: Index, { is }: RequestPair, tool: string, at: number): boolean {
  return [before, after].every((index) => check(index, is, tool, at).verdict === "visible");
}

/**
 * Whether the policy that a doubt is about decides on the caller. Another policy may have changed too, and a gain by that
 * one says nothing about this one. A request policy shows nothing by itself.
 */
function isCausedBy(
  { rule, through, withheldBy }: Doubt,
  before: Index,
  after: Index,
  { was, is }: RequestPair,
  at: number,
): boolean {
  if (withheldBy !== null) return was !== null && before.policyIndex.search(was.claims, at).matches(withheldBy);
  const own = through.find(({ policy }) => policy.name === rule);
  if (own === undefined) return true;
  return own.policy.effect === "allow" && after.policyIndex.search(is.claims, at).matches(own);
}

const sameRequest = (request: ResolveRequest) => ({ was: request, is: request });

/** Claims that match a policy of the doubt and the deny that withheld its tools. */
function claimsMatching({ through, withheldBy }: Doubt, at: number): readonly JsonObject[] {
  return through.flatMap((allow) => {
    const matchers = [...allow.matchers, ...(withheldBy?.matchers ?? [])];
    const claims = exampleClaims(toConstraints({ ...allow, matchers }), at);
    return claims === null ? [] : [claims];
  });
}

/** The first tool that the caller gains, or may call with more arguments than before. */
function* firstGain(
  before: Index,
  after: Index,
  { was, is }: Candidate,
  { factor, tools, through }: Doubt,
  at: number,
): Parts<Pick<Witness, "tool" | "gains"> | null> {
  const candidates = tools.length > 0 ? tools : after.tools.all.slice(0, MAX_TRIED).map(({ id }) => id);
  for (const tool of candidates) {
    yield;
    const checkAfter = check(after, is, tool, at);
    if (checkAfter.verdict !== "visible") continue;
    const checkBefore = was === null ? null : check(before, was, tool, at);
    if (checkBefore?.verdict !== "visible") return { tool, gains: "tool" };
    if (checkBefore.tool.conditional && !checkAfter.tool.conditional) return { tool, gains: "arguments" };
    if (factor !== "arguments" || was === null) continue;
    for (const policy of through) {
      yield;
      if (freesArguments({ before, after, was, is, tool, at }, policy)) return { tool, gains: "arguments" };
    }
  }
  return null;
}
