import type { Index } from "@/lib/access/compile/compile";
import { listChanges, observedInParts, rulesMatching } from "@/lib/access/decide/observed";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import type { Parts } from "@/lib/access/model/parts";
import { MAX_OBSERVED_CHANGES, type PreviewOutput } from "@/lib/contracts/decisions/preview";

/** A caller's request, and the index that decides on it. */
interface ObservedInput {
  readonly index: Index;
  readonly request: ResolveRequest;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The tools that observed rules would show to the caller or hide from it. Compares lists as the log of agents' lists does. */
export function* observedChanges({ index, request, now }: ObservedInput): Parts<PreviewOutput["observed"]> {
  const observed = yield* observedInParts(index);
  const matching = observed === null ? [] : rulesMatching(observed, request, now);
  if (observed === null || matching.length === 0) return { changes: [], more: false };
  const changes = listChanges(index, observed, request, matching, now, MAX_OBSERVED_CHANGES + 1);
  return {
    changes: changes.slice(0, MAX_OBSERVED_CHANGES).map(({ tool, change, rule }) => ({ toolId: tool, change, rule })),
    more: changes.length > MAX_OBSERVED_CHANGES,
  };
}
