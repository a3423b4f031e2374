import { compile, type Index } from "@/lib/access/compile";
import type { Configuration, DriftAcceptance, Selector, Tool } from "@/lib/access/configuration";
import { reasons } from "@/lib/access/hidden";
import { isProblem } from "@/lib/access/problem";
import { toRequest } from "@/lib/access/request";
import { resolve } from "@/lib/access/resolve";
import { compileSelector, selectorFacts } from "@/lib/access/selectors";
import { configDocument, toConfiguration, type ConfigDocument } from "@/lib/config/document";
import type { DocumentProblem } from "@/lib/config/problems";
import type { AssertionInput } from "@/lib/resources/assertion";

/** What an assertion expected and did not find; no problems = it holds. */
export interface AssertionResult {
  readonly name: string;
  readonly passed: boolean;
  /** One sentence each, naming the tool and, for a hidden one, the reason code. */
  readonly problems: readonly string[];
}

/**
 * Runs visibility tests on a configuration through the one resolver. Pure.
 *
 * @param now epoch milliseconds of the decision
 */
export function runAssertions(
  configuration: Configuration,
  assertions: readonly AssertionInput[],
  now: number,
): AssertionResult[] {
  return runAssertionsOn(compile(configuration), assertions, now);
}

/** The same on a configuration that is compiled. */
export function runAssertionsOn(index: Index, assertions: readonly AssertionInput[], now: number): AssertionResult[] {
  return assertions.map((assertion) => {
    const problems = problemsOf(index, assertion, now);
    return { name: assertion.name, passed: problems.length === 0, problems };
  });
}

/**
 * The assertions of a complete document that do not hold in it, as warnings of its plan. Where a row does not
 * parse nothing can be said, and that is said.
 *
 * @param driftAcceptances of the installation: they are no part of a document
 */
export function redAssertions(
  document: ConfigDocument,
  driftAcceptances: readonly DriftAcceptance[],
  now: number,
): DocumentProblem[] {
  if (document.assertions === undefined || document.assertions.length === 0) return [];
  const parsed = configDocument.safeParse(document);
  if (!parsed.success)
    return [{ path: "assertions", message: "not run: a stored row does not parse, repair or delete it" }];
  const { assertions = [] } = parsed.data;
  return runAssertions(toConfiguration(parsed.data, { driftAcceptances }), assertions, now)
    .filter(({ passed }) => !passed)
    .map(({ name, problems }) => ({ path: `assertions[${name}]`, message: `would not hold: ${problems.join("; ")}` }));
}

function problemsOf(index: Index, { given, expect }: AssertionInput, now: number): string[] {
  const { persona: name, claims, ...asked } = given;
  const persona = index.config.personas.find((one) => one.name === name);
  const caller = {
    // A persona without claims of the assertion's own is tried with its sample claims, as in the preview.
    claims: Object.keys(claims).length === 0 && persona !== undefined ? persona.sampleClaims : claims,
    agent: null,
    issuer: null,
  };
  const built = toRequest(index, caller, { ...asked, persona: name });
  if (!built.ok) return [`given.${built.path}: ${built.message}`];
  const visible = new Map(resolve(index, built.request, now).tools.map(({ tool, groups }) => [tool.id, groups]));
  const hidden = new Map(reasons(index, built.request, now).map((one) => [one.tool.id, one.reason]));
  const wanted = expect.visible.map((what) => namedBy(index, what));
  return [
    ...wanted.flatMap(({ text, ids }) => [
      ...(ids.length === 0 ? [`expected visible: no tool is ${text}`] : []),
      ...ids
        .filter((id) => !visible.has(id))
        .map((id) => `\`${id}\` should be visible and is hidden (${hidden.get(id) ?? "no such tool"})`),
    ]),
    ...expect.hidden
      .flatMap((what) => namedBy(index, what).ids)
      .filter((id) => visible.has(id))
      .map((id) => `\`${id}\` should be hidden and is visible${through(visible.get(id))}`),
    ...(expect.exactly ? beyond(visible, new Set(wanted.flatMap(({ ids }) => ids))) : []),
  ];
}

/** Visible tools by id, with the groups that let each through. */
type Visible = ReadonlyMap<string, readonly string[]>;

function beyond(visible: Visible, wanted: ReadonlySet<string>): string[] {
  const others = [...visible].filter(([id]) => !wanted.has(id));
  return others.map(([id, groups]) => `\`${id}\` is visible${through(groups)} and was not expected`);
}

function through(groups: readonly string[] = []): string {
  return groups.length === 0 ? "" : ` through ${groups.map((group) => `\`${group}\``).join(", ")}`;
}

/** The ids that a tool id or a selector names; an unknown tool id names itself, and so is never visible. */
function namedBy({ tools }: Index, what: string | Selector): { text: string; ids: string[] } {
  if (typeof what === "string") return { text: `\`${what}\``, ids: [what] };
  const selector = compileSelector(what);
  const text = `selected by ${JSON.stringify(stated(what))}`;
  if (isProblem(selector)) return { text, ids: [] };
  return { text, ids: tools.all.filter((tool: Tool) => selector.test(selectorFacts(tool))).map((tool) => tool.id) };
}

function stated(selector: Selector): object {
  return Object.fromEntries(
    Object.entries(selector).filter(
      ([, part]) => part !== null && part !== "" && !(Array.isArray(part) && part.length === 0),
    ),
  );
}
