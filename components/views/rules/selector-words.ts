import { counted } from "@/components/ui/counted";
import {
  clausesIn,
  isStated,
  LIST_CLAUSES,
  PATTERN_CLAUSES,
  TRAIT_CLAUSES,
} from "@/lib/access/matching/selector-clauses";
import type { Input } from "@/lib/resources";

type Selector = Input<"groups">["selectors"][number];
type ListClause = keyof typeof LIST_CLAUSES;
type TraitClause = keyof typeof TRAIT_CLAUSES;

const FIELD_WORDS = { tags: "tag", labels: "label" } as const;

/** A trait, and its absence. */
const TRAIT_WORDS: Readonly<Record<TraitClause, readonly [string, string]>> = {
  readOnly: ["read-only", "not read-only"],
  hasSideEffects: ["with side effects", "without side effects"],
  destructive: ["destructive", "not destructive"],
};

/** A selector as a sentence. */
export function selectorInWords(selector: Selector): string {
  const patterns = clausesIn(PATTERN_CLAUSES)
    .filter((clause) => isStated(selector[clause]))
    .map((clause) => `${PATTERN_CLAUSES[clause]} ${selector[clause]}`);
  const lists = clausesIn(LIST_CLAUSES)
    .filter((clause) => isStated(selector[clause]))
    .map((clause) => listInWords(clause, selector[clause]));
  const traits = clausesIn(TRAIT_CLAUSES).flatMap((clause) => {
    const wanted = selector[clause];
    return wanted === null ? [] : [traitInWords(clause, wanted)];
  });
  const parts = [...patterns, ...lists];
  if (parts.length + traits.length === 0) return "any tool";
  const subject = parts.length === 0 ? "tools" : `tools with ${parts.join(" and ")}`;
  return [subject, ...traits].join(", ");
}

/**
 * Where the members of a group come from: "tools with tag read; 2 tools included; 1 tool assigned to this group".
 *
 * @param assigned how many members name the group themselves; `undefined` while it is not known
 */
export function membersInWords(
  { selectors, include, exclude }: Pick<Input<"groups">, "selectors" | "include" | "exclude">,
  assigned: number | undefined,
): string {
  const parts = [
    // A tool must match every selector.
    ...(selectors.length === 0 ? [] : [selectors.map(selectorInWords).join(" that are also ")]),
    ...(include.length === 0 ? [] : [`${counted(include.length, "tool")} included`]),
    ...(assigned ? [`${counted(assigned, "tool")} assigned to this group`] : []),
  ];
  if (parts.length === 0) parts.push(assigned === undefined ? "tools assigned to this group" : "no tools yet");
  if (exclude.length > 0) parts.push(`${counted(exclude.length, "tool")} excluded`);
  return parts.join("; ");
}

/** A clause that a tool satisfies: "read-only", "without tag draft", "operation get_*". */
export function clauseInWords(clause: keyof Selector, pattern: string): string {
  if (isTrait(clause)) return traitInWords(clause, pattern === "true");
  if (isList(clause)) return listInWords(clause, [pattern]);
  return `${PATTERN_CLAUSES[clause]} ${pattern}`;
}

/** Why a tool fails a clause: "is not read-only", "has the tag draft", "operation list is not get_*". */
export function failureInWords(clause: keyof Selector, pattern: string, actual: string | null): string {
  if (isTrait(clause)) return `is ${traitInWords(clause, pattern !== "true")}`;
  if (!isList(clause)) return `${PATTERN_CLAUSES[clause]} ${actual ?? "is not stated"} is not ${pattern}`;
  const { field, present } = LIST_CLAUSES[clause];
  return `${present ? "does not have" : "has"} the ${FIELD_WORDS[field]} ${pattern}`;
}

/** The stated patterns, words and traits. */
export function statedIn(selector: Selector): (string | boolean | null)[] {
  return Object.values(selector).filter(isStated).flat();
}

/** `tag read`, `tags read, write`, `without tag draft`. */
function listInWords(clause: ListClause, words: readonly string[]): string {
  const { field, present } = LIST_CLAUSES[clause];
  return `${present ? "" : "without "}${FIELD_WORDS[field]}${words.length === 1 ? "" : "s"} ${words.join(", ")}`;
}

function traitInWords(trait: TraitClause, wanted: boolean): string {
  return TRAIT_WORDS[trait][wanted ? 0 : 1];
}

function isTrait(clause: keyof Selector): clause is TraitClause {
  return clause in TRAIT_CLAUSES;
}

function isList(clause: keyof Selector): clause is ListClause {
  return clause in LIST_CLAUSES;
}
