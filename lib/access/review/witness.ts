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

/** Most callers that are tried for one doubt, and most tools for each of them. */
const MAX_TRIED = 200;

/**
 * Searches a caller for whom the resolver confirms a doubt. Tries claims made from the policy's conditions, then the agent
 * that the doubt names, then personas and the other agents. `null`: none of them confirms it. That does not prove that no
 * caller does. In parts, because it may decide on hundreds of tools for hundreds of callers.
 *
 * @param now epoch milliseconds
 */
export function* findWitness(sides: Compared, doubt: Doubt, now: number): Parts<Witness | null> {
  const { before, after } = sides;
  // Decides at the start of the first policy, if that is later than now.
  const at = Math.max(now, ...doubt.through.slice(0, 1).map(({ from }) => (Number.isFinite(from) ? from : now)));
  const { raised = [] } = doubt;
  // A call of the doubt's tool raised these labels before the change only, so only the request before it holds them.
  const withRaisedLabels = ({ was, is }: Both): Both => ({
    was: was && { ...was, labels: [...(doubt.request.labels ?? []), ...raised] },
    is: { ...is, labels: doubt.request.labels ?? [] },
  });
  let tried = 0;
  for (const candidate of callersFor(sides, doubt, at)) {
    if (tried === MAX_TRIED) return null;
    tried += 1;
    yield;
    const one = raised.length === 0 ? candidate : { ...candidate, ...withRaisedLabels(candidate) };
    if (raised.length > 0 && !mayCall(before.index, after.index, one, doubt.rule, at)) continue;
    const gained = yield* firstGain(before.index, after.index, one, doubt, at);
    if (gained !== null) return { kind: one.kind, name: one.name, claims: one.is.claims, at, ...gained };
  }
  return null;
}

/** The callers to try. The agent that the doubt names precedes the personas, which may be more than are tried. */
function* callersFor({ before, after }: Compared, doubt: Doubt, at: number): Iterable<Tried> {
  const request = { capabilities: ["*"], ...doubt.request };
  for (const claims of madeClaims(doubt, at))
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

  function* agentsAmong(these: readonly { readonly name: string }[]): Iterable<Tried> {
    for (const { name } of these) {
      const [was, is] = [requestOfAgent(before, name), requestOfAgent(after, name)];
      if (is.ok) yield { kind: "agent", name, was: was.ok ? was.request : null, is: is.request };
    }
  }
}

/** One caller's request before and after the change. */
interface Both {
  /** `null`: the caller was refused. */
  readonly was: ResolveRequest | null;
  readonly is: ResolveRequest;
}

interface Tried extends Both, Pick<Witness, "kind" | "name"> {}

/** Whether a caller without the raised labels sees a tool before and after the change. */
function mayCall(before: Index, after: Index, { is }: Both, tool: string, at: number): boolean {
  return [before, after].every((index) => check(index, is, tool, at).verdict === "visible");
}

const sameRequest = (request: ResolveRequest) => ({ was: request, is: request });

/** Claims that match a policy of the doubt, and also the deny that withheld its tools. */
function madeClaims({ through, withheldBy }: Doubt, at: number): readonly JsonObject[] {
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
  { was, is }: Tried,
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
