import type { FlowLog, FlowWorld } from "@/test/api/flow/impact-world";

// A slow replay that reads all earlier calls again for every call (docs/reference/decision.md#flow-impact).

type WorldCall = FlowLog["calls"][number];

const MINUTE = 60_000;

type Naive = "passes" | "hidden" | "waits" | "not_made" | "unknown";

/** What each judged call would be, from all judged calls before it. */
export function replaySlowly(
  { labels, tools, rules }: FlowWorld,
  { calls, clears }: FlowLog,
): ReadonlyMap<string, Naive> {
  const judged = calls.filter(({ outcome }) => outcome !== "denied");
  const verdicts = new Map<string, Naive>();
  const toolsById = new Map(tools.map((tool) => [tool.id, tool]));
  const labelsByName = new Map(labels.map((label) => [label.name, label]));
  const owns = (raised: WorldCall, name: string, call: WorldCall) =>
    raised.subject === call.subject &&
    (labelsByName.get(name)?.scope === "caller" || raised.session === null || raised.session === call.session);
  const isCleared = (raised: WorldCall, name: string, call: WorldCall) =>
    clears.some(
      (clear) =>
        clear.label === name &&
        clear.subject === raised.subject &&
        clear.session === (labelsByName.get(name)?.scope === "caller" ? null : raised.session) &&
        clear.at > raised.at &&
        clear.at <= call.at,
    );
  const holds = (name: string, call: WorldCall, place: number) =>
    judged.slice(0, place).some((raised) => {
      const verdict = verdicts.get(raised.callId);
      if (verdict !== "passes" && verdict !== "waits") return false;
      if (toolsById.get(raised.toolId)?.raises.includes(name) !== true || !owns(raised, name, call)) return false;
      const minutes = labelsByName.get(name)?.holdMinutes ?? Number.POSITIVE_INFINITY;
      return call.at < raised.at + minutes * MINUTE && !isCleared(raised, name, call);
    });
  for (const [place, call] of judged.entries()) {
    const tool = toolsById.get(call.toolId);
    const parent = call.parent === null ? undefined : verdicts.get(call.parent);
    const held = new Set(labels.map(({ name }) => name).filter((name) => holds(name, call, place)));
    const applied = rules.filter(
      ({ active, when, restrict }) =>
        active &&
        when.every((name) => held.has(name)) &&
        restrict.some((name) => name === call.toolId || tool?.is.includes(name) === true),
    );
    const effects = applied.map(({ effect }) => effect);
    verdicts.set(
      call.callId,
      parent === "hidden" || parent === "not_made"
        ? "not_made"
        : tool === undefined
          ? "unknown"
          : effects.includes("hide")
            ? "hidden"
            : effects.includes("approve")
              ? "waits"
              : "passes",
    );
  }
  return verdicts;
}
