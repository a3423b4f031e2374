import { isList, readClaim } from "@/lib/access/model/claims";
import { scopeWords, textsOf } from "@/lib/access/matching/claim-tests";
import type { Index } from "@/lib/access/compile/compile";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { toFinding, type Finding } from "@/lib/access/findings/finding";
import { toConstraints, type Constraint } from "@/lib/access/findings/constraints";
import { foldCase, isScalar } from "@/lib/access/model/scalars";

/** What recent callers carried, one entry a distinct caller, and what the log never says. */
export interface SeenClaims {
  readonly callers: readonly JsonObject[];
  /** Outermost claim names that are not kept: nothing is known of them. */
  readonly unkept: ReadonlySet<string>;
  /** What stands where a value was masked: such a claim could have held anything. */
  readonly mask: string;
}

/** Fewer distinct callers say nothing about what callers carry. */
export const FEWEST_CALLERS = 5;
/** The most values that one sentence names. */
const MOST_NAMED = 5;

/** Claim paths that no recent caller carries, and values that none of those who carry the claim has. */
export function findUnseenClaims(index: Index, seen: SeenClaims): readonly Finding[] {
  if (seen.callers.length < FEWEST_CALLERS) return [];
  const carried = new Map<string, Carried>();
  return index.policies.flatMap((compiled) => {
    if (!compiled.policy.active) return [];
    const { byPath } = toConstraints(compiled);
    return [...byPath].flatMap(([key, same]) => {
      const path = same[0]?.path;
      if (path === undefined || path.hopeless || seen.unkept.has(String(path.steps[0]))) return [];
      const known = carried.get(key) ?? toCarried(seen, path);
      carried.set(key, known);
      const { claims, masked } = known;
      const said = { about: { kind: "policy" as const, name: compiled.policy.name }, what: path.text };
      if (claims.length === 0) return neverCarried(said, same, seen.callers.length);
      return claims.length < FEWEST_CALLERS || masked ? [] : unseenValues(said, same, known);
    });
  });
}

/** What callers carried under one path: read once, however many policies ask. */
interface Carried {
  readonly claims: readonly Json[];
  /** One of them is masked. */
  readonly masked: boolean;
  /** Their texts, by the way that matchers compare them. */
  readonly texts: Map<string, ReadonlySet<string>>;
}

function toCarried({ callers, mask }: SeenClaims, path: Constraint["path"]): Carried {
  const claims = callers.map((caller) => readClaim(caller, path)).filter(isCarried);
  return { claims, masked: isMasked(claims, mask), texts: new Map() };
}

function isCarried(claim: Json | undefined): claim is Json {
  return claim !== undefined && claim !== null;
}

type Said = Pick<Finding, "about" | "what">;

/** A path that must be absent is meant to be carried by nobody. */
function neverCarried(said: Said, same: readonly Constraint[], callers: number): readonly Finding[] {
  if (same.every(({ demand }) => demand === "absent")) return [];
  return [
    toFinding({
      ...said,
      kind: "claim_never_carried",
      text: `\`${said.about.name}\` reads \`${said.what}\`, which none of the last ${callers} distinct callers carried.`,
      fix: "Check the path against a real token: paste one into the preview.",
    }),
  ];
}

function unseenValues(said: Said, same: readonly Constraint[], carried: Carried): readonly Finding[] {
  const unseen = same.flatMap((one) => {
    if (one.demand !== "some" || one.texts === null) return [];
    const had = textsCarried(carried, one);
    return one.texts.filter((text) => !had.has(text));
  });
  const values = [...new Set(unseen)];
  if (values.length === 0) return [];
  const more = values.length > MOST_NAMED ? ` and ${values.length - MOST_NAMED} more` : "";
  const named = values.slice(0, MOST_NAMED).map((text) => `\`${text}\``);
  return [
    toFinding({
      ...said,
      kind: "value_never_seen",
      text: `\`${said.about.name}\` asks for ${named.join(", ")}${more} in \`${said.what}\`: none of the last ${carried.claims.length} distinct callers who carried it had that.`,
      fix: "Check the spelling; a value that is new or rare is fine.",
    }),
  ];
}

function textsCarried({ claims, texts }: Carried, one: Constraint): ReadonlySet<string> {
  const way = `${one.words} ${one.folded}`;
  const had = texts.get(way) ?? new Set(claims.flatMap((claim) => carriedTexts(claim, one)));
  texts.set(way, had);
  return had;
}

/** A claim's texts as the matcher compares them. */
function carriedTexts(claim: Json, { words, folded }: Constraint): readonly string[] {
  const texts = words && isScalar(claim) ? scopeWords(claim) : (textsOf(claim) ?? []);
  return texts.map((text) => foldCase(text, folded));
}

function isMasked(claims: readonly Json[], mask: string): boolean {
  return claims.some((claim) =>
    typeof claim === "string" ? claim.includes(mask) : claim !== null && isList(claim) && isMasked(claim, mask),
  );
}
