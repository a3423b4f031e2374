import { expect, test } from "vitest";
import { configurationOf } from "@/bench/support/workload";
import { compile } from "@/lib/access/compile/compile";
import { runAssertionsOn } from "@/lib/config/assertions";
import { assertionInput } from "@/lib/resources/assertion";

test("one assertion pauses at each selector, because a selector tests every tool", () => {
  const index = compile(configurationOf({ tools: 3, groups: 1, policies: 0 }));
  const selectors = Array.from({ length: 100 }, (_, number) => ({ name: `*${number}*` }));
  const assertion = assertionInput.parse({
    name: "large",
    given: {},
    expect: { visible: selectors, hidden: selectors },
  });
  expect([...runAssertionsOn(index, [assertion], 0)].length).toBeGreaterThanOrEqual(200);
});
