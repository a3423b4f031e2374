import { afterAll, describe, expect, test } from "vitest";
import { POST } from "@/app/api/admin/preview/route";
import { previewOutput } from "@/lib/contracts/decisions/preview";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { isPreviewable, loadCases, type Case } from "@/test/access/case";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

useDatabase();

afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

const cases = loadCases().filter(isPreviewable);

/** Previews one case on its own document, the way the browser does. */
async function preview(one: Case) {
  const request = new Request(`${ORIGIN}/api/admin/preview`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(await signIn("auditor")) },
    body: JSON.stringify({ ...one.request, config: one.configuration, explain: "all" }),
  });
  const response = await POST(request);
  const body: unknown = await response.json();
  expect(body).toMatchObject({ trace: {} });
  return previewOutput.parse(body);
}

/** The case's expectation of the answer, in addition to the preview's result. */
function compared({ expect: wanted }: Case, answer: Awaited<ReturnType<typeof preview>>) {
  const hidden = Object.fromEntries(answer.hidden.map(({ toolId, reason }) => [toolId, reason]));
  const stepsOf = (id: string) =>
    answer.explanations?.[id]?.steps.filter(({ passed }) => !passed).map(({ step }) => step) ?? [];
  const pick = <T>(keys: Readonly<Record<string, unknown>>, of: (key: string) => T) =>
    Object.fromEntries(Object.keys(keys).map((key) => [key, of(key)]));
  const tool = (id: string) => answer.tools.find(({ toolId }) => toolId === id);
  const seen = {
    visible: answer.tools.map(({ toolId }) => toolId),
    hidden: pick(wanted.hidden, (id) => hidden[id]),
    ...(wanted.failing && { failing: pick(wanted.failing, stepsOf) }),
    ...(wanted.exposedNames && { exposedNames: pick(wanted.exposedNames, (id) => tool(id)?.name) }),
    ...(wanted.notCallable && { notCallable: answer.tools.filter((one) => !one.callable).map((one) => one.toolId) }),
    ...(wanted.conditional && { conditional: answer.tools.filter((one) => one.conditional).map((one) => one.toolId) }),
    ...(wanted.groups && { groups: pick(wanted.groups, (id) => tool(id)?.groups) }),
    ...(wanted.requestable && {
      requestable: answer.hidden.flatMap(({ toolId, reason }) => (reason === "access_requestable" ? toolId : [])),
    }),
    ...(wanted.grantedGroups && { grantedGroups: answer.grantedGroups }),
    ...(wanted.requestedGroups && { requestedGroups: answer.requestedGroups }),
    ...(wanted.unknownGroups && { unknownGroups: answer.trace.unknownGroups }),
    ...(wanted.matchedPolicies && {
      matchedPolicies: answer.trace.policies.filter(({ matched }) => matched).map(({ name }) => name),
    }),
    ...(wanted.outcomes && {
      outcomes: pick(wanted.outcomes, (name) =>
        answer.trace.policies.find((policy) => policy.name === name)?.matchers.map(({ outcome }) => outcome),
      ),
    }),
    ...(wanted.state !== undefined && { state: answer.state }),
    ...(wanted.mode && { mode: answer.mode }),
    ...(wanted.tier !== undefined && { tier: answer.tier }),
    ...(wanted.missingCapabilities && {
      missingCapabilities: pick(wanted.missingCapabilities, (id) => answer.explanations?.[id]?.capabilities.missing),
    }),
    ...(wanted.fixes && { fixes: pick(wanted.fixes, (id) => answer.explanations?.[id]?.fix?.size) }),
  };
  // Transitions and argument verdicts belong to calls: the preview does not answer them.
  const { next: _next, calls: _calls, ...stated } = wanted;
  return { seen, stated };
}

test("most cases can be previewed", () => {
  expect(cases.length).toBeGreaterThan(200);
});

describe.each([...new Set(cases.map(({ file }) => file))])("%s through the preview API", (file) => {
  test.each(cases.filter((one) => one.file === file).map((one) => [one.name, one] as const))(
    "%s",
    async (_name, one) => {
      const { seen, stated } = compared(one, await preview(one));
      expect(seen).toEqual(stated);
    },
  );
});
