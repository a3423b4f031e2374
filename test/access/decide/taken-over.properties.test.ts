import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { resolve } from "@/lib/access/decide/resolve";
import { expectSame } from "@/test/access/agreement";
import { after, steps } from "@/test/access/chains";
import { law } from "@/test/access/law";
import type { Question } from "@/test/access/seen";
import { seenByCore } from "@/test/access/seen-by-core";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

test("an index that reuses unchanged parts answers like a new one, along chains of changes", () => {
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

test("rows that are read again are not reused, and give the same decisions", () => {
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
