import { readClaim, type ClaimPath } from "@/lib/access/model/claims";
import { isList } from "@/lib/access/model/json";
import { scopeWords, textsOf } from "@/lib/access/matching/claim-tests";
import type { Parts } from "@/lib/access/model/parts";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import { matchersHold, skippedAt, isUnconditional, type CompiledPolicy } from "@/lib/access/compile/policies";
import { isScalar, scalarText } from "@/lib/access/model/scalars";

/**
 * Finds the policies that claims may satisfy, without testing the others (docs/reference/decision.md#cost). A policy
 * that needs one of a few texts at one path is indexed under its rarest set of texts. All other policies are always
 * tested.
 */
export interface PolicyIndex {
  /** The policies that apply at `now` (epoch ms) and match the claims, in evaluation order. */
  readonly matching: (claims: JsonObject, now: number) => readonly CompiledPolicy[];
  /** All active policies that may match at any time: a superset of the matching ones. */
  readonly candidates: (claims: JsonObject) => readonly CompiledPolicy[];
  /** The top-level claim names that any active policy reads: no other claim changes which policies match. */
  readonly reads: ReadonlySet<string>;
}

/** A policy, and the matchers that the index has not already decided. */
interface Posted {
  readonly policy: CompiledPolicy;
  readonly open: readonly CompiledMatcher[];
}

type Postings = Map<string, Posted[]>;
type Visit = (found: readonly Posted[] | undefined) => void;

/** The policies indexed by the claim at one path. */
interface PathIndex {
  readonly path: ClaimPath;
  readonly byElement: Postings;
  readonly byWord: Postings;
  /** Deny policies under this path: an uncomparable claim counts as held for them. */
  readonly denies: Posted[];
}

/** A matcher under which a policy can be indexed. */
interface Handle {
  readonly matcher: CompiledMatcher;
  readonly path: ClaimPath;
  readonly kind: "element" | "word";
  readonly texts: readonly string[];
  readonly sufficient: boolean;
}

/** Indexes the active policies. Validity is checked at each decision, because it changes within a revision. */
export function* indexPolicies(policies: readonly CompiledPolicy[]): Parts<PolicyIndex> {
  const active = policies.filter(({ policy }) => policy.active);
  const frequency = yield* countTexts(active);
  const always: Posted[] = [];
  const paths = new Map<string, PathIndex>();
  for (const compiled of active) {
    yield;
    const handle = rarest(compiled.matchers.flatMap(handlesOf), frequency);
    if (handle === null) always.push({ policy: compiled, open: compiled.matchers });
    else post(paths, handle, compiled);
  }
  const roots = byRoot(paths.values());
  yield;
  const visit = (claims: JsonObject, see: Visit): void => {
    see(always);
    for (const root of Object.keys(claims)) {
      for (const index of roots.get(root) ?? []) collect(index, readClaim(claims, index.path), see);
    }
  };
  return {
    reads: new Set(active.flatMap(({ matchers }) => matchers.flatMap(rootOf))),
    matching: (claims, now) => {
      const found: CompiledPolicy[] = [];
      visit(claims, (posted) => {
        for (const { policy, open } of posted ?? []) if (isSatisfied(policy, open, claims, now)) found.push(policy);
      });
      return inOrder(found);
    },
    candidates: (claims) => {
      const found: CompiledPolicy[] = [];
      visit(claims, (posted) => posted?.forEach(({ policy }) => found.push(policy)));
      return inOrder(found);
    },
  };
}

function isSatisfied(
  policy: CompiledPolicy,
  open: readonly CompiledMatcher[],
  claims: JsonObject,
  now: number,
): boolean {
  if (skippedAt(policy, now) !== null) return false;
  return policy.matchers.length === 0 ? isUnconditional(policy) : matchersHold(policy, open, claims, now);
}

/** Sorts into evaluation order, and removes duplicates found through several texts. */
function inOrder(found: readonly CompiledPolicy[]): readonly CompiledPolicy[] {
  if (found.length < 2) return found;
  const ordered = found.toSorted((left, right) => left.number - right.number);
  return ordered.filter((policy, at) => policy !== ordered[at - 1]);
}

function byRoot(indexes: Iterable<PathIndex>): ReadonlyMap<string, readonly PathIndex[]> {
  const roots = new Map<string, PathIndex[]>();
  for (const index of indexes) {
    const root = String(index.path.steps[0]);
    roots.set(root, [...(roots.get(root) ?? []), index]);
  }
  return roots;
}

/** Visits the policies that the claim at a path may satisfy. A missing claim satisfies no positive operator. */
function collect(index: PathIndex, claim: Json | undefined, see: Visit): void {
  if (claim === undefined || claim === null) return;
  if (isScalar(claim)) {
    see(index.byElement.get(scalarText(claim)));
    if (index.byWord.size > 0) for (const word of scopeWords(claim)) see(index.byWord.get(word));
    return;
  }
  const texts = isList(claim) ? textsOf(claim) : null;
  if (texts === null) return see(index.denies);
  for (const text of texts) {
    see(index.byElement.get(text));
    if (index.byWord.size > 0) see(index.byWord.get(text));
  }
}

function handlesOf(matcher: CompiledMatcher): readonly Handle[] {
  const { parts } = matcher;
  return parts === null || parts.compiled.keys === null ? [] : [{ matcher, path: parts.path, ...parts.compiled.keys }];
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
  // A sufficient text already satisfies the handle's own matcher: only the others are open.
  const open = handle.sufficient ? policy.matchers.filter((matcher) => matcher !== handle.matcher) : policy.matchers;
  const posted = { policy, open };
  if (policy.policy.effect === "deny") index.denies.push(posted);
  const postings = handle.kind === "element" ? index.byElement : index.byWord;
  for (const text of handle.texts) {
    const list = postings.get(text);
    if (list === undefined) postings.set(text, [posted]);
    else list.push(posted);
  }
}
