import { compile, compileInParts, type Index } from "@/lib/access/compile/compile";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Configuration, DriftAcceptance, Json, Selector } from "@/lib/access/model/configuration";
import { toolAt } from "@/lib/access/decide/entries";
import { atOnce, inParts, type Parts } from "@/lib/access/model/parts";
import { makePlan } from "@/lib/access/decide/plan";
import { isProblem } from "@/lib/access/model/problem";
import { toRequest } from "@/lib/access/model/request";
import { unknownGroups, visibleEntry, visibleNumbers } from "@/lib/access/decide/resolve";
import { compileSelector, selectorFacts, type SelectorFacts } from "@/lib/access/matching/selectors";
import { firstFailure } from "@/lib/access/explain/steps";
import { configDocument, configurationInParts, type ConfigDocument } from "@/lib/config/document";
import type { DocumentProblem } from "@/lib/config/problems";
import { assertionWarning } from "@/lib/contracts/changes/assertion-warning";
import type { AssertionInput } from "@/lib/resources/assertion";
import { resources } from "@/lib/resources/index";

/** The result of an assertion; it holds when there are no problems. */
export interface AssertionResult {
  readonly name: string;
  readonly passed: boolean;
  /** One sentence per problem, with the tool and, for a hidden tool, the reason code. */
  readonly problems: readonly string[];
}

/**
 * Runs visibility tests on a configuration with the resolver. Pure.
 * @param now epoch milliseconds of the decision
 */
export function runAssertions(
  configuration: Configuration,
  assertions: readonly AssertionInput[],
  now: number,
): AssertionResult[] {
  return atOnce(runAssertionsOn(compile(configuration), assertions, now));
}

/** Runs visibility tests on a compiled configuration. In parts: one test may select thousands of tools many times. */
export function* runAssertionsOn(
  index: Index,
  assertions: readonly AssertionInput[],
  now: number,
): Parts<AssertionResult[]> {
  const results: AssertionResult[] = [];
  for (const assertion of assertions) {
    yield;
    const problems = [...(yield* problemsOf(index, assertion, now)).values()];
    results.push({ name: assertion.name, passed: problems.length === 0, problems });
  }
  return results;
}

interface ChangedDocument {
  readonly before: ConfigDocument;
  readonly after: ConfigDocument;
}

/**
 * Finds the assertions that a change makes fail, as warnings of its plan. Leaves out problems that an unchanged assertion
 * has before the change too. When a row does not parse, a warning says that the assertions were not run. In parts, because
 * it builds the whole configuration.
 * @param driftAcceptances of the installation: no document holds them
 */
export function* newFailures(
  { before, after }: ChangedDocument,
  driftAcceptances: readonly DriftAcceptance[],
  now: number,
): Parts<DocumentProblem[]> {
  const failing = yield* failingIn(after, driftAcceptances, now);
  if (failing === null)
    return [{ path: "assertions", message: "not run: a stored row is not valid, correct or delete it" }];
  if (failing.length === 0) return [];
  const names = new Set(failing.map(({ assertion }) => assertion.name));
  const assertions = before.assertions?.filter(({ name }) => names.has(name)) ?? [];
  const failed = (yield* failingIn({ ...before, assertions }, driftAcceptances, now)) ?? [];
  const known = new Map(failed.map((one) => [textOf(one.assertion), one.problems]));
  return failing.flatMap(({ assertion, problems }) => {
    const old = known.get(textOf(assertion));
    const gained = [...problems].flatMap(([of, problem]) => (old?.has(of) === true ? [] : [problem]));
    return gained.length === 0 ? [] : [assertionWarning({ name: assertion.name, problems: gained }, "would fail")];
  });
}

/** An assertion that fails in a document. */
interface Failing {
  readonly assertion: AssertionInput;
  readonly problems: Problems;
}

/** The assertions of a complete document that fail in it; `null` when a row does not parse. */
function* failingIn(
  document: ConfigDocument,
  driftAcceptances: readonly DriftAcceptance[],
  now: number,
): Parts<readonly Failing[] | null> {
  if (document.assertions === undefined || document.assertions.length === 0) return [];
  const parsed = yield* parsedInParts(document);
  if (parsed === null) return null;
  const index = yield* compileInParts(yield* configurationInParts(parsed, { driftAcceptances }));
  const failing: Failing[] = [];
  for (const assertion of parsed.assertions ?? []) {
    yield;
    const problems = yield* problemsOf(index, assertion, now);
    if (problems.size > 0) failing.push({ assertion, problems });
  }
  return failing;
}

/** Equal for an assertion that a change leaves as it is. */
function textOf(assertion: AssertionInput): string {
  return canonicalText(assertion as unknown as Json);
}

/** `null` when a row does not parse. In parts, because tools alone come in thousands. */
function* parsedInParts(document: ConfigDocument): Parts<ConfigDocument | null> {
  const { tools, ...rest } = document;
  const parsed = configDocument.safeParse(rest);
  if (!parsed.success || tools === undefined) return parsed.data ?? null;
  const read: (typeof tools)[number][] = [];
  for (const tool of tools) {
    yield;
    const one = resources.tools.input.safeParse(tool);
    if (!one.success) return null;
    read.push(one.data);
  }
  return { ...parsed.data, tools: read };
}

/**
 * One sentence per expectation that is not met, with the tool and, for a hidden tool, the reason code. The key names the
 * expectation, so that it stays the same when only the reason changes.
 */
type Problems = ReadonlyMap<string, string>;

function* problemsOf(index: Index, { given, expect }: AssertionInput, now: number): Parts<Problems> {
  const { persona: name, claims, ...fields } = given;
  const persona = index.config.personas.find((one) => one.name === name);
  const caller = {
    // Without claims in the assertion, the persona's sample claims apply, as in the preview.
    claims: Object.keys(claims).length === 0 && persona !== undefined ? persona.sampleClaims : claims,
    agent: null,
    issuer: null,
  };
  // As in a preview, the given state counts as a session's state.
  const built = toRequest(index, caller, { ...fields, persona: name, fromSession: true });
  if (!built.ok) return new Map([[`given.${built.path}`, `given.${built.path}: ${built.message}`]]);
  const plan = makePlan(index, built.request, now);
  // Numbers, not entries: the sentences need only a few of thousands of entries.
  const visible = new Set(visibleNumbers(index, built.request, now).map((number) => toolAt(index, number).id));
  const numberOf = (id: string) => index.tools.numberOf.get(id) ?? -1;
  const hiddenBy = (id: string) => (numberOf(id) < 0 ? "no such tool" : firstFailure(plan, numberOf(id))?.reason);
  const through = (id: string) => throughGroups(visibleEntry(plan, numberOf(id)).groups);
  const wanted = yield* namedInParts(index, expect.visible);
  // A tool may be named twice: by its id and by a selector.
  const problems = new Map<string, string>();
  // An unknown group shows no tool, so every `hidden` would hold for this reason alone.
  for (const group of unknownGroups(index, built.request))
    problems.set(`group ${group}`, `given.group: there is no tool group \`${group}\``);
  for (const { text, ids } of wanted) {
    if (ids.length === 0) problems.set(`selected ${text}`, `expected visible: no tool is ${text}`);
    yield* inParts(ids, (id) => {
      if (!visible.has(id))
        problems.set(`visible ${id}`, `\`${id}\` should be visible and is hidden (${hiddenBy(id)})`);
    });
  }
  for (const { ids } of yield* namedInParts(index, expect.hidden))
    yield* inParts(ids, (id) => {
      if (visible.has(id)) problems.set(`hidden ${id}`, `\`${id}\` should be hidden and is visible${through(id)}`);
    });
  for (const id of expect.exactly ? unexpectedTools(visible, wanted) : [])
    problems.set(`exactly ${id}`, `\`${id}\` is visible${through(id)} and was not expected`);
  return problems;
}

/** The visible tools that the assertion does not name. */
function unexpectedTools(visible: ReadonlySet<string>, wanted: readonly Named[]): string[] {
  const named = new Set(wanted.flatMap(({ ids }) => ids));
  return [...visible].filter((id) => !named.has(id));
}

function throughGroups(groups: readonly string[]): string {
  return groups.length === 0 ? "" : ` through ${groups.map((group) => `\`${group}\``).join(", ")}`;
}

interface Named {
  readonly text: string;
  readonly ids: readonly string[];
}

/** What each expectation names, with a pause after each: a selector tests every tool. */
function* namedInParts({ tools }: Index, expected: readonly (string | Selector)[]): Parts<Named[]> {
  const named: Named[] = [];
  for (const what of expected) {
    named.push(namedBy(typeof what === "string" ? [] : yield* factsOf(tools), what));
    yield;
  }
  return named;
}

/** The facts of all tools, prepared once for all selectors. */
const preparedFacts = new WeakMap<Index["tools"], readonly SelectorFacts[]>();

function* factsOf(tools: Index["tools"]): Parts<readonly SelectorFacts[]> {
  const known = preparedFacts.get(tools);
  if (known !== undefined) return known;
  const facts: SelectorFacts[] = [];
  yield* inParts(tools.all, (tool) => facts.push(selectorFacts(tool)));
  preparedFacts.set(tools, facts);
  return facts;
}

/** The ids that a tool id or a selector names. An unknown tool id names itself, and is never visible. */
function namedBy(tools: readonly SelectorFacts[], what: string | Selector): Named {
  if (typeof what === "string") return { text: `\`${what}\``, ids: [what] };
  const selector = compileSelector(what);
  const text = `selected by ${JSON.stringify(statedClauses(what))}`;
  if (isProblem(selector)) return { text, ids: [] };
  return { text, ids: tools.filter(selector.test).map(({ tool }) => tool.id) };
}

function statedClauses(selector: Selector): object {
  return Object.fromEntries(
    Object.entries(selector).filter(
      ([, part]) => part !== null && part !== "" && !(Array.isArray(part) && part.length === 0),
    ),
  );
}
