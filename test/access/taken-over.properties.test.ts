import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile";
import type { Configuration } from "@/lib/access/configuration";
import { resolve } from "@/lib/access/resolve";
import { expectSame } from "@/test/access/agreement";
import { configurations } from "@/test/access/configuration-worlds";
import { chosen, law, some } from "@/test/access/law";
import type { Question } from "@/test/access/seen";
import { seenByCore } from "@/test/access/seen-by-core";
import { singleChanges } from "@/test/access/single-changes";

// Thousands of worlds on a busy machine take their time.
vi.setConfig({ testTimeout: 600_000 });

/** One step of a chain: a single change, or rows of another configuration in place of these and beside them. */
const steps = fc.array(
  fc.oneof(
    fc.record({ tool: some, change: some }),
    fc.record({ other: configurations, rows: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }) }),
  ),
  { minLength: 1, maxLength: 6, size: "max" },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

function after(question: Question, step: Step): Question {
  if ("other" in step) return { ...question, configuration: mixed(question.configuration, step.other, step.rows) };
  const tool = chosen(question.configuration.tools, step.tool);
  return tool === null ? question : (chosen(singleChanges(question, tool, true), step.change)?.after ?? question);
}

/** Rows leave, come, and change under their name; the others stay the same objects. */
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

test("an index that takes over what did not change answers as one made from nothing, along chains of changes", () => {
  let takenOver = 0;
  law(
    steps,
    ({ calls, ...world }, chain) => {
      let index = compile(world.configuration);
      let question: Question = world;
      for (const step of chain) {
        question = after(question, step);
        const known = new Set(index.groups.all.map(({ group }) => group));
        takenOver += question.configuration.groups.filter((group) => known.has(group)).length;
        index = compile(question.configuration, index);
        const rebuilt = compile(question.configuration);
        const still = calls.filter(({ tool }) => index.tools.numberOf.has(tool));
        expectSame(seenByCore(question, still, index), seenByCore(question, still, rebuilt));
        expectSame(resolve(index, question.request, question.now), resolve(rebuilt, question.request, question.now));
        expectSame(index.errors, rebuilt.errors);
      }
    },
    800,
  );
  expect(takenOver).toBeGreaterThan(2_000);
});

test("rows of a configuration read anew are not taken over, and answer the same", () => {
  law(
    fc.constant(null),
    ({ calls: _calls, ...question }) => {
      const before = compile(question.configuration);
      const copied = { ...question, configuration: structuredClone(question.configuration) };
      expectSame(seenByCore(copied, [], compile(copied.configuration, before)), seenByCore(question, [], before));
    },
    300,
  );
});
