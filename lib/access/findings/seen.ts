import { readClaim } from "@/lib/access/model/claims";
import { isList } from "@/lib/access/model/json";
import { scopeWords, textsOf } from "@/lib/access/matching/claim-tests";
import type { Index } from "@/lib/access/compile/compile";
import { isApplied } from "@/lib/access/compile/policies";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { toFinding, type Finding } from "@/lib/access/findings/finding";
import { toConstraints, type Constraint } from "@/lib/access/findings/constraints";
import { listFirst } from "@/lib/access/model/lists";
import { foldCase, isScalar } from "@/lib/access/model/scalars";

/** The claims of recent callers, one entry per distinct caller, and the claims that the log does not keep. */
export interface SeenClaims {
  readonly callers: readonly JsonObject[];
  /** Top-level claim names that the log does not keep: their values are unknown. */
  readonly unlogged: ReadonlySet<string>;
  /** The placeholder of a masked value: such a claim may have held anything. */
  readonly mask: string;
}

/** With fewer distinct callers nothing is concluded about the claims of callers. */
const FEWEST_CALLERS = 5;
/** The most values that one sentence names. */
const MAX_NAMED_VALUES = 5;

/** Finds claim paths that no recent caller carries, and values that no recent caller with the claim has. */
export function findUnseenClaims(index: Index, seen: SeenClaims): readonly Finding[] {
  if (seen.callers.length < FEWEST_CALLERS) return [];
  const carried = new Map<string, Carried>();
  return index.policies.flatMap((compiled) => {
    if (!isApplied(compiled.policy) || compiled.grant !== null) return [];
    const { byPath } = toConstraints(compiled);
    return [...byPath].flatMap(([key, same]) => {
      const path = same[0]?.path;
      if (path === undefined || path.hopeless || seen.unlogged.has(String(path.steps[0]))) return [];
      const known = carried.get(key) ?? toCarried(seen, path);
      carried.set(key, known);
      const { claims, masked } = known;
      const subject = { about: { kind: "policy" as const, name: compiled.policy.name }, what: path.text };
      if (claims.length === 0) return neverCarried(subject, same, seen.callers.length);
      return claims.length < FEWEST_CALLERS || masked ? [] : unseenValues(subject, same, known);
    });
  });
}

/** The claims of callers under one path, read once for all policies. */
interface Carried {
  readonly claims: readonly Json[];
  /** True when one of the claims is masked. */
  readonly masked: boolean;
  /** The texts of the claims, by the way in which matchers compare them. */
  readonly texts: Map<string, ReadonlySet<string>>;
}

function toCarried({ callers, mask }: SeenClaims, path: Constraint["path"]): Carried {
  const claims = callers.map((caller) => readClaim(caller, path)).filter(isCarried);
  return { claims, masked: isMasked(claims, mask), texts: new Map() };
}

function isCarried(claim: Json | undefined): claim is Json {
  return claim !== undefined && claim !== null;
}

type ClaimSubject = Pick<Finding, "about" | "what">;

/** A condition that wants the path absent expects no caller to carry it. */
function neverCarried(subject: ClaimSubject, same: readonly Constraint[], callers: number): readonly Finding[] {
  if (same.every(({ demand }) => demand === "absent")) return [];
  return [
    toFinding({
      ...subject,
      kind: "claim_never_carried",
      text: `\`${subject.about.name}\` reads \`${subject.what}\`, but none of the last ${callers} callers had this claim.`,
      fix: "Compare the path with a real token: paste one into the preview.",
    }),
  ];
}

function unseenValues(subject: ClaimSubject, same: readonly Constraint[], carried: Carried): readonly Finding[] {
  const unseen = same.flatMap((one) => {
    if (one.demand !== "some" || one.texts === null) return [];
    const had = textsCarried(carried, one);
    return one.texts.filter((text) => !had.has(text));
  });
  const values = [...new Set(unseen)];
  if (values.length === 0) return [];
  const named = listFirst(values, MAX_NAMED_VALUES, (text) => `\`${text}\``);
  return [
    toFinding({
      ...subject,
      kind: "value_never_seen",
      text: `\`${subject.about.name}\` expects ${named} in \`${subject.what}\`, but none of the last ${carried.claims.length} callers with this claim had such a value.`,
      fix: "Check the spelling. Ignore this if the value is new or rare.",
    }),
  ];
}

function textsCarried({ claims, texts }: Carried, one: Constraint): ReadonlySet<string> {
  const way = `${one.words} ${one.folded}`;
  const had = texts.get(way) ?? new Set(claims.flatMap((claim) => carriedTexts(claim, one)));
  texts.set(way, had);
  return had;
}

/** A claim's texts in the form that the matcher compares. */
function carriedTexts(claim: Json, { words, folded }: Constraint): readonly string[] {
  const texts = words && isScalar(claim) ? scopeWords(claim) : (textsOf(claim) ?? []);
  return texts.map((text) => foldCase(text, folded));
}

function isMasked(claims: readonly Json[], mask: string): boolean {
  return claims.some((claim) =>
    typeof claim === "string" ? claim.includes(mask) : claim !== null && isList(claim) && isMasked(claim, mask),
  );
}
