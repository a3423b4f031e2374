import { beforeAll, describe, expect, it } from "vitest";
import { PUT } from "@/app/api/admin/config/route";
import { GET as readRun, POST as run } from "@/app/api/admin/assertions/run/route";
import { PUT as pause } from "@/app/api/admin/pause/route";
import { assertionRunOutput } from "@/lib/contracts/decisions/assertion-run";
import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const given = { claims: { roles: ["staff"] } };
const kitchen = {
  apiVersion: "quartermaster/v1",
  sources: [{ name: "kitchen", kind: "http" }],
  tools: ["bake", "burn"].map((name) => ({
    id: `kitchen:${name}`,
    description: name,
    inputSchema: { type: "object" },
    groups: [name],
  })),
  groups: [{ name: "bake" }, { name: "burn" }],
  policies: [{ name: "staff", matchers: [{ claim: "roles", operator: "contains", value: "staff" }], groups: ["bake"] }],
  assertions: [
    { name: "staff bake", given, expect: { visible: ["kitchen:bake"], hidden: ["kitchen:burn"] } },
    { name: "run", given, expect: { visible: ["kitchen:burn"] } },
  ],
};
const put = (body: object, query = "") => ask<ConfigPlan>(PUT, "PUT", `/api/admin/config${query}`, { body });
async function ran(sent: Sent = {}) {
  const answer = await ask(run, "POST", "/api/admin/assertions/run", sent);
  return { status: answer.status, json: answer.status === 200 ? assertionRunOutput.parse(answer.json) : answer.json };
}

beforeAll(async () => {
  await put(kitchen);
});

describe("running the stored assertions", () => {
  it("reports for each whether it holds, and why not", async () => {
    expect((await ran()).json).toMatchObject({
      passed: 1,
      failed: 1,
      results: expect.arrayContaining([
        { name: "staff bake", passed: true, problems: [] },
        { name: "run", passed: false, problems: [expect.stringContaining("not_in_granted_group")] },
      ]) as unknown,
    });
  });
  it("names the group through which a wrongly visible tool is visible", async () => {
    const one = { name: "nobody bakes", given, expect: { hidden: ["kitchen:bake"] } };
    const red = { name: "staff burn alone", given, expect: { visible: ["kitchen:burn"], exactly: true } };
    const { json } = await put({ ...kitchen, assertions: [one, red] }, "?dryRun=true");
    expect(json.warnings.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "assertions[nobody bakes] would fail: `kitchen:bake` should be hidden and is visible through `bake`",
      expect.stringContaining("`kitchen:bake` is visible through `bake` and was not expected"),
    ]);
  });
  it("reports a tool that is named twice once", async () => {
    const twice = ["kitchen:burn", { source: "kitchen", name: "burn" }];
    const red = { name: "burn", given, expect: { visible: twice } };
    const { json } = await put({ ...kitchen, assertions: [red] }, "?dryRun=true");
    expect(json.warnings.map(({ message }) => message)).toEqual([
      "would fail: `kitchen:burn` should be visible and is hidden (not_in_granted_group)",
    ]);
  });
  it("reports an unknown group, because everything would be hidden in it", async () => {
    const red = {
      name: "typo",
      given: { ...given, group: ["brun", "default", "*"] },
      expect: { hidden: ["kitchen:burn"] },
    };
    const { json } = await put({ ...kitchen, assertions: [red] }, "?dryRun=true");
    expect(json.warnings.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "assertions[typo].given.group[0] there is no tool group `brun`",
      "assertions[typo] would fail: given.group: there is no tool group `brun`",
    ]);
  });
  it("runs only the named assertions, for every role that may read the configuration", async () => {
    const answer = await ran({ body: { names: ["staff bake"] }, role: "auditor" });
    expect(answer.json).toMatchObject({ passed: 1, failed: 0 });
    expect(await ran({ body: { names: ["nobody"] } })).toMatchObject({
      status: 400,
      json: { errors: [{ path: "names[0]", message: "there is no assertion `nobody`" }] },
    });
    expect(await ran({ body: { name: "staff bake" } })).toMatchObject({ status: 400 });
  });
  it("leaves its address to an assertion called `run`", async () => {
    expect((await ask(readRun, "GET", "/api/admin/assertions/run")).json).toMatchObject({ name: "run" });
  });
  it("speaks of the rules, whatever is paused", async () => {
    await ask(pause, "PUT", "/api/admin/pause", { body: { scope: "all", reason: "drill" } });
    expect((await ran()).json).toMatchObject({ passed: 1 });
  });
  it("counts one that does not parse as red", async () => {
    await database.query(`update assertion set expect = '{"visible": 7}' where name = 'run'`);
    expect((await ran({ body: { names: ["run"] } })).json).toMatchObject({
      results: [{ name: "run", passed: false, problems: [expect.stringContaining("does not parse")] }],
    });
  });
});

describe("a plan", () => {
  it("warns of assertions that would fail, and does not refuse for it", async () => {
    const plan = await put({ ...kitchen, policies: [] }, "?dryRun=true");
    expect(plan.json.errors).toEqual([]);
    expect(plan.json.warnings).toContainEqual({
      path: "assertions[staff bake]",
      message: expect.stringContaining("no_policy_grant") as unknown,
    });
  });
  it("runs them on the stored configuration merged with the document", async () => {
    const plan = await put(
      {
        apiVersion: "quartermaster/v1",
        policies: [{ name: "all", everyone: true, groups: ["*"] }],
        assertions: kitchen.assertions,
      },
      "?dryRun=true",
    );
    expect(plan.json.warnings.map(({ path }) => path)).toEqual(["assertions[staff bake]"]);
  });
  it("warns only of what the document makes fail, for whatever reason it failed before", async () => {
    await put(kitchen);
    const warned = async (changes: object) => {
      const { json } = await put({ ...kitchen, ...changes }, "?dryRun=true");
      return json.warnings.filter(({ path }) => path.startsWith("assertions"));
    };
    // `run` fails before too: its tool is in no granted group, and then no policy grants anything.
    expect((await warned({ policies: [] })).map(({ path }) => path)).toEqual(["assertions[staff bake]"]);
    expect(await warned({ groups: [...kitchen.groups, { name: "fresh" }] })).toEqual([]);
    const [bakes] = kitchen.assertions;
    const edited = { name: "run", given, expect: { visible: ["kitchen:burn"], hidden: ["kitchen:bake"] } };
    expect(await warned({ assertions: [bakes, edited] })).toMatchObject([{ path: "assertions[run]" }]);
    await put({
      ...kitchen,
      assertions: [bakes, { ...edited, expect: { visible: ["kitchen:burn", "kitchen:bake"] } }],
    });
    const more = await put({ apiVersion: "quartermaster/v1", policies: [] }, "?dryRun=true");
    expect(more.json.warnings.find(({ path }) => path === "assertions[run]")?.message).toBe(
      "would fail: `kitchen:bake` should be visible and is hidden (no_policy_grant)",
    );
  });
});
