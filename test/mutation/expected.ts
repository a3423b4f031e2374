import * as fc from "fast-check";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serialize } from "node:v8";
import type { TestProject } from "vitest/node";
import type { JsonObject, Matcher } from "@/lib/access/configuration";
import type { Outcome } from "@/lib/access/resolution";
import { loadCases, questionOf } from "@/test/access/case";
import { claims, matchers, NOW } from "@/test/access/claim-worlds";
import { outcomeOf } from "@/test/access/oracle/operators";
import type { Call, Question, Seen } from "@/test/access/seen";
import { seenByOracle } from "@/test/access/seen-by-oracle";
import { worlds } from "@/test/access/worlds";

/** A question and the oracle's whole answer to it. */
export interface Answered {
  readonly name: string;
  readonly question: Question;
  readonly calls: readonly Call[];
  readonly seen: Seen;
}

/** A matcher, claims, and what the oracle says that it yields. */
export interface Judged {
  readonly matcher: Matcher;
  readonly input: JsonObject;
  readonly outcome: Outcome;
}

/** What the core is held to, mutant by mutant. */
export interface Expected {
  readonly answered: readonly Answered[];
  readonly judged: readonly Judged[];
}

declare module "vitest" {
  interface ProvidedContext {
    /** The path of a serialised `Expected`. */
    readonly expected: string;
  }
}

const seed = 7;

/** The oracle is asked once, before the first mutant: it does not change, and takes longer than the core. */
export default function setup(project: TestProject): void {
  const cases = loadCases().map((one) => ({
    name: `${one.file}: ${one.name}`,
    question: questionOf(one),
    calls: one.expect.calls ?? [],
  }));
  const drawn = fc
    .sample(worlds, { seed, numRuns: 400 })
    .map(({ calls, ...question }, at) => ({ name: `world ${at}`, question, calls }));
  const expected: Expected = {
    answered: [...cases, ...drawn].map((one) => ({ ...one, seen: seenByOracle(one.question, one.calls) })),
    judged: fc
      .sample(fc.tuple(matchers, claims), { seed, numRuns: 4_000 })
      .map(([matcher, input]) => ({ matcher, input, outcome: outcomeOf(matcher, input, NOW) })),
  };
  const path = join(tmpdir(), `quartermaster-expected-${process.pid}.bin`);
  writeFileSync(path, serialize(expected));
  project.provide("expected", path);
}
