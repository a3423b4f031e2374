import { inAnyState, makePlan } from "@/lib/access/decide/plan";
import { visibleTools } from "@/lib/access/decide/resolve";
import { rulesHeld } from "@/lib/access/compile/flows";
import type { Index } from "@/lib/access/compile/compile";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { hasBit } from "@/lib/access/model/bitset";
import { classesOf, raisesOf, OUTWARD, PRIVATE, UNTRUSTED } from "@/lib/access/model/flow";
import { inParts, sortedInParts, type Parts } from "@/lib/access/model/parts";

// Which callers can read private data, read untrusted text and then send (docs/reference/decision.md#trifecta).

/** The tools (by number) that take part in a triangle, found once for all callers. */
export interface TrifectaTools {
  readonly private: ReadonlySet<number>;
  readonly untrusted: ReadonlySet<number>;
  readonly outward: ReadonlySet<number>;
  /** By tool, the classes of the tools that send out. */
  readonly classes: ReadonlyMap<number, readonly string[]>;
  /** By class, the number of its tools. */
  readonly sizes: ReadonlyMap<string, number>;
  /** By tool, its place in the order of ids: comparing numbers costs far less than comparing ids for every caller. */
  readonly placeOf: Uint32Array;
}

/** What one caller can do, each with the numbers of the tools. */
export interface Triangle {
  readonly private: readonly number[];
  readonly untrusted: readonly number[];
  /** The tools that send out for a caller that holds no label. */
  readonly outward: readonly number[];
  /** The tools that still send out, without an approval, once the caller has read both; empty = the triangle is closed. */
  readonly open: readonly number[];
}

/** Finds the tools that read private data, read untrusted text, or send out. */
export function* findTrifectaTools({ config, tools }: Index): Parts<TrifectaTools> {
  const found = { private: new Set<number>(), untrusted: new Set<number>(), outward: new Set<number>() };
  const [classes, sizes] = [new Map<number, readonly string[]>(), new Map<string, number>()];
  yield* inParts(tools.all, (tool, number) => {
    const raises = raisesOf(tool, config.labels);
    if (raises.includes(PRIVATE)) found.private.add(number);
    if (raises.includes(UNTRUSTED)) found.untrusted.add(number);
    const own = classesOf(tool);
    for (const is of new Set(own)) sizes.set(is, (sizes.get(is) ?? 0) + 1);
    if (!own.includes(OUTWARD)) return;
    found.outward.add(number);
    classes.set(number, own);
  });
  const idOf = (number: number) => tools.all[number]?.id ?? "";
  const order = yield* sortedInParts(Array.from(tools.all.keys()), (left, right) =>
    idOf(left) < idOf(right) ? -1 : 1,
  );
  const placeOf = new Uint32Array(tools.all.length);
  order.forEach((number, place) => (placeOf[number] = place));
  return { ...found, classes, sizes, placeOf };
}

/**
 * Decides the triangle of one caller with the resolver, in any state and under each set of labels that its calls can reach.
 * Other labels do not count: they could only hide more tools. The request's groups and intent do not count either: the
 * caller chooses them.
 */
export function triangleOf(index: Index, request: ResolveRequest, of: TrifectaTools, now: number): Triangle {
  const widest = { ...request, group: null, intent: null };
  const seen = (labels: readonly string[]) => visibleTools(inAnyState(makePlan(index, { ...widest, labels }, now)));
  const at = seen([]);
  const base = {
    private: at.filter((number) => of.private.has(number)),
    untrusted: at.filter((number) => of.untrusted.has(number)),
    outward: at.filter((number) => of.outward.has(number)),
  };
  if (base.private.length === 0 || base.untrusted.length === 0 || base.outward.length === 0)
    return { ...base, open: [] };
  // Without rules, labels change nothing.
  if (index.flows.all.length === 0) return { ...base, open: base.outward };
  const both = [PRIVATE, UNTRUSTED];
  if (!readsBoth(base, of, seen)) return { ...base, open: [] };
  const asking = rulesHeld(index.flows, both).filter(({ rule }) => rule.effect === "approve");
  const open = seen(both).filter(
    (number) => of.outward.has(number) && asking.every(({ passing }) => hasBit(passing, number)),
  );
  return { ...base, open };
}

/** Whether the caller can come to hold both labels: with one call, or with a call that the first label still leaves. */
function readsBoth(
  base: Pick<Triangle, "private" | "untrusted">,
  of: TrifectaTools,
  seen: (labels: readonly string[]) => readonly number[],
): boolean {
  return (
    base.private.some((number) => of.untrusted.has(number)) ||
    seen([PRIVATE]).some((number) => of.untrusted.has(number)) ||
    seen([UNTRUSTED]).some((number) => of.private.has(number))
  );
}

/** The restriction of a rule: one tool, or a class. */
interface SmallestRestriction {
  readonly is: string | null;
  readonly tool: string | null;
  /** The number of tools that it restricts. */
  readonly tools: number;
}

/**
 * The one restriction that closes an open triangle and restricts the fewest tools: the open tool alone, or the smallest
 * class that all open tools share.
 */
export function smallestRestriction(
  { tools }: Index,
  { classes, sizes }: TrifectaTools,
  open: readonly number[],
): SmallestRestriction {
  const [first, ...others] = open;
  const only = first === undefined ? undefined : tools.all[first];
  if (only !== undefined && others.length === 0) return { is: null, tool: only.id, tools: 1 };
  const isShared = (is: string) => others.every((number) => classes.get(number)?.includes(is) === true);
  const shared = first === undefined ? [] : (classes.get(first) ?? []).filter(isShared);
  const sized = shared.map((is) => ({ is, tool: null, tools: sizes.get(is) ?? 0 }));
  const none = { is: OUTWARD, tool: null, tools: sizes.get(OUTWARD) ?? 0 };
  return sized.toSorted((left, right) => left.tools - right.tools)[0] ?? none;
}

/** The first ids of tools, in their order. Sorts none of the others: a caller may have thousands. */
export function firstIds(
  { tools }: Index,
  { placeOf }: TrifectaTools,
  numbers: readonly number[],
  most: number,
): string[] {
  const first: number[] = [];
  const places: number[] = [];
  for (const number of numbers) {
    const place = placeOf[number];
    if (place === undefined || (places.length === most && place >= (places[most - 1] ?? 0))) continue;
    let at = places.length;
    while (at > 0 && (places[at - 1] ?? 0) > place) at -= 1;
    places.splice(at, 0, place);
    first.splice(at, 0, number);
    if (places.length > most) [places, first].forEach((list) => list.pop());
  }
  return first.flatMap((number) => tools.all[number]?.id ?? []);
}
