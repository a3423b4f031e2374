import { expect } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { explain } from "@/lib/access/explain/explain";
import { reasons } from "@/lib/access/explain/hidden";
import { check, findByExposedName, resolve } from "@/lib/access/decide/resolve";
import { expectSame } from "@/test/access/agreement";
import type { Question } from "@/test/access/seen";

/** List, check, reasons, explanation and look-up by name agree on every tool. */
export function expectOneDecision({ configuration, request, now }: Question): void {
  const index = compile(configuration);
  const list = resolve(index, request, now);
  const hidden = reasons(index, request, now);
  expect(list.tools.length + hidden.length).toBe(configuration.tools.length);
  for (const { id } of configuration.tools) {
    const listed = list.tools.find(({ tool }) => tool.id === id);
    const withheld = hidden.find(({ tool }) => tool.id === id);
    expectSame(
      check(index, request, id, now),
      listed === undefined ? { verdict: "hidden", ...withheld } : { verdict: "visible", tool: listed },
    );
    const { visible, callable, decidedBy, reason, via } = explain(index, request, id, now) ?? {};
    expectSame(
      { visible, callable, decidedBy, reason, through: via?.map(({ group }) => group) },
      listed === undefined
        ? { visible: false, callable: false, decidedBy: withheld?.decidedBy, reason: withheld?.reason, through: [] }
        : { visible: true, callable: listed.callable, decidedBy: null, reason: null, through: listed.groups },
    );
  }
  for (const listed of list.tools) {
    expectSame(findByExposedName(list, listed.exposedName), [listed]);
    const [only, ...others] = findByExposedName(list, listed.tool.name);
    if (others.length === 0) expect(only?.exposedName ?? listed.tool.name).toBe(listed.tool.name);
  }
  expectSame(check(index, request, "no:such", now), { verdict: "unknown" });
  expectSame(explain(index, request, "no:such", now), null);
}
