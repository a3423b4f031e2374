import { emptyBits, hasBit, setBit } from "@/lib/access/model/bitset";
import type { Tool } from "@/lib/access/model/configuration";
import { append } from "@/lib/access/model/lists";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { selectorFacts, type CompiledSelector, type SelectorFacts } from "@/lib/access/matching/selectors";

/** Tools by number, and numbers by tool id. */
export interface Numbered {
  readonly all: readonly Tool[];
  readonly numberOf: ReadonlyMap<string, number>;
}

/** A tool as selectors test it. */
interface Entry {
  readonly number: number;
  readonly facts: SelectorFacts;
}

/** Some tools of a numbered catalogue, indexed for selectors, lists of names and declarations. */
export interface Catalogue {
  /** The number of tools in the whole catalogue. */
  readonly size: number;
  readonly bySource: ReadonlyMap<string, readonly Entry[]>;
  readonly byTag: ReadonlyMap<string, readonly Entry[]>;
  readonly declared: ReadonlyMap<string, readonly number[]>;
  readonly numberOf: ReadonlyMap<string, number>;
}

/** Indexes the wanted tools (by number); all tools by default. */
export function* toCatalogue({ all }: Numbered, wanted: (number: number) => boolean = () => true): Parts<Catalogue> {
  const bySource = new Map<string, Entry[]>();
  const byTag = new Map<string, Entry[]>();
  const declared = new Map<string, number[]>();
  const numberOf = new Map<string, number>();
  yield* inParts(all, (tool, number) => {
    if (!wanted(number)) return;
    numberOf.set(tool.id, number);
    const entry = { number, facts: selectorFacts(tool) };
    append(bySource, tool.source, entry);
    for (const tag of new Set(tool.tags)) append(byTag, tag, entry);
    for (const name of tool.groups ?? []) append(declared, name, number);
  });
  return { size: all.length, bySource, byTag, declared, numberOf };
}

/**
 * The tools that can match all selectors: those with the rarest tag that a selector requires. Without such a tag, the tools
 * of the sources that all selectors can match. Finds them by indexes, because a large configuration has thousands of groups.
 */
export function candidates(
  selectors: readonly CompiledSelector[],
  { bySource, byTag }: Pick<Catalogue, "bySource" | "byTag">,
): readonly (readonly Entry[])[] {
  const [first, ...others] = selectors.flatMap(({ selector }) =>
    selector.requiredTags.map((tag) => byTag.get(tag) ?? []),
  );
  if (first !== undefined)
    return [others.reduce((rarest, list) => (list.length < rarest.length ? list : rarest), first)];
  return [...bySource].flatMap(([source, entries]) =>
    selectors.every((selector) => selector.testSource(source)) ? [entries] : [],
  );
}

/** How the tools of one catalogue changed in another. */
interface CatalogueChange {
  /** By old number, the new number; −1 when the tool is gone or changed. */
  readonly movedTo: Int32Array;
  /** The new and the changed tools. */
  readonly others: Catalogue;
}

/** Compares two catalogues by identity: the same object is an unchanged tool. */
export function* catalogueChange(before: Numbered, now: Numbered): Parts<CatalogueChange> {
  const movedTo = new Int32Array(before.all.length).fill(-1);
  const stays = emptyBits(now.all.length);
  yield* inParts(before.all, (tool, old) => {
    const number = now.numberOf.get(tool.id);
    if (number === undefined || now.all[number] !== tool) return;
    movedTo[old] = number;
    setBit(stays, number);
  });
  return { movedTo, others: yield* toCatalogue(now, (number) => !hasBit(stays, number)) };
}
