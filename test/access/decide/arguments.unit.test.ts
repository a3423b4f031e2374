import { describe, expect, test } from "vitest";
import { checkArguments, conditionsOf } from "@/lib/access/decide/arguments";
import { compile } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { requestOf } from "@/lib/access/model/request";
import { configurationOf } from "@/test/access/case-configuration";

const NO_REASON = "The arguments of this call are not allowed.";
const amount = (operator: string, value: number) => ({ claim: "amount", operator, value });
const policy = (name: string, over: object) => ({ name, everyone: true, groups: ["g"], ...over });
const small = policy("small", { arguments: [amount("lte", 100)], description: " At most 100. " });
const odd = policy("odd", { arguments: [amount("equals", 777)], description: "Or 777." });
const huge = policy("huge", { effect: "deny", arguments: [amount("gt", 1000)], description: "Never over 1,000." });
const mute = policy("mute", { effect: "deny", arguments: [amount("gt", 500)], description: "  " });
const any = policy("any", {});

const indexOf = (policies: readonly object[]) =>
  compile(
    configurationOf({
      file: "arguments",
      name: "",
      configuration: { apiVersion: "quartermaster/v1" },
      stored: {
        sources: [{ name: "x" }],
        tools: [{ id: "x:t", groups: ["g", "h"] }, { id: "x:u" }],
        groups: [{ name: "g" }, { name: "h" }],
        policies,
      },
    }),
  );
const judged = (policies: readonly object[], args: JsonObject, request: Partial<ResolveRequest> = {}, tool = "x:t") =>
  checkArguments(indexOf(policies), { ...requestOf({}), ...request }, tool, args, 0);
const conditions = (policies: readonly object[], request: Partial<ResolveRequest> = {}, tool = "x:t") =>
  conditionsOf(indexOf(policies), { ...requestOf({}), ...request }, tool, 0);

const refused = (name: string | null, reason: string) => ({ allowed: false, policy: name, reason });

describe("a call is refused with the description", () => {
  test("of the deny whose conditions hold, by name", () => {
    expect(judged([any, huge], { amount: 1001 })).toEqual(refused("huge", "Never over 1,000."));
    expect(judged([any, mute], { amount: 501 })).toEqual(refused("mute", NO_REASON));
    expect(judged([any, huge, mute], { amount: 500 })).toEqual({ allowed: true });
  });

  test("of the first allow, when all have conditions and none holds", () => {
    expect(judged([small, odd], { amount: 101 })).toEqual(refused(null, "Or 777."));
    expect(judged([small], { amount: 101 })).toEqual(refused(null, "At most 100."));
    expect(judged([small, huge], { amount: 101 })).toEqual(refused(null, "At most 100."));
    expect(judged([small, odd], { amount: 777 })).toEqual({ allowed: true });
    expect(judged([small, any], { amount: 101 })).toEqual({ allowed: true });
  });

  test("of no policy, when the tool is hidden or does not exist", () => {
    expect(judged([], {})).toEqual(refused(null, NO_REASON));
    expect(judged([any], {}, {}, "x:gone")).toEqual(refused(null, NO_REASON));
    expect(judged([any], {}, { group: ["h"] })).toEqual(refused(null, NO_REASON));
  });
});

describe("conditions", () => {
  test("are those of the denies, and those of the allows when every allow has some", () => {
    expect(conditions([any])).toEqual([]);
    expect(conditions([any, small])).toEqual([]);
    expect(conditions([any, small, huge])).toEqual(["Never over 1,000."]);
    expect(conditions([small, odd, huge, mute])).toEqual(["Never over 1,000.", NO_REASON, "Or 777.", "At most 100."]);
  });

  test("with equal texts appear once", () => {
    expect(conditions([small, { ...small, name: "again" }])).toEqual(["At most 100."]);
  });

  test("come from the groups that let the tool through; a deny binds every tool of its groups", () => {
    const other = { ...odd, groups: ["h"] };
    const elsewhere = { ...huge, groups: ["h"] };
    expect(conditions([small, other], { group: ["g"] })).toEqual(["At most 100."]);
    expect(conditions([any, { ...any, name: "h", groups: ["h"] }, elsewhere], { group: ["g"] })).toEqual([
      "Never over 1,000.",
    ]);
    expect(conditions([any, elsewhere])).toEqual(["Never over 1,000."]);
    expect(judged([any, elsewhere], { amount: 1001 })).toEqual(refused("huge", "Never over 1,000."));
    expect(conditions([policy("default", { groups: ["default"] }), elsewhere], {}, "x:u")).toEqual([]);
  });

  test("are empty for a tool that is hidden or does not exist", () => {
    expect(conditions([small, huge], { group: ["h"] })).toEqual([]);
    expect(conditions([small], {}, "x:u")).toEqual([]);
    expect(conditions([small], {}, "x:gone")).toEqual([]);
  });
});
