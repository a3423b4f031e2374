import type { Index } from "@/lib/access/compile/compile";
import {
  findTrifectaTools,
  firstIds,
  smallestRestriction,
  triangleOf,
  type TrifectaTools,
} from "@/lib/access/flow/trifecta";
import { alternate } from "@/lib/access/model/lists";
import { MAX_NAMED_TOOLS, type TrifectaCaller, type TrifectaOutput } from "@/lib/contracts/decisions/trifecta";
import { loadCallers, type KnownCaller } from "@/lib/admin/callers";
import { DRAFT_MS } from "@/lib/admin/parsed-document";
import { inTurns, runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/**
 * Decides for every known caller whether it can read private data, read untrusted text and then send out. Runs in turns
 * with other requests. Leaves out the callers that are not decided in time, and counts them.
 *
 * @throws AppError `config_unavailable`
 */
export async function listTriangles(signal?: AbortSignal): Promise<TrifectaOutput> {
  const now = Date.now();
  const snapshot = await currentSnapshot();
  const { index, revision } = snapshot;
  const { callers: known, more } = await loadCallers(snapshot);
  const ends = performance.now() + DRAFT_MS;
  const of = await runInTurns(findTrifectaTools(index), DRAFT_MS, signal);
  const callers: TrifectaCaller[] = [];
  // One of each kind in turn, so that personas do not use up the time before an agent is decided.
  for await (const caller of inTurns(alternate(known, ({ kind }) => kind))) {
    // At least one caller is decided, so that the page shows something.
    if (signal?.aborted === true || (callers.length > 0 && performance.now() > ends)) break;
    callers.push(toCaller(caller, { index, of, now }));
  }
  return { revision, callers: callers.toSorted(byOpen), known: known.length, more };
}

interface Sides {
  readonly index: Index;
  readonly of: TrifectaTools;
  readonly now: number;
}

function toCaller({ answer, ...caller }: KnownCaller, { index, of, now }: Sides): TrifectaCaller {
  const none = { count: 0, tools: [] };
  if (!answer.ok) {
    const nothing = { private: none, untrusted: none, outward: none, open: none, smallest: null };
    return { ...caller, refused: answer.message, ...nothing };
  }
  const triangle = triangleOf(index, answer.request, of, now);
  const corner = (numbers: readonly number[]) => ({
    count: numbers.length,
    tools: firstIds(index, of, numbers, MAX_NAMED_TOOLS),
  });
  return {
    ...caller,
    refused: null,
    private: corner(triangle.private),
    untrusted: corner(triangle.untrusted),
    outward: corner(triangle.outward),
    open: corner(triangle.open),
    smallest: triangle.open.length === 0 ? null : smallestRestriction(index, of, triangle.open),
  };
}

/** Open triangles first, those with most tools that send first; then by name. */
function byOpen(left: TrifectaCaller, right: TrifectaCaller): number {
  return right.open.count - left.open.count || left.name.localeCompare(right.name);
}
