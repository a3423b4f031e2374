import { compile, type Index } from "@/lib/access/compile/compile";
import { BLANK_AGENT } from "@/lib/access/model/blank-rows";
import type { Agent, Configuration, Policy } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import type { Finding, FindingKind } from "@/lib/access/findings/finding";
import { findFindingsInParts } from "@/lib/access/findings/findings";
import { atOnce } from "@/lib/access/model/parts";
import { configurationOf } from "@/test/access/case-configuration";

/** The time of these findings, in epoch milliseconds. */
export const NOW = Date.UTC(2026, 2, 31, 12);

/** Rows as a database may hold them: saving would refuse some. */
export const caseConfiguration = (stored: Readonly<Record<string, unknown>>): Configuration =>
  configurationOf({ file: "findings", name: "", configuration: { apiVersion: "quartermaster/v1" }, stored });

/** Two tools with a group each, and a disabled tool. */
export const world = {
  sources: [{ name: "x" }],
  tools: [
    { id: "x:read", tags: ["r"], groups: [] },
    { id: "x:write", tags: ["w"], groups: [] },
  ],
  groups: [
    { name: "readers", selectors: [{ requiredTags: ["r"] }] },
    { name: "writers", selectors: [{ requiredTags: ["w"] }] },
    { name: "off", active: false, include: [{ tool: "x:read" }] },
  ],
};

/** An agent with these fields, and blank others. */
export const agentWith = (fields: Partial<Agent> & { readonly name: string }): Agent => ({ ...BLANK_AGENT, ...fields });

/** The fields of a policy that differ from the defaults. */
export type Given = Omit<Partial<Policy>, "matchers"> & { readonly matchers?: readonly Partial<Matcher>[] };

/** The world above with these policies (named p1, p2 … by default), which grant `readers` by default. */
export function withPolicies(...policies: readonly Given[]): Configuration {
  const everyone = ({ matchers }: Given): boolean => matchers === undefined;
  return caseConfiguration({
    ...world,
    policies: policies.map((one, at) => ({ name: `p${at + 1}`, everyone: everyone(one), groups: ["readers"], ...one })),
  });
}

/** All findings, without a pause. */
export function findFindings(index: Index, now: number): readonly Finding[] {
  return atOnce(findFindingsInParts(index, now));
}

/** The findings of some kinds, at `NOW`. */
export function find(configuration: Configuration, ...kinds: readonly FindingKind[]): readonly Finding[] {
  return findFindings(compile(configuration), NOW).filter(({ kind }) => kinds.includes(kind));
}

/** A matcher. */
export const has = (claim: string, operator: string, value: Matcher["value"] = null): Partial<Matcher> => ({
  claim,
  operator,
  value,
});

/** The parts of findings that people read: the rule, the problem and the fix. */
export const inWords = (findings: readonly Finding[]) =>
  findings.map(({ kind, severity, about, what, text, fix, refs }) => ({
    kind,
    severity,
    about: `${about.kind} ${about.name}`,
    what,
    text,
    fix,
    refs: refs.map(({ kind: of, name }) => `${of} ${name}`),
  }));
