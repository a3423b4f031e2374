import * as fc from "fast-check";
import type { Configuration, JsonObject } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import type { Outcome } from "@/lib/access/decide/resolution";
import { loadCases, questionOf } from "@/test/access/case";
import { after, steps } from "@/test/access/chains";
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

/** A question after a change of the configuration, and the oracle's answer; what did not change is the same object. */
export interface Changed {
  readonly before: Configuration;
  readonly question: Question;
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
  readonly changed: readonly Changed[];
  readonly judged: readonly Judged[];
}

const seed = 7;

/** Asked once, before the first mutant: the oracle does not change, and takes longer than the core. */
export function expectedAnswers(): Expected {
  const cases = loadCases().map((one) => ({
    name: `${one.file}: ${one.name}`,
    question: questionOf(one),
    calls: one.expect.calls ?? [],
  }));
  const drawn = fc
    .sample(worlds, { seed, numRuns: 400 })
    .map(({ calls, ...question }, at) => ({ name: `world ${at}`, question, calls }));
  return {
    answered: [...cases, ...drawn].map((one) => ({ ...one, seen: seenByOracle(one.question, one.calls) })),
    changed: fc.sample(fc.tuple(worlds, steps), { seed, numRuns: 150 }).flatMap(([world, [step]]) => {
      if (step === undefined) return [];
      const question = after({ configuration: world.configuration, request: world.request, now: world.now }, step);
      return { before: world.configuration, question, seen: seenByOracle(question) };
    }),
    judged: fc
      .sample(fc.tuple(matchers, claims), { seed, numRuns: 4_000 })
      .map(([matcher, input]) => ({ matcher, input, outcome: outcomeOf(matcher, input, NOW) })),
  };
}
