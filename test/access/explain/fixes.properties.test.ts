import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Tool } from "@/lib/access/model/configuration";
import { explain } from "@/lib/access/explain/explain";
import { check } from "@/lib/access/decide/resolve";
import type { Explanation } from "@/lib/access/decide/resolution";
import type { Question } from "@/test/access/seen";
import { forEachOf } from "@/test/access/law";
import { singleChanges } from "@/test/access/single-changes";
import { worlds } from "@/test/access/worlds";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

/** A hidden tool of a world, with its explanation. */
const hidden = fc.tuple(worlds, fc.nat({ max: 100 })).map(([question, at]) => {
  const index = compile(question.configuration);
  const explanations = question.configuration.tools.map(({ id }) => explain(index, question.request, id, question.now));
  const candidates = explanations.filter((one): one is Explanation => one?.fix?.size !== undefined);
  return { question, explanation: candidates[at % Math.max(candidates.length, 1)] ?? null };
});

const forEachHidden = forEachOf(hidden, { seed: 42, numRuns: 800 });

function shows(question: Question, { id }: Tool): boolean {
  return check(compile(question.configuration), question.request, id, question.now).verdict === "visible";
}

const fails = ({ steps }: Explanation, name: string) => steps.some(({ step, passed }) => step === name && !passed);

test("no single change shows a tool whose fix has more than one", () => {
  forEachHidden(({ question, explanation }) => {
    if (explanation === null || (explanation.fix?.size ?? 0) < 2) return;
    // Joining a group of the tier fixes two steps at once, but the fix counts them separately.
    const changes = singleChanges(question, explanation.tool, !fails(explanation, "tier"));
    const showing = changes.filter(({ after }) => shows(after, explanation.tool));
    expect(showing.map(({ what }) => what)).toEqual([]);
  });
});

test("some single change shows a tool whose fix has one", () => {
  forEachHidden(({ question, explanation }) => {
    // No change of state shows a tool that is available in no state.
    if (explanation?.fix?.size !== 1 || fails(explanation, "state")) return;
    const changes = singleChanges(question, explanation.tool, true);
    expect(changes.some(({ after }) => shows(after, explanation.tool))).toBe(true);
  });
});

test("a fix names as many changes as its size, each with text to read", () => {
  forEachHidden(({ explanation }) => {
    expect(explanation?.fix?.changes.length).toBe(explanation?.fix?.size);
    for (const { text } of explanation?.fix?.changes ?? []) expect(text).toMatch(/\S/);
  });
});
