import { inject, test } from "vitest";
import { compile } from "@/lib/access/compile";
import { compileMatcher } from "@/lib/access/operators";
import { createResolver } from "@/lib/access/remember";
import { resolve } from "@/lib/access/resolve";
import { expectSame } from "@/test/access/agreement";
import { NOW } from "@/test/access/claim-worlds";
import { seenByCore } from "@/test/access/seen-by-core";
import type { Expected } from "@/test/mutation/expected";

// The cases and the property tests of test/access, short enough to run once for every mutant of the core.

declare module "vitest" {
  interface ProvidedContext {
    readonly expected: Expected;
  }
}

const { answered, judged } = inject("expected");

test.each(answered.map((one) => [one.name, one] as const))("%s", (_name, { question, calls, seen }) => {
  expectSame(seenByCore(question, calls), seen);
});

test("what matchers yield is what the oracle says", () => {
  for (const { matcher, input, outcome } of judged)
    expectSame([matcher, input, compileMatcher(matcher).test(input, NOW)], [matcher, input, outcome]);
});

test("a remembered answer is the answer", () => {
  const resolver = createResolver();
  for (const { question } of answered.slice(-100)) {
    const index = compile(question.configuration);
    const answer = resolve(index, question.request, question.now);
    for (const request of [question.request, structuredClone(question.request)])
      expectSame(resolver.resolve(index, request, question.now), answer);
  }
});
