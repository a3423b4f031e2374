import type { Tool } from "@/lib/access/model/configuration";
import { selectorFacts, type SelectorFacts } from "@/lib/access/matching/selectors";

/** Tools by number, and back. */
export interface Numbered {
  readonly all: readonly Tool[];
  readonly numberOf: ReadonlyMap<string, number>;
}

/** Some tools of a numbered catalogue as selectors, lists by hand and declarations look for them. */
export interface Catalogue {
  /** How many tools the whole catalogue has. */
  readonly size: number;
  readonly bySource: ReadonlyMap<string, readonly { readonly number: number; readonly facts: SelectorFacts }[]>;
  readonly declared: ReadonlyMap<string, readonly number[]>;
  readonly numberOf: ReadonlyMap<string, number>;
}

/** Prepares the tools that are wanted, by number; all by default. */
export function toCatalogue({ all }: Numbered, wanted: (number: number) => boolean = () => true): Catalogue {
  const bySource = new Map<string, { number: number; facts: SelectorFacts }[]>();
  const declared = new Map<string, number[]>();
  const numberOf = new Map<string, number>();
  const append = <T>(map: Map<string, T[]>, key: string, value: T): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [value]);
    else list.push(value);
  };
  all.forEach((tool, number) => {
    if (!wanted(number)) return;
    numberOf.set(tool.id, number);
    append(bySource, tool.source, { number, facts: selectorFacts(tool) });
    for (const name of tool.groups ?? []) append(declared, name, number);
  });
  return { size: all.length, bySource, declared, numberOf };
}

/** What became of the tools of one catalogue in another. */
export interface CatalogueChange {
  /** By number before, the number now; −1 when the tool is no longer there, or no longer as it was. */
  readonly movedTo: Int32Array;
  /** The tools that are new, or no longer as they were. */
  readonly others: Catalogue;
}

/** Compares two catalogues by identity: a tool that is the same object has not changed. */
export function catalogueChange(before: Numbered, now: Numbered): CatalogueChange {
  const movedTo = Int32Array.from(before.all, (tool) => {
    const number = now.numberOf.get(tool.id) ?? -1;
    return now.all[number] === tool ? number : -1;
  });
  const stays = new Set(movedTo);
  return { movedTo, others: toCatalogue(now, (number) => !stays.has(number)) };
}
