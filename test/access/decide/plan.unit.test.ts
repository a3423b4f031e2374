import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, Policy } from "@/lib/access/model/configuration";
import { reasons } from "@/lib/access/explain/hidden";
import { resolve } from "@/lib/access/decide/resolve";
import { configurationOf } from "@/bench/support/workload";
import { requestOf } from "@/lib/access/model/request";

const base = configurationOf({ tools: 80, groups: 80, policies: 1 });
const everyone: Policy = { ...base.policies[0]!, effect: "allow", matchers: [], everyone: true, groups: ["group-0"] };
const config: Configuration = { ...base, policies: [everyone] };

test("a caller with one group of very many has a grant, whichever group it is", () => {
  for (const group of ["group-0", "group-45", "group-79"]) {
    const index = compile({ ...config, policies: [{ ...everyone, groups: [group] }] });
    const hidden = reasons(index, requestOf({}), 0).map(({ reason }) => reason);
    expect(hidden).toEqual(Array.from({ length: 79 }, () => "not_in_granted_group"));
  }
});

test("a machine that no longer exists has no state and allows no tool", () => {
  const { state, tools } = resolve(compile(config), { ...requestOf({}), machine: "gone" }, 0);
  expect({ state, tools }).toEqual({ state: "", tools: [] });
});
