import type { Index } from "@/lib/access/compile/compile";
import { rulesHeld, type CompiledFlowRule } from "@/lib/access/compile/flows";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import { hasBit } from "@/lib/access/model/bitset";
import { holdOf, raisesOf } from "@/lib/access/model/flow";

// Replays logged calls under the flow rules of a configuration (docs/reference/decision.md#flow-impact).

/** Who holds a label: a session, or with `null` the caller. */
export interface LabelOwner {
  readonly issuer: string;
  readonly subject: string;
  readonly session: string | null;
}

/** A logged call, as flow rules read it. */
export interface FlowCall extends LabelOwner {
  readonly callId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly toolId: string;
  /** The call of the script that made this call. */
  readonly parent: string | null;
}

/** A label that is held at a call, and the call that raised it. */
interface ReplayedLabel {
  readonly label: string;
  readonly callId: string;
  readonly toolId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What flow rules do to a call. */
export interface FlowVerdict {
  /** `not_made`: the script that would have made the call is hidden itself. `unknown_tool`: the tool does not exist. */
  readonly kind: "passes" | "hidden" | "waits" | "not_made" | "unknown_tool";
  /** The names of the rules that hide the tool, or let the call wait. */
  readonly rules: readonly string[];
  /** The labels of these rules. */
  readonly raisedBy: readonly ReplayedLabel[];
}

interface Held extends ReplayedLabel {
  /** Epoch milliseconds; infinity = no end. */
  readonly until: number;
}

/** A label that a tool raises. */
interface Raised {
  readonly label: string;
  readonly isOfRun: boolean;
  readonly holdMs: number;
}

const PASSES: FlowVerdict = { kind: "passes", rules: [], raisedBy: [] };
const NOT_MADE: FlowVerdict = { kind: "not_made", rules: [], raisedBy: [] };
const UNKNOWN: FlowVerdict = { kind: "unknown_tool", rules: [], raisedBy: [] };

/** Sets of labels whose rules are remembered. */
const MAX_SETS = 1_000;

/**
 * Replays calls, oldest first, under one configuration. Nobody holds a label before the first call. A call that passes
 * raises its tool's labels; a call that would wait raises them too, as if a person had approved it.
 */
export class FlowReplay {
  readonly #index: Index;
  /** By owner, then by label. */
  readonly #held = new Map<string, Map<string, Held>>();
  readonly #raises = new Map<number, readonly Raised[]>();
  readonly #rules = new BoundedCache<readonly CompiledFlowRule[]>(MAX_SETS);
  /** The calls that are hidden or not made: what they would call is not made. */
  readonly #stopped = new Set<string>();

  constructor(index: Index) {
    this.#index = index;
  }

  /** Decides the next call, and raises its labels. */
  next(call: FlowCall): FlowVerdict {
    if (call.parent !== null && this.#stopped.has(call.parent)) {
      this.#stopped.add(call.callId);
      return NOT_MADE;
    }
    const number = this.#index.tools.numberOf.get(call.toolId);
    if (number === undefined) return UNKNOWN;
    const verdict = this.#judge(call, number);
    if (verdict.kind === "hidden") this.#stopped.add(call.callId);
    else this.#raise(call, number);
    return verdict;
  }

  /** Takes a label from one owner, as a person did. */
  clear(owner: LabelOwner, label: string): void {
    this.#held.get(keyOf(owner))?.delete(label);
  }

  #judge(call: FlowCall, number: number): FlowVerdict {
    if (this.#index.flows.all.length === 0) return PASSES;
    const held = this.#heldAt(call);
    const restricting = this.#rulesOf(held).filter(({ passing }) => !hasBit(passing, number));
    if (restricting.length === 0) return PASSES;
    const hiding = restricting.filter(({ rule }) => rule.effect === "hide");
    const deciding = (hiding.length > 0 ? hiding : restricting).map(({ rule }) => rule);
    const labels = new Set(deciding.flatMap(({ when }) => when));
    return {
      kind: hiding.length > 0 ? "hidden" : "waits",
      rules: deciding.map(({ name }) => name),
      raisedBy: [...held.values()].flatMap(({ until: _until, ...raised }) =>
        labels.has(raised.label) ? [raised] : [],
      ),
    };
  }

  /** The labels of the run and of its caller; of two equal ones, the one that was raised first. */
  #heldAt({ at, ...call }: FlowCall): ReadonlyMap<string, Held> {
    const all = new Map<string, Held>();
    for (const owner of call.session === null ? [call] : [{ ...call, session: null }, call])
      for (const held of this.#held.get(keyOf(owner))?.values() ?? []) {
        const known = all.get(held.label);
        if (held.until > at && (known === undefined || held.at < known.at)) all.set(held.label, held);
      }
    return all;
  }

  #rulesOf(held: ReadonlyMap<string, Held>): readonly CompiledFlowRule[] {
    const labels = [...held.keys()].toSorted();
    const key = JSON.stringify(labels);
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    const rules = rulesHeld(this.#index.flows, labels);
    this.#rules.set(key, rules, 1);
    return rules;
  }

  /** A raise prolongs a held label, which keeps the call that raised it first. */
  #raise({ callId, toolId, at, ...call }: FlowCall, number: number): void {
    for (const { label, isOfRun, holdMs } of this.#raisedBy(number)) {
      const key = keyOf(isOfRun ? call : { ...call, session: null });
      const labels = this.#held.get(key) ?? new Map<string, Held>();
      this.#held.set(key, labels);
      const known = labels.get(label);
      const until = Math.max(at + holdMs, known?.until ?? 0);
      labels.set(
        label,
        known !== undefined && known.until > at ? { ...known, until } : { label, callId, toolId, at, until },
      );
    }
  }

  #raisedBy(number: number): readonly Raised[] {
    const known = this.#raises.get(number);
    if (known !== undefined) return known;
    const tool = this.#index.tools.all[number];
    const { labels } = this.#index.config;
    const raises =
      tool === undefined ? [] : raisesOf(tool, labels).map((label) => ({ label, ...holdOf(label, labels) }));
    this.#raises.set(number, raises);
    return raises;
  }
}

function keyOf({ issuer, subject, session }: LabelOwner): string {
  return JSON.stringify([issuer, subject, session]);
}
