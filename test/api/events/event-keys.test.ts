import { afterEach, expect, it, vi } from "vitest";
import { useDatabase } from "@/test/support/database";

useDatabase();
const ADMIN = { kind: "system", name: "test", role: "admin" } as const;
const [FIRST, SECOND] = [7, 9].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string];
const TARGET = { url: "https://a.example/called", caller: "{}" };

/** Loads every module again, as a process that starts with these master keys does. */
async function start(key: string, ...previous: string[]) {
  vi.stubEnv("MASTER_KEY", key);
  vi.stubEnv("MASTER_KEY_PREVIOUS", previous.join(", "));
  vi.resetModules();
  const [webhooks, deliveries, { callbackKeys }, { reseal }, { db, closeDatabase }] = await Promise.all([
    import("@/lib/store/config/webhooks"),
    import("@/lib/store/events/deliveries"),
    import("@/lib/events/callback-keys"),
    import("@/lib/store/keys/reseal"),
    import("@/lib/store/db/database"),
  ]);
  close.push(closeDatabase);
  return { ...webhooks, ...deliveries, callbackKeys, reseal, db };
}
const close: (() => Promise<void>)[] = [];
type Program = Awaited<ReturnType<typeof start>>;

afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

/** The webhook's secret and the callback's address, as far as this program can decrypt them. */
async function readable({ findReceiver, openCallbackTarget, db }: Program) {
  const [delivery] = await db().delivery.findMany();
  const receiver = await findReceiver("hook", new Date());
  return { secrets: receiver?.secrets, target: openCallbackTarget(delivery!) };
}

it("a webhook's secret and a callback's address outlive a rotation of the master key; callbacks get a key of their own", async () => {
  const first = await start(FIRST);
  const input = { name: "hook", description: "", url: "https://a.example/", active: true };
  const { secret } = await first.webhooks.create(ADMIN, { ...input, events: ["audit.alarm"] });
  await first.db().$transaction((transaction) => first.addCallback(transaction, "call_1", TARGET, new Date()));
  expect(await readable(first)).toEqual({ secrets: [secret], target: TARGET });
  const [old] = first.callbackKeys().keys;

  const alone = await start(SECOND);
  expect(await readable(alone)).toEqual({ secrets: [], target: null });

  const both = await start(SECOND, FIRST);
  expect(await readable(both)).toEqual({ secrets: [secret], target: TARGET });
  const [present, ...more] = both.callbackKeys().keys;
  expect(more).toEqual([old]);
  expect(present!.x).not.toBe(old!.x);
  const steps = both.reseal();
  while ((await steps.next()).done !== true);

  const after = await start(SECOND);
  expect(await readable(after)).toEqual({ secrets: [secret], target: TARGET });
  expect(after.callbackKeys().keys).toEqual([present]);
});
