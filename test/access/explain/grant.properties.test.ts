import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { conditionsOf } from "@/lib/access/decide/arguments";
import { visibleNumbers } from "@/lib/access/decide/resolve";
import { explain } from "@/lib/access/explain/explain";
import { granteeOf, grantsFor, type Grantee } from "@/lib/access/explain/grant";
import type { Policy } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import { worlds } from "@/test/access/worlds";

const BOB = { iss: "https://idp.example", sub: "bob" };

test("in any world every grant passes the policy and group steps, and removes no tool", { timeout: 600_000 }, () => {
  const grantee = granteeOf(BOB) as Grantee;
  let granted = 0;
  fc.assert(
    fc.property(worlds, fc.nat({ max: 100 }), ({ configuration, request, now }, at) => {
      const index = compile(configuration);
      const tool = configuration.tools[at % Math.max(configuration.tools.length, 1)];
      if (tool === undefined) return;
      const asked = { ...request, claims: { ...request.claims, ...BOB } };
      for (const grant of atOnce(grantsFor(index, asked, grantee, tool.id, now))) {
        granted += 1;
        const after = compile({
          ...configuration,
          policies: [...configuration.policies, grant.policy] as Policy[],
          groups: [...configuration.groups, ...(grant.group === null ? [] : [grant.group])],
        });
        const explanation = explain(after, asked, tool.id, now);
        expect(explanation?.steps.slice(0, 2).map(({ passed }) => passed)).toEqual([true, true]);
        expect(explanation?.visible).toBe(grant.remaining.length === 0);
        expect(conditionsOf(after, asked, tool.id, now)).toEqual([]);
        const has = new Set(visibleNumbers(after, asked, now));
        expect(visibleNumbers(index, asked, now).filter((number) => !has.has(number))).toEqual([]);
      }
    }),
    { seed: 6, numRuns: 400 },
  );
  expect(granted).toBeGreaterThan(20);
});
