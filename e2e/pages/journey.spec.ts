import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import type { CallOutput, ToolEntry } from "@/lib/contracts/agents/agent-api";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { startTrainTravel, type TrainTravel } from "@/test/support/servers/train-travel";

// The main job of the product, from an OpenAPI document to a logged refusal, with nothing mocked: the
// upstream, the issuer of tokens, the database and the browser are real.

const VISIBLE = [
  "trains:create-booking",
  "trains:delete-booking",
  "trains:get-booking",
  "trains:get-bookings",
  "trains:get-stations",
  "trains:get-trips",
];
/** Nobody else in the log is called that. */
const SUBJECT = `tess-${process.pid}`;
const FORBIDDEN = "trains:create-booking-payment";

let trains: TrainTravel;
let corp: TestIssuer;

test.beforeAll(async ({ server }) => {
  [trains, corp] = await Promise.all([startTrainTravel(server.upstreamPort), startIssuer("ES256", server.issuerPort)]);
});
test.afterAll(() => Promise.all([trains.close(), corp.close()]));

test("from an imported API to a decided, executed and logged call, and to its refusal", async ({ admin, server }) => {
  test.slow();
  const token = await corp.token({ sub: SUBJECT, realm_access: { roles: ["traveller", "staff"] } });

  await test.step("the Train Travel document is imported", async () => {
    await open(admin, "/admin/sources");
    await admin.getByRole("button", { name: "Import OpenAPI" }).click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("trains");
    await dialog.getByLabel("URL", { exact: true }).fill(trains.documentUrl);
    await dialog.getByRole("button", { name: "Read document" }).click();
    await expect(dialog.getByRole("checkbox", { name: "trains:get-stations" })).toBeChecked();
    await expect(dialog.getByRole("checkbox", { name: "trains:delete-booking" })).not.toBeChecked();
    await dialog.getByRole("checkbox", { name: "Select all shown" }).click();
    await dialog.getByRole("button", { name: /^Import 7 operations · / }).click();
    await expect(admin.getByRole("table", { name: "Tools" }).getByRole("link", { name: /get-stations/ })).toBeVisible();
  });

  await test.step("a group by selectors shows whom it catches while it is written", async () => {
    await open(admin, "/admin/groups/new");
    await admin.getByLabel("Name", { exact: true }).fill("travel");
    await admin.getByRole("button", { name: "Add selector" }).click();
    const selector = admin.getByRole("listitem", { name: "Selector 1" });
    await selector.getByLabel("Source").fill("trains");
    await admin.getByRole("option", { name: "trains" }).click();
    const matching = admin.getByRole("region", { name: "Matching tools" });
    await expect(matching.getByRole("list", { name: "Members" }).getByRole("listitem")).toHaveCount(7);
    await selector.getByLabel("Has none of the tags").fill("Payments");
    await selector.getByLabel("Has none of the tags").press("Enter");
    const members = matching.getByRole("list", { name: "Members" });
    for (const id of VISIBLE) await expect(members.getByRole("link", { name: id, exact: true })).toBeVisible();
    await expect(members.getByRole("listitem")).toHaveCount(VISIBLE.length);
    await expect(
      matching.getByRole("list", { name: "Near misses" }).getByRole("listitem").filter({ hasText: FORBIDDEN }),
    ).toContainText("has the tag Payments");
    await admin.getByRole("button", { name: "Create tool group" }).click();
    await expect(admin.getByRole("heading", { name: "travel", level: 1 })).toBeVisible();
  });

  await test.step("a policy grants it by a nested claim", async () => {
    await open(admin, "/admin/policies/new");
    await admin.getByLabel("Name", { exact: true }).fill("travellers");
    await admin.getByRole("button", { name: "Add condition" }).click();
    const condition = admin.getByRole("listitem", { name: "Condition 1" });
    await condition.getByLabel("Claim path").fill("realm_access.roles");
    await condition.getByLabel("Claim path").press("Enter");
    await condition.getByRole("combobox", { name: "Operator" }).click();
    await admin.getByRole("option", { name: /^contains One entry of a list/ }).click();
    await condition.getByLabel("Value").fill("traveller");
    await admin.getByLabel("Groups").fill("travel");
    await admin.getByRole("option", { name: "travel", exact: true }).click();
    await admin.getByRole("button", { name: "Create access policy" }).click();
    await expect(admin.getByRole("heading", { name: "travellers", level: 1 })).toBeVisible();
  });

  await test.step("the issuer of tokens is trusted", async () => {
    await open(admin, "/admin/issuers/new");
    await admin.getByLabel("Name", { exact: true }).fill("corp");
    await admin.getByRole("textbox", { name: "Issuer" }).fill(corp.issuer);
    await admin.getByLabel("JWKS URL").fill(corp.jwksUri);
    await admin.getByRole("button", { name: "Create issuer" }).click();
    await expect(admin.getByRole("heading", { name: "corp", level: 1 })).toBeVisible();
  });

  await test.step("preview shows the tools, and why the others are out", async () => {
    await open(admin, "/admin/preview");
    await admin
      .getByRole("textbox", { name: "Claims" })
      .fill(JSON.stringify({ realm_access: { roles: ["traveller"] } }));
    const visible = admin.getByRole("listbox", { name: "Visible tools" });
    await expect(visible.getByRole("option")).toHaveCount(VISIBLE.length);
    for (const id of VISIBLE) await expect(visible.getByRole("option").filter({ hasText: id }).first()).toBeVisible();
    await admin.getByRole("tab", { name: /Hidden/ }).click();
    await admin.getByLabel("Filter tools").fill(FORBIDDEN);
    const hidden = admin.getByRole("listbox", { name: "Hidden tools" }).getByRole("option");
    await expect(hidden).toHaveCount(1);
    await expect(hidden).toContainText("Not in a granted group");
    await hidden.click();
    const explanation = admin.getByRole("complementary", { name: "Explanation" });
    await expect(explanation.getByText("not_in_granted_group")).toBeVisible();
    await expect(explanation.getByRole("heading", { name: /Smallest change/ })).toBeVisible();
    // An import puts tools into no group: one group that the caller is granted would have to include it.
    await expect(explanation.getByRole("link", { name: "group travel" }).first()).toBeVisible();
  });

  const agent = agentOf(server.baseUrl, token);
  let allowed: CallOutput;
  let refused: CallOutput;

  await test.step("a token of the issuer lists exactly those, and calls one at the real upstream", async () => {
    expect((await agent.list()).map((entry) => entry.tool_id)).toEqual(VISIBLE);
    const before = trains.seen.length;
    const answer = await agent.call("trains:get-stations");
    expect(answer.status).toBe(200);
    allowed = answer.body;
    expect(allowed).toMatchObject({ status: "succeeded", output: { data: [{ name: "Berlin Hauptbahnhof" }, {}] } });
    expect(trains.seen.slice(before)).toMatchObject([{ method: "GET", url: "/stations" }]);
    expect(JSON.stringify(trains.seen)).not.toContain(token);
  });

  await test.step("a forbidden tool looks exactly like an unknown one", async () => {
    const before = trains.seen.length;
    const forbidden = await agent.call(FORBIDDEN);
    const unknown = await agent.call("trains:no-such-operation");
    refused = forbidden.body;
    expect(forbidden.status).toBe(404);
    expect(unknown.status).toBe(404);
    expect(withoutIds(forbidden.body, FORBIDDEN)).toEqual(withoutIds(unknown.body, "trains:no-such-operation"));
    expect(trains.seen).toHaveLength(before);
  });

  await test.step("the log shows both, with their reasons", async () => {
    await open(admin, `/admin/executions?q=${SUBJECT}`);
    const rows = admin.getByRole("table", { name: "Executions" }).getByRole("row");
    await expect(rows.filter({ hasText: "trains:get-stations" })).toContainText("succeeded");
    await expect(rows.filter({ hasText: FORBIDDEN })).toContainText("Not in a granted group");
    await expect(rows.filter({ hasText: FORBIDDEN })).toContainText("refused");
    await rows.filter({ hasText: FORBIDDEN }).getByRole("link").click();
    await expect(admin).toHaveURL(new RegExp(`/admin/executions/${refused.call_id}`));
    const decision = admin.getByRole("complementary", { name: "Decision" });
    await expect(decision.getByText("Not in a granted group").first()).toBeVisible();
    await open(admin, `/admin/executions/${allowed.call_id}`);
    await expect(admin.getByRole("link", { name: "travellers", exact: true }).first()).toBeVisible();
    await expect(admin.getByRole("region", { name: "result" })).toContainText("Berlin Hauptbahnhof");
  });

  await test.step("the policy is changed in the browser, and the very next call is refused", async () => {
    await open(admin, "/admin/policies/travellers");
    await admin.getByRole("listitem", { name: "Condition 1" }).getByLabel("Value").fill("conductor");
    await expect(admin.getByRole("region", { name: "Unsaved changes" })).toContainText("1 change");
    await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
    const review = admin.getByRole("dialog", { name: "Review changes to travellers" });
    await expect(review).toContainText("realm_access.roles contains conductor");
    const before = trains.seen.length;
    await Promise.all([
      admin.waitForResponse((answer) => answer.request().method() === "PUT" && answer.ok()),
      review.getByRole("button", { name: "Save changes" }).click(),
    ]);
    const answer = await agent.call("trains:get-stations");
    expect(answer).toMatchObject({ status: 404, body: { status: "denied", error: { code: "tool_not_available" } } });
    expect(trains.seen).toHaveLength(before);
    expect(await agent.list()).toEqual([]);
  });

  await test.step("the issuer is deleted, and its token is refused", async () => {
    await askAdmin(server, "DELETE", "issuers/corp");
    expect((await agent.call("trains:get-stations")).status).toBe(401);
  });
});

function agentOf(baseUrl: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    list: async () => {
      const response = await fetch(`${baseUrl}/api/agents/tools`, { headers });
      return ((await response.json()) as { data: ToolEntry[] }).data;
    },
    call: async (id: string, args: Record<string, unknown> = {}) => {
      const body = JSON.stringify({ tool_id: id, arguments: args });
      const response = await fetch(`${baseUrl}/api/agents/tools/call`, { method: "POST", headers, body });
      return { status: response.status, body: (await response.json()) as CallOutput };
    },
  };
}

/** Removes what may differ between two answers: the call's id, its duration, and the requested name. */
function withoutIds({ call_id: _id, duration_ms: _took, ...rest }: CallOutput, asked: string): unknown {
  return JSON.parse(JSON.stringify(rest).replaceAll(asked, "ASKED"));
}
