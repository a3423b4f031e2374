import * as fc from "fast-check";
import type { Configuration } from "@/lib/access/model/configuration";
import { configurations } from "@/test/access/configuration-worlds";
import { chosen, some } from "@/test/access/law";
import type { Question } from "@/test/access/seen";
import { singleChanges } from "@/test/access/single-changes";

/** Chains of changes to a configuration. A step is a single change, or mixes rows of another configuration in. */
export const steps = fc.array(
  fc.oneof(
    fc.record({ tool: some, change: some }),
    fc.record({ other: configurations, rows: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }) }),
  ),
  { minLength: 1, maxLength: 6, size: "max" },
);
/** One drawn step. */
export type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

/** The question after a step. Rows that the step does not change stay the same objects. */
export function after(question: Question, step: Step): Question {
  if ("other" in step) return { ...question, configuration: mixed(question.configuration, step.other, step.rows) };
  const tool = chosen(question.configuration.tools, step.tool);
  return tool === null ? question : (chosen(singleChanges(question, tool, true), step.change)?.after ?? question);
}

/** Removes, adds and replaces rows; the other rows stay the same objects. */
function mixed(before: Configuration, other: Configuration, stays: readonly boolean[]): Configuration {
  let at = 0;
  const next = (): boolean => stays[at++ % stays.length]!;
  const rows = <Row>(ours: readonly Row[], theirs: readonly Row[], idOf: (row: Row) => string): readonly Row[] => {
    const kept = ours.filter(next);
    const known = new Set(kept.map(idOf));
    return [...kept, ...theirs.filter((row) => next() && !known.has(idOf(row)))];
  };
  return {
    ...before,
    settings: next() ? before.settings : other.settings,
    sources: next() ? before.sources : other.sources,
    tools: rows(before.tools, other.tools, ({ id }) => id),
    groups: rows(before.groups, other.groups, ({ name }) => name),
    policies: rows(before.policies, other.policies, ({ name }) => name),
  };
}
