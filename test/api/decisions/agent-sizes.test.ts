import { expect, test } from "vitest";
import { GET } from "@/app/api/admin/agent-sizes/route";
import { POST as previewRoute } from "@/app/api/admin/preview/route";
import { agentSizes } from "@/lib/contracts/decisions/agent-sizes";
import { previewOutput } from "@/lib/contracts/decisions/preview";
import { raiseLabels } from "@/lib/store/labels/held-labels";
import { save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

/** The tools in the previews of an agent: one in each of these states. */
async function previewSizes(agent: string, states: readonly (string | undefined)[]): Promise<readonly number[]> {
  const previews = states.map((state) =>
    ask(previewRoute, "POST", "/api/admin/preview", { body: { agent, state }, role: "auditor" }),
  );
  return (await Promise.all(previews)).map(({ json }) => previewOutput.parse(json).tools.length);
}

async function sizes() {
  const { json } = await ask(GET, "GET", "/api/admin/agent-sizes", { role: "auditor" });
  return agentSizes.parse(json).items;
}

test("the counts of agents equal their previews: one without a machine, the fewest and the most over its states", async () => {
  await save(supportDocument());
  const listed = await sizes();
  expect(listed.map(({ name }) => name)).toEqual(["reader", "refunder", "stranger", "suspended", "worker"]);
  for (const { name, fewest, most } of listed) {
    const states = name === "worker" ? ["triage", "investigating", "resolved"] : [undefined];
    const counts = await previewSizes(name, states);
    expect([name, fewest, most]).toEqual([name, Math.min(...counts), Math.max(...counts)]);
  }
  const worker = listed.find(({ name }) => name === "worker");
  expect(worker?.fewest).toBeLessThan(worker?.most ?? 0);
});

test("a held label that hides tools counts", async () => {
  const flows = [{ name: "guard", when: ["untrusted"], restrict: [{ tool: "support:get_order" }] }];
  await save(supportDocument({ flows }));
  const [free = 0] = await previewSizes("reader", [undefined]);
  const raised = { session: "", label: "untrusted", callId: "call", toolId: "support:get_order" };
  const at = new Date(0);
  await raiseLabels({ issuer: "quartermaster", subject: "reader", sessionId: null }, [{ ...raised, at, until: null }]);
  const fewer = { name: "reader", fewest: free - 1, most: free - 1 };
  expect(await previewSizes("reader", [undefined])).toEqual([fewer.most]);
  expect((await sizes()).find(({ name }) => name === "reader")).toEqual(fewer);
});
