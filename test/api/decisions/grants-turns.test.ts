import { expect, test } from "vitest";
import { configurationOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";
import { compile } from "@/lib/access/compile/compile";
import { listGrants } from "@/lib/admin/grants";

const index = compile(configurationOf({ tools: 20_000, groups: 20, policies: 1_000 }));
const toolId = index.tools.all[0]!.id;
const source = { index, request: requestOf({ iss: "https://corp.example", sub: "ada" }), now: 0 };

test("the search for grants gives other work turns", async () => {
  let [turns, isDone] = [0, false];
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  const grants = listGrants(source, toolId);
  setImmediate(count);
  expect((await grants).length).toBeGreaterThan(0);
  isDone = true;
  expect(turns).toBeGreaterThan(2);
});

test("the search for grants ends when its caller has left", async () => {
  await expect(listGrants(source, toolId, AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
});
