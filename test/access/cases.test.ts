import { describe, expect, test } from "vitest";
import { loadCases, questionOf, type Case } from "@/test/access/case";
import type { Selector } from "@/lib/access/model/configuration";
import { BLANK_SELECTOR, clausesIn, isStated } from "@/lib/access/matching/selector-clauses";
import { OPERATORS } from "@/lib/access/model/matcher";
import { parseDocument } from "@/lib/config/document";
import { warningsAtOnce } from "@/lib/config/plan";
import type { Seen } from "@/test/access/seen";
import { expectOneDecision } from "@/test/access/one-decision";
import { seenByCore } from "@/test/access/seen-by-core";
import { seenByOracle } from "@/test/access/seen-by-oracle";

const cases = loadCases();
const resolvers = { core: seenByCore, oracle: seenByOracle };

/** The parts of an answer that a case states, under the case's names. */
function partsOf(seen: Seen, { expect: wanted }: Case): Record<string, unknown> {
  const only = <Value>(record: Readonly<Record<string, Value>>, keys: object | undefined) =>
    Object.fromEntries(Object.keys(keys ?? {}).map((key) => [key, record[key]]));
  const outcomes = Object.fromEntries(
    seen.policies.map(({ name, matchers }) => [name, matchers.map(({ outcome }) => outcome)]),
  );
  const failing = Object.fromEntries(
    Object.entries(seen.failing).map(([tool, steps]) => [tool, steps.map(([step]) => step)]),
  );
  return {
    ...seen,
    hidden: only(seen.hidden, wanted.hidden),
    failing: only(failing, wanted.failing),
    exposedNames: only(seen.exposedNames, wanted.exposedNames),
    groups: only(seen.groups, wanted.groups),
    outcomes: only(outcomes, wanted.outcomes),
    next: only(seen.next, wanted.next),
    missingCapabilities: only(seen.missingCapabilities, wanted.missingCapabilities),
    fixes: only(seen.fixes, wanted.fixes),
    calls: wanted.calls?.map((call, at) => ({
      ...call,
      ...callVerdict(seen.refusals[at] ?? null, call.policy !== undefined),
    })),
  };
}

function callVerdict(refusal: string | null, named: boolean): object {
  return refusal === null ? { allowed: true } : { allowed: false, ...(named ? { policy: refusal } : {}) };
}

describe.each(Object.entries(resolvers))("every case of docs/reference/decision.md holds in the %s", (_name, look) => {
  test.each(cases.map((one) => [`${one.file}: ${one.name}`, one] as const))("%s", (_title, one) => {
    expect(partsOf(look(questionOf(one), one.expect.calls), one)).toMatchObject(one.expect);
  });
});

test.each(cases.map((one) => [`${one.file}: ${one.name}`, one] as const))(
  "list, check, reasons and explanation are one decision: %s",
  (_title, one) => expectOneDecision(questionOf(one)),
);

describe("the cases of operators", () => {
  const tried = cases.flatMap((one) =>
    questionOf(one).configuration.policies.flatMap(({ name, matchers }) =>
      matchers.map(({ operator, claim }, at) => ({
        operator,
        outcome: one.expect.outcomes?.[name]?.[at],
        hasList: Array.isArray(one.request.claims[claim]),
      })),
    ),
  );
  /** The operators that ask only whether a claim is present. Every other operator has four outcomes. */
  const PRESENCE: Readonly<Record<string, readonly string[]>> = {
    exists: ["match", "missing"],
    not_exists: ["match", "no_match"],
  };

  test.each(OPERATORS)("%s has a case of each outcome, and one with a list", (name) => {
    const own = tried.filter(({ operator, outcome }) => operator === name && outcome !== undefined);
    const outcomes = new Set(own.map(({ outcome }) => outcome));
    expect([...outcomes].toSorted()).toEqual(PRESENCE[name] ?? ["match", "missing", "no_match", "uncomparable"]);
    expect(own.some(({ hasList }) => hasList)).toBe(true);
  });
});

describe("the cases of selectors", () => {
  /** Selectors with one stated clause, in cases where some tools are visible and some are not. */
  const alone = cases.flatMap((one) => {
    const { groups, tools } = questionOf(one).configuration;
    const shown = one.expect.visible?.length ?? 0;
    return shown === 0 || shown === tools.length ? [] : groups.flatMap(({ selectors }) => selectors.map(statedIn));
  });

  test.each(clausesIn(BLANK_SELECTOR))("%s alone tells tools apart in a case", (clause) => {
    expect(alone).toContainEqual([clause]);
  });

  function statedIn(selector: Selector): string[] {
    return clausesIn(BLANK_SELECTOR).filter((clause) => isStated(selector[clause]));
  }
});

test("every case has a unique name in its file", () => {
  const names = cases.map(({ file, name }) => `${file}: ${name}`);
  expect(names).toEqual([...new Set(names)]);
});

test("the document of every case without stored rows can be saved: it names only rows that it holds", () => {
  const documents = cases.filter(({ stored }) => stored === undefined);
  const unknown = documents.flatMap(({ file, name, configuration }) => {
    const parsed = parseDocument(configuration);
    const warnings = parsed.ok ? warningsAtOnce(parsed.document) : [];
    return warnings
      .filter(({ path, message }) => message.startsWith("there is no") && !path.startsWith("settings."))
      .map(({ path, message }) => `${file}, ${name}: ${path}: ${message}`);
  });
  expect(unknown).toEqual([]);
});
