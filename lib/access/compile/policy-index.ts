import { CLIENT_CLAIMS, readClaim, type ClaimPath } from "@/lib/access/model/claims";
import { isList } from "@/lib/access/model/json";
import { scopeWords, textsOf } from "@/lib/access/matching/claim-tests";
import { append } from "@/lib/access/model/lists";
import type { Parts } from "@/lib/access/model/parts";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import { createPolicyTests, type PolicyTest } from "@/lib/access/compile/policy-tests";
import { inOrder, isApplied, type CompiledPolicy } from "@/lib/access/compile/policies";
import { isScalar, scalarText } from "@/lib/access/model/scalars";

/**
 * Finds the policies that claims may satisfy, without testing the others (docs/reference/decision.md#cost). A policy
 * that needs one of a few texts at one path is indexed under its rarest set of texts. All other policies are always
 * tested.
 */
export interface PolicyIndex {
  /** The policies that apply at `now` (epoch ms) and match the claims, in evaluation order. */
  readonly matching: (claims: JsonObject, now: number) => readonly CompiledPolicy[];
  /** Answers several questions about one caller at one time; tests each distinct matcher at most once. */
  readonly search: (claims: JsonObject, now: number) => PolicySearch;
  /** The policies that may match the claims at some time: a superset of the matching ones. */
  readonly candidates: (claims: JsonObject) => readonly CompiledPolicy[];
  /** The top-level claims that decisions read: no other claim changes which policies match. */
  readonly reads: ReadonlySet<string>;
}

/** A search for the policies that match one caller's claims at one time. */
export interface PolicySearch {
  readonly matches: PolicyTest;
  /** In evaluation order; `among` limits the search to these lists of policies. */
  readonly all: (among?: readonly (readonly CompiledPolicy[])[]) => readonly CompiledPolicy[];
  /** A matching policy that is wanted, in no particular order. */
  readonly any: (isWanted: (policy: CompiledPolicy) => boolean) => CompiledPolicy | undefined;
}

type Postings = Map<string, CompiledPolicy[]>;
type Lists = (readonly CompiledPolicy[])[];

/** The policies indexed by the claim at one path. */
interface PathIndex {
  readonly path: ClaimPath;
  readonly byElement: Postings;
  readonly byWord: Postings;
  /** Deny policies under this path: an uncomparable claim counts as held for them. */
  readonly denies: CompiledPolicy[];
}

/** A matcher under which a policy can be indexed. */
interface Handle {
  readonly path: ClaimPath;
  readonly kind: "element" | "word";
  readonly texts: readonly string[];
}

/** Indexes the policies that decide. Validity is checked at each decision, because it changes within a revision. */
export function* indexPolicies(policies: readonly CompiledPolicy[]): Parts<PolicyIndex> {
  const applied = policies.filter(({ policy }) => isApplied(policy));
  const frequency = yield* countTexts(applied);
  const always: CompiledPolicy[] = [];
  const paths = new Map<string, PathIndex>();
  for (const compiled of applied) {
    yield;
    const handle = rarest(compiled.matchers.flatMap(handlesOf), frequency);
    if (handle === null) always.push(compiled);
    else post(paths, handle, compiled);
  }
  const roots = byRoot(paths.values());
  yield;
  const candidateLists = (claims: JsonObject): Lists => {
    const lists: Lists = [always];
    for (const root of Object.keys(claims)) {
      const indexes = roots.get(root);
      if (indexes === undefined) continue;
      for (const index of indexes) collect(index, readClaim(claims, index.path), lists);
    }
    return lists;
  };
  const tests = yield* createPolicyTests(policies);
  const search = (claims: JsonObject, now: number): PolicySearch => {
    const matches = tests(claims, now);
    return {
      matches,
      all(among = candidateLists(claims)) {
        const matching: CompiledPolicy[] = [];
        for (const list of among) for (const policy of list) if (matches(policy)) matching.push(policy);
        return inOrder(matching);
      },
      any(isWanted) {
        for (const list of candidateLists(claims))
          for (const policy of list) if (isWanted(policy) && matches(policy)) return policy;
        return undefined;
      },
    };
  };
  return {
    reads: new Set(
      applied.flatMap(({ matchers, grant }) => [...matchers.flatMap(rootOf), ...(grant === null ? [] : CLIENT_CLAIMS)]),
    ),
    matching: (claims, now) => search(claims, now).all(),
    search,
    candidates: (claims) => inOrder(candidateLists(claims).flat()),
  };
}

function byRoot(indexes: Iterable<PathIndex>): ReadonlyMap<string, readonly PathIndex[]> {
  const roots = new Map<string, PathIndex[]>();
  for (const index of indexes) append(roots, String(index.path.steps[0]), index);
  return roots;
}

/** Adds the policies that the claim at a path may satisfy. A missing claim satisfies no positive operator. */
function collect({ byElement, byWord, denies }: PathIndex, claim: Json | undefined, lists: Lists): void {
  if (claim === undefined || claim === null) return;
  const texts = isScalar(claim) ? [scalarText(claim)] : isList(claim) ? textsOf(claim) : null;
  if (texts === null) lists.push(denies);
  for (const text of texts ?? []) lists.push(byElement.get(text) ?? []);
  if (byWord.size === 0) return;
  for (const word of isScalar(claim) ? scopeWords(claim) : (texts ?? [])) lists.push(byWord.get(word) ?? []);
}

function handlesOf(matcher: CompiledMatcher): readonly Handle[] {
  const { parts } = matcher;
  return parts === null || parts.compiled.keys === null ? [] : [{ path: parts.path, ...parts.compiled.keys }];
}

function rootOf({ parts }: CompiledMatcher): readonly string[] {
  const root = parts?.path.steps[0];
  return typeof root === "string" ? [root] : [];
}

const pathKey = ({ steps }: ClaimPath): string => JSON.stringify(steps);
const slot = ({ path, kind }: Handle, text: string): string => `${kind}${pathKey(path)}${text}`;

/** How many policies need each text at each path. */
function* countTexts(policies: readonly CompiledPolicy[]): Parts<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { matchers } of policies) {
    yield;
    for (const handle of matchers.flatMap(handlesOf))
      for (const text of handle.texts) counts.set(slot(handle, text), (counts.get(slot(handle, text)) ?? 0) + 1);
  }
  return counts;
}

/** The handle that the fewest other policies share, to keep false candidates few. */
function rarest(handles: readonly Handle[], counts: ReadonlyMap<string, number>): Handle | null {
  const weighed = handles.map((handle) => ({
    handle,
    weight: handle.texts.reduce((sum, text) => sum + (counts.get(slot(handle, text)) ?? 0), 0),
  }));
  return weighed.toSorted((left, right) => left.weight - right.weight)[0]?.handle ?? null;
}

function post(paths: Map<string, PathIndex>, handle: Handle, policy: CompiledPolicy): void {
  const key = pathKey(handle.path);
  const index: PathIndex = paths.get(key) ?? { path: handle.path, byElement: new Map(), byWord: new Map(), denies: [] };
  paths.set(key, index);
  if (policy.policy.effect === "deny") index.denies.push(policy);
  const postings = handle.kind === "element" ? index.byElement : index.byWord;
  for (const text of handle.texts) append(postings, text, policy);
}
