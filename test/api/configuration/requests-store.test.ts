import { afterEach, expect, it } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
import { listQuery } from "@/lib/contracts/changes/list";
import { db } from "@/lib/store/db/database";
import { expireRequests } from "@/lib/store/requests/expire-requests";
import {
  answerRequest,
  bodyOf,
  findRequest,
  listRequests,
  openRequest,
  secretsOf,
  toRequestRow,
  type StoredRequest,
} from "@/lib/store/requests/requests";
import type { Actor } from "@/lib/store/save/write";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const NOW = new Date("2026-03-01T10:00:00Z");
const LATER = new Date("2026-03-31T10:00:00Z");
const EDITOR: Actor = { kind: "user", name: "editor@example.com", role: "editor" };
const ADMIN: Actor = { kind: "user", name: "admin@example.com", role: "admin" };

afterEach(() => database.query("delete from request"));

function openChange(over: { secrets?: Json; expiresAt?: Date } = {}, now = NOW): Promise<StoredRequest> {
  const rows = [{ resource: "policies", id: "refunds", action: "update" as const }];
  return db().$transaction((tx) =>
    openRequest(
      tx,
      {
        asker: { actor: EDITOR, personId: null },
        reason: "Support needs refunds.",
        target: "policies/refunds",
        basis: 7,
        facts: { kind: "change", rows, count: 1, verdict: { kind: "unknown", reasons: [] } },
        body: [{ resource: "policies", after: { name: "refunds" } }],
        secrets: over.secrets ?? null,
        expiresAt: over.expiresAt ?? LATER,
      },
      now,
    ),
  );
}

function openAccess(client: string | null, tool = "crm:refund"): Promise<StoredRequest> {
  const asker = { agent: "reader", issuer: "https://issuer.example.com", subject: "reader", client };
  const facts = { kind: "access", tool, hours: 2 } as const;
  return db().$transaction((tx) =>
    openRequest(
      tx,
      { asker, reason: "", target: tool, basis: 7, facts, body: { hours: 2 }, secrets: null, expiresAt: LATER },
      NOW,
    ),
  );
}

function answer(
  { id, hash }: { id: string; hash: string | null },
  status: "applied" | "refused" = "applied",
  now = NOW,
): Promise<boolean> {
  const verdict = { status, actor: ADMIN, reason: "fine", requestId: null, revision: 8 };
  return db().$transaction((tx) => answerRequest(tx, { id, hash }, verdict, now));
}

const events = (id: string) =>
  database.query(`select action, actor from audit_event where target = '${id}' order by id`);

it("a request is stored sealed, and read back with its facts", async () => {
  const opened = await openChange({ secrets: { ciphertext: "hidden" } });
  const [row] = await database.query<{ text: string }>("select request::text as text from request");
  expect(row?.text).not.toMatch(/hidden|"after"/);
  expect(bodyOf(opened)).toEqual([{ resource: "policies", after: { name: "refunds" } }]);
  expect(secretsOf(opened)).toEqual({ ciphertext: "hidden" });
  const found = await findRequest(opened.id);
  expect(toRequestRow(found!)).toMatchObject({
    id: expect.stringMatching(/^req_[0-9a-f-]{36}$/),
    kind: "change",
    status: "open",
    asker: { kind: "user", name: EDITOR.name },
    caller: null,
    basis: 7,
    target: "policies/refunds",
    closesAt: LATER.toISOString(),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

it("a request with facts of an unknown kind is refused as unreadable", async () => {
  const unknown = { ...(await openChange()), facts: { kind: "later" } };
  expect(() => toRequestRow(unknown)).toThrow(expect.objectContaining({ code: "config_unavailable" }));
});

it("of two answers at once, one counts; it erases the secrets and is in the audit trail", async () => {
  const opened = await openChange({ secrets: "hidden" });
  const answers = await Promise.all([
    answer(opened),
    answer(opened, "refused"),
    answer(opened),
    answer(opened, "refused"),
  ]);
  expect(answers.filter(Boolean)).toHaveLength(1);
  const answered = await findRequest(opened.id);
  expect(answered).toMatchObject({ secrets: null, decidedBy: ADMIN.name, decidedReason: "fine", closesAt: NOW });
  expect(await events(opened.id)).toEqual([
    { action: "requests.opened", actor: EDITOR.name },
    { action: `requests.${answered?.status}`, actor: ADMIN.name },
  ]);
});

it("an answer with another hash, or after the end, answers nothing", async () => {
  const opened = await openChange();
  expect(await answer({ id: opened.id, hash: "0".repeat(64) })).toBe(false);
  expect(await answer(opened, "applied", LATER)).toBe(false);
  expect(await findRequest(opened.id)).toMatchObject({ status: "open" });
  expect(await answer({ id: opened.id, hash: null }, "refused")).toBe(true);
});

it("an answer whose transaction fails answers nothing", async () => {
  const opened = await openChange();
  const failing = db().$transaction(async (tx) => {
    const verdict = { status: "applied", actor: ADMIN, reason: "", requestId: null } as const;
    expect(await answerRequest(tx, opened, verdict, NOW)).toBe(true);
    throw new Error("the change could not be saved");
  });
  await expect(failing).rejects.toThrow("could not be saved");
  expect(await findRequest(opened.id)).toMatchObject({ status: "open", decidedBy: null });
});

it("a request that nobody answers expires once, and cannot be answered afterwards", async () => {
  const opened = await openChange({ secrets: "hidden" });
  expect(await expireRequests(new Date(LATER.getTime() - 1))).toBe(0);
  const expired = await Promise.all([expireRequests(LATER), expireRequests(LATER)]);
  expect(expired.toSorted()).toEqual([0, 1]);
  // A clock that goes back opens nothing again.
  expect(await answer(opened)).toBe(false);
  expect(await findRequest(opened.id)).toMatchObject({ status: "expired", secrets: null, closesAt: LATER });
});

it("the database refuses to change a request or its answer", async () => {
  const opened = await openChange();
  const set = (sql: string) => database.query(`update request set ${sql} where id = '${opened.id}'`);
  for (const sql of [`reason = 'other'`, `"basis" = 9`, `"hash" = 'other'`, `"asker" = 'other'`, `"facts" = '{}'`])
    await expect(set(sql)).rejects.toThrow("is immutable");
  await answer(opened);
  for (const sql of [`status = 'open'`, `"decidedBy" = 'other'`, `"revision" = 9`])
    await expect(set(sql)).rejects.toThrow("is immutable");
});

it("a caller has one open request per tool", async () => {
  const first = await openAccess(null);
  await expect(openAccess(null)).rejects.toThrow("Another row already has this value.");
  await openAccess("other-client");
  await openAccess(null, "crm:lookup");
  await answer(first, "refused");
  await openAccess(null);
});

it("lists open requests first, by kind, and searches asker, reason and target", async () => {
  const change = await openChange({ expiresAt: new Date("2026-03-02T00:00:00Z") });
  const access = await openAccess(null);
  await answer(change, "refused");
  const list = async (query: object) =>
    (await listRequests(listQuery.parse(query), "admin")).items.map(({ id, kind, status }) => ({ id, kind, status }));
  const rows = {
    change: { id: change.id, kind: "change", status: "refused" },
    access: { id: access.id, kind: "access", status: "open" },
  };
  expect(await list({})).toEqual([rows.access, rows.change]);
  expect(await list({ kind: "change" })).toEqual([rows.change]);
  expect(await list({ status: "open" })).toEqual([rows.access]);
  for (const q of ["REFUNDS", "editor@", "support needs"]) expect(await list({ q })).toEqual([rows.change]);
  await expect(list({ colour: "red" })).rejects.toThrow("not valid");
});
