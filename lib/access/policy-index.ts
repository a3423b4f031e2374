import { isList, readClaim, type ClaimPath } from "@/lib/access/claims";
import { scopeWords, textsOf } from "@/lib/access/claim-tests";
import type { Json, JsonObject } from "@/lib/access/configuration";
import type { CompiledMatcher } from "@/lib/access/operators";
import type { CompiledPolicy } from "@/lib/access/policies";
import { isScalar, scalarText } from "@/lib/access/scalars";

/**
 * Finds the policies that claims can possibly satisfy, without looking at the others (2-access, Cost). Every
 * policy with a matcher that needs one of a few texts at one path stands under the rarest such texts; the
 * rest is always looked at.
 */
export interface PolicyIndex {
  /** The numbers of all policies that may match, ascending; a superset of those that do. */
  readonly candidates: (claims: JsonObject) => readonly number[];
  /** The outermost claim names that any active policy reads: nothing else can change which ones match. */
  readonly reads: ReadonlySet<string>;
}

type Postings = Map<string, number[]>;

/** The policies found by the claim at one path. */
interface PathIndex {
  readonly path: ClaimPath;
  readonly byElement: Postings;
  readonly byWord: Postings;
  /** Deny policies under this path: a claim that cannot be compared counts as held for them. */
  readonly denies: number[];
}

/** A matcher that a policy can be found by. */
interface Handle {
  readonly path: ClaimPath;
  readonly kind: "element" | "word";
  readonly texts: readonly string[];
}

/** Indexes the active policies; validity in time is judged later, it changes within a revision. */
export function indexPolicies(policies: readonly CompiledPolicy[]): PolicyIndex {
  const active = policies.filter(({ policy }) => policy.active);
  const frequency = countTexts(active);
  const always: number[] = [];
  const paths = new Map<string, PathIndex>();
  for (const compiled of active) {
    const handle = rarest(compiled.matchers.flatMap(handlesOf), frequency);
    if (handle === null) always.push(compiled.number);
    else post(paths, handle, compiled);
  }
  const roots = byRoot(paths.values());
  const seen = new Uint32Array(policies.length);
  let round = 0;
  return {
    reads: new Set(active.flatMap(({ matchers }) => matchers.flatMap(rootOf))),
    candidates: (claims) => {
      round = (round + 1) >>> 0 || 1;
      const found = [...always];
      const add = (numbers: readonly number[] | undefined): void => {
        for (const number of numbers ?? []) {
          if (seen[number] === round) continue;
          seen[number] = round;
          found.push(number);
        }
      };
      for (const root of Object.keys(claims)) {
        for (const index of roots.get(root) ?? []) collect(index, readClaim(claims, index.path), add);
      }
      return found.toSorted((left, right) => left - right);
    },
  };
}

function byRoot(indexes: Iterable<PathIndex>): ReadonlyMap<string | number, readonly PathIndex[]> {
  const roots = new Map<string | number, PathIndex[]>();
  for (const index of indexes) {
    const root = index.path.steps[0] ?? 0;
    roots.set(root, [...(roots.get(root) ?? []), index]);
  }
  return roots;
}

/** Adds the policies that the claim at a path makes possible; a missing one satisfies no positive operator. */
function collect(
  index: PathIndex,
  claim: Json | undefined,
  add: (numbers: readonly number[] | undefined) => void,
): void {
  if (claim === undefined || claim === null) return;
  if (isScalar(claim)) {
    add(index.byElement.get(scalarText(claim)));
    if (index.byWord.size > 0) for (const word of scopeWords(claim)) add(index.byWord.get(word));
    return;
  }
  const texts = isList(claim) ? textsOf(claim) : null;
  if (texts === null) return add(index.denies);
  for (const text of texts) {
    add(index.byElement.get(text));
    add(index.byWord.get(text));
  }
}

function handlesOf({ parts }: CompiledMatcher): readonly Handle[] {
  return parts === null || parts.compiled.keys === null ? [] : [{ path: parts.path, ...parts.compiled.keys }];
}

function rootOf({ parts }: CompiledMatcher): readonly string[] {
  const root = parts?.path.steps[0];
  return typeof root === "string" ? [root] : [];
}

const slot = ({ path, kind }: Handle, text: string): string => JSON.stringify([path.steps, kind, text]);

/** How many policies ask for each text at each path. */
function countTexts(policies: readonly CompiledPolicy[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const handle of policies.flatMap(({ matchers }) => matchers.flatMap(handlesOf))) {
    for (const text of handle.texts) counts.set(slot(handle, text), (counts.get(slot(handle, text)) ?? 0) + 1);
  }
  return counts;
}

/** The handle that the fewest other policies share: the fewer, the fewer false candidates. */
function rarest(handles: readonly Handle[], counts: ReadonlyMap<string, number>): Handle | null {
  const weighed = handles.map((handle) => ({
    handle,
    weight: handle.texts.reduce((sum, text) => sum + (counts.get(slot(handle, text)) ?? 0), 0),
  }));
  return weighed.toSorted((left, right) => left.weight - right.weight)[0]?.handle ?? null;
}

function post(paths: Map<string, PathIndex>, handle: Handle, { number, policy }: CompiledPolicy): void {
  const key = JSON.stringify(handle.path.steps);
  const index: PathIndex = paths.get(key) ?? { path: handle.path, byElement: new Map(), byWord: new Map(), denies: [] };
  paths.set(key, index);
  if (policy.effect === "deny") index.denies.push(number);
  const postings = handle.kind === "element" ? index.byElement : index.byWord;
  for (const text of handle.texts) {
    const list = postings.get(text);
    if (list === undefined) postings.set(text, [number]);
    else list.push(number);
  }
}
