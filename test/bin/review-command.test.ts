import { beforeAll, expect, it, vi } from "vitest";
import { POST as CREATE } from "@/app/api/admin/[resource]/route";
import { DELETE, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { POST as APPROVE } from "@/app/api/admin/requests/[id]/approve/route";
import type { HeldChange } from "@/lib/contracts/changes/request";
import { saveOpenIdUser } from "@/lib/store/people/openid-users";
import { save } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { commandHere } from "@/test/support/command";
import { useDatabase } from "@/test/support/database";
import { setReview } from "@/test/support/set-review";
import { signIn } from "@/test/support/person";

// The way out when the OpenID provider leaves fewer than two people who may approve changes.

vi.setConfig({ testTimeout: 60_000 });
const database = useDatabase();
const turnOff = (...args: readonly string[]) => commandHere(["review", ...args], {});

/** The second person who may approve comes from the OpenID provider, which may change the role. */
const second = (role: "editor" | "auditor") =>
  saveOpenIdUser({
    issuer: "https://idp.example",
    subject: "grace",
    name: "grace",
    email: "grace@example.com",
    displayName: "Grace",
    groups: [],
    role,
  });
const EDITOR = { params: { resource: "users", id: "the-editor" } };
const remove = () => ask(DELETE, "DELETE", "/api/admin/users/the-editor", EDITOR);
const policy = { name: "all", everyone: true, groups: ["*"] };
const create = () => ask(CREATE, "POST", "/api/admin/policies", { params: { resource: "policies" }, body: policy });

beforeAll(async () => {
  await signIn("admin");
  await signIn("editor");
  await save({
    apiVersion: "quartermaster/v1",
    sources: [{ name: "crm", kind: "http" }],
    tools: [{ id: "crm:read", description: "Reads.", inputSchema: { type: "object" }, groups: [] }],
  });
  await setReview("widening");
});

it("people cannot remove or demote the last but one who may approve", async () => {
  const put = async (change: object) => {
    const [editor] = await database.query<{ revision: number }>(
      "select revision from person where name = 'the-editor'",
    );
    const headers = { "if-match": `"${editor?.revision}"` };
    const body = { name: "the-editor", email: "editor@example.com", role: "editor", ...change };
    return ask(PUT, "PUT", "/api/admin/users/the-editor", { ...EDITOR, headers, body });
  };
  const refusals = [await remove(), await put({ role: "auditor" }), await put({ enabled: false })];
  expect(refusals.map(({ status, json }) => [status, json.detail])).toEqual(
    refusals.map(() => [409, expect.stringContaining("two enabled people")]),
  );
});

it("when the provider demotes one, the console switches reviews off, and the history says so", async () => {
  await second("editor");
  expect((await remove()).status).toBe(204);
  expect(await second("auditor")).toBe("saved");
  const held = await create();
  const { request } = held.json as unknown as HeldChange;
  const alone = await ask(APPROVE, "POST", `/api/admin/requests/${request.id}/approve`, {
    params: { id: request.id },
    body: { hash: request.hash },
  });
  expect([held.status, alone.status]).toEqual([202, 403]);

  const { code, error } = await turnOff("off");
  expect([code, error]).toEqual([0, expect.stringMatching(/^Reviews of changes are off since revision \d+\./)]);
  const [saved] = await database.query<object>("select kind, actor, note from revision order by number desc limit 1");
  expect(saved).toMatchObject({ kind: "system", actor: "command line", note: expect.stringContaining("review off") });
  const [settings] = await database.query<{ value: { review: { changes: string } } }>("select value from settings");
  expect(settings?.value.review.changes).toBe("off");

  expect((await create()).status).toBe(201);
  expect(await database.query("select status from request")).toEqual([{ status: "open" }]);
});

it("once is enough, and any other word is a mistake", async () => {
  const revisions = () => database.query("select number from revision");
  const before = await revisions();
  expect(await turnOff("off")).toMatchObject({ code: 0, error: expect.stringContaining("off already") });
  for (const args of [[], ["on"], ["off", "now"]])
    expect(await turnOff(...args)).toMatchObject({ code: 2, error: expect.stringContaining("review off") });
  expect(await revisions()).toEqual(before);
});
