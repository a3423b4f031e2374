import { observesFlows } from "@/lib/access/decide/observed";
import type { Index } from "@/lib/access/compile/compile";
import { holdOf, raisesOf } from "@/lib/access/model/flow";
import type { LabelPreconditions, RaisedLabel } from "@/lib/store/log/executions-rows";
import { findNestedCalls } from "@/lib/store/log/nested-calls";
import type { HeldLabel, LabelHolder } from "@/lib/store/labels/held-labels";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";

/** Who holds the labels of a call's decision, and which: `null` when no rule reads labels (docs/reference/decision.md#flow). */
export interface CallLabels extends LabelHolder {
  readonly held: readonly HeldLabel[] | null;
}

/** The labels of a run. Reads nothing without an active rule, enforced or observed. */
export async function readLabels(
  { issuer, subject, sessionId }: LabelHolder,
  { index }: Snapshot,
  now: number,
  find: (holder: LabelHolder, now: Date) => Promise<readonly HeldLabel[]>,
): Promise<CallLabels> {
  const isRead = index.flows.all.length > 0 || observesFlows(index);
  const held = isRead ? await find({ issuer, subject, sessionId }, new Date(now)) : null;
  return { issuer, subject, sessionId, held };
}

/** The names of held labels, sorted, each once: a run and its caller may hold the same label. */
export function namesOf(held: readonly HeldLabel[] | null): readonly string[] {
  return held === null ? [] : [...new Set(held.map(({ label }) => label))].toSorted();
}

/** The labels that a call of a tool raises, for its run or its caller. */
export function raisesOfCall(
  call: { readonly callId: string; readonly toolId: string; readonly sessionId: string | null; readonly at: Date },
  { index, tools }: Snapshot,
): readonly RaisedLabel[] {
  const tool = tools.get(call.toolId);
  return tool === undefined ? [] : raisesOf(tool, index.config.labels).map((name) => raiseOf(name, call, index));
}

/** One raised label, held for as long as its present definition says. */
function raiseOf(
  label: string,
  { callId, toolId, sessionId, at }: Parameters<typeof raisesOfCall>[0],
  { config }: Index,
): RaisedLabel {
  const { isOfRun, holdMs } = holdOf(label, config.labels);
  const until = Number.isFinite(holdMs) ? new Date(at.getTime() + holdMs) : null;
  return { label, session: isOfRun ? (sessionId ?? "") : "", callId, toolId, at, until };
}

/**
 * The labels that reading an earlier call's answer raises. The answer of a script contains what its nested calls read, so it
 * raises their labels too, even if the tool is no longer a script. A nested call of a deleted tool raises again the labels
 * that it raised then.
 */
export async function raisesOfAnswer(
  answer: { readonly callId: string; readonly toolId: string; readonly sessionId: string | null; readonly at: Date },
  snapshot: Snapshot,
): Promise<readonly RaisedLabel[]> {
  const nested = (await findNestedCalls(answer.callId)).flatMap(({ raised, ...made }) => {
    const call = { ...answer, ...made };
    if (snapshot.tools.has(call.toolId)) return raisesOfCall(call, snapshot);
    return (raised ?? []).map(({ label }) => raiseOf(label, call, snapshot.index));
  });
  const all = [...raisesOfCall(answer, snapshot), ...nested];
  // One statement cannot write the same label twice.
  return all.filter(({ label }, index) => all.findIndex((one) => one.label === label) === index);
}

/**
 * The labels that the caller must still hold when the log's row is written, and those that the call raises. `null` =
 * neither.
 */
export function labelPreconditions(
  { issuer, subject, sessionId, held }: CallLabels,
  raises: readonly RaisedLabel[],
): LabelPreconditions | null {
  if (held === null && raises.length === 0) return null;
  return { issuer, subject, sessionId, held: held === null ? null : namesOf(held), raises };
}
