import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { reasons } from "@/lib/access/explain/hidden";
import { configurationOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";

test("callers share one object per hidden tool and reason, so that the reasons of all tools stay cheap", () => {
  const index = compile(configurationOf({ tools: 3, groups: 1, policies: 0 }));
  const [first, second] = [reasons(index, requestOf({ sub: "a" }), 0), reasons(index, requestOf({ sub: "b" }), 0)];
  expect(first).toHaveLength(3);
  first.forEach((hidden, at) => expect(second[at]).toBe(hidden));
});
