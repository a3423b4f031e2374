import { expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { OWN_ISSUER } from "@/lib/access/model/claims";
import { BLANK_AGENT } from "@/lib/access/model/blank-rows";
import { requestOf } from "@/lib/access/model/request";
import { atOnce } from "@/lib/access/model/parts";
import { numbersOf } from "@/lib/access/model/bitset";
import { reachOf } from "@/lib/access/rightsizing/reach";
import { configurationOf } from "@/test/access/case-configuration";

// What recent callers get, by policy and by agent.

const BOT = { ...BLANK_AGENT, name: "desk-bot", machine: "ticket" };

it("counts the tools of every state, although a caller sees those of one", () => {
  const configuration = configurationOf({
    file: "reach",
    name: "",
    configuration: { apiVersion: "quartermaster/v1" },
    stored: {
      sources: [{ name: "desk" }],
      tools: ["open", "refund", "elsewhere"].map((name) => ({
        id: `desk:${name}`,
        groups: [name === "elsewhere" ? "other" : "desk"],
      })),
      groups: [{ name: "desk" }, { name: "other" }],
      policies: [{ name: "desk-staff", everyone: true, groups: ["desk"] }],
      machines: [
        {
          name: "ticket",
          initial: "new",
          states: [{ name: "new" }, { name: "open" }],
          rules: [
            { tool: "desk:open", availableIn: ["new"], transitions: [{ from: "new", to: "open" }] },
            { tool: "desk:refund", availableIn: ["open"] },
          ],
        },
      ],
    },
    pauses: undefined,
  });
  const index = compile({ ...configuration, agents: [BOT] });
  const { claims, ...request } = requestOf({});
  const caller = {
    issuer: OWN_ISSUER,
    subject: BOT.name,
    isOwnToken: false,
    agent: BOT.name,
    claims,
    // From before the server kept the state.
    request: { ...request, machine: BOT.machine, state: "open" },
    fromSession: false,
  };
  const { policies, agents } = atOnce(reachOf(index, [caller], 0));
  const named = (numbers: readonly number[]) => numbers.map((number) => index.tools.all[number]?.id);
  const reached = policies.get("desk-staff");
  expect(reached?.callers).toBe(1);
  expect(named(numbersOf(reached!.tools))).toEqual(["desk:open", "desk:refund"]);
  expect(named(numbersOf(agents.get(BOT.name)!))).toEqual(["desk:open", "desk:refund"]);
});
