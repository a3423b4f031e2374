import { expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Tool } from "@/lib/access/model/configuration";
import { statePathsInParts } from "@/lib/access/explain/state-path";
import { atOnce } from "@/lib/access/model/parts";
import { isAvailable, nextStateOf } from "@/test/access/oracle/machines";
import { callerOf, verdictsOn, type Caller } from "@/test/access/oracle/steps";
import { law, some, chosen } from "@/test/access/law";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

/** The fewest calls of some tools after which a tool is available; `null` when no calls lead there. */
function fewestCalls({ configuration, machine, state }: Caller, tool: Tool, callable: readonly Tool[]): number | null {
  const reached = new Set([state]);
  for (let calls = 0; ; calls += 1) {
    if ([...reached].some((one) => isAvailable(configuration, machine, one, tool))) return calls;
    const before = [...reached];
    for (const from of before) for (const one of callable) reached.add(nextStateOf(configuration, machine, from, one));
    if (reached.size === before.length) return null;
  }
}

test("a state path has the fewest calls that the caller may make, else the fewest of any caller, as the oracle says", () => {
  law(some, ({ configuration, request, now }, picked) => {
    const tool = chosen(configuration.tools, picked);
    if (tool === null) return;
    const caller = callerOf(configuration, { ...request, includeDisabled: false }, now);
    const hiding = verdictsOn(caller, tool).find(({ passed }) => !passed)?.step;
    const mayCall = (one: Tool) => verdictsOn(caller, one).every(({ step, passed }) => passed || step === "state");
    const ofCaller = fewestCalls(caller, tool, configuration.tools.filter(mayCall));
    const ofAnyone = fewestCalls(caller, tool, configuration.tools);
    const path = atOnce(statePathsInParts(compile(configuration), request, now, [tool.id])).get(tool.id);
    expect(path !== undefined).toBe(hiding === "state");
    if (path === undefined) return;
    expect(path.calls.length).toBe(ofCaller ?? ofAnyone ?? 0);
    let { state } = caller;
    for (const call of path.calls) {
      state = nextStateOf(configuration, caller.machine, state, call.tool);
      expect(state).toBe(call.to);
      expect(call.hidden).toBe(!mayCall(call.tool));
    }
    expect(isAvailable(configuration, caller.machine, state, tool)).toBe(ofAnyone !== null);
    expect(path.calls.some(({ hidden }) => hidden)).toBe(ofCaller === null && ofAnyone !== null);
  });
});
