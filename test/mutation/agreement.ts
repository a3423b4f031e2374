import { inject, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { compileMatcher } from "@/lib/access/matching/compiled-matcher";
import { createResolver } from "@/lib/access/decide/remember";
import { resolve } from "@/lib/access/decide/resolve";
import { expectSame } from "@/test/access/agreement";
import { NOW } from "@/test/access/claim-worlds";
import { expectOneDecision } from "@/test/access/one-decision";
import { seenByCore } from "@/test/access/seen-by-core";
import { oneFieldAway } from "@/test/access/worlds";
import type { Expected } from "@/test/mutation/expected";

// The cases and the property tests of test/access, short enough to run once for every mutant of the core.

declare module "vitest" {
  interface ProvidedContext {
    readonly expected: Expected;
  }
}

const { answered, changed, judged } = inject("expected");

test.each(answered.map((one) => [one.name, one] as const))("%s", (_name, { question, calls, seen }) => {
  expectSame(seenByCore(question, calls), seen);
});

test("list, check, reasons and explanation are one decision", () => {
  for (const { question } of answered.slice(-120)) expectOneDecision(question);
});

test("an index that takes over what did not change answers as one made from nothing", () => {
  for (const { before, question, seen } of changed) {
    const index = compile(question.configuration, compile(before));
    expectSame(seenByCore(question, [], index), seen);
    expectSame(index.errors, compile(question.configuration).errors);
  }
});

test("what matchers yield is what the oracle says", () => {
  for (const { matcher, input, outcome } of judged)
    expectSame([matcher, input, compileMatcher(matcher).test(input, NOW)], [matcher, input, outcome]);
});

test("a remembered answer is the answer", () => {
  const resolver = createResolver();
  const last = answered.slice(-60).map(({ question }) => question);
  last.forEach(({ configuration, request: first, now }, at) => {
    const index = compile(configuration);
    const others = oneFieldAway(first, last[at - 1]?.request ?? first);
    for (const request of [first, structuredClone(first), ...others, first])
      expectSame(resolver.resolve(index, request, now), resolve(index, request, now));
  });
});
