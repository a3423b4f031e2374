import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { env } from "@/lib/env";
import { production } from "@/lib/events/deliver";
import { readDelivery, sendTest } from "@/lib/store/events/deliveries";
import { webhooks } from "@/lib/store/config/webhooks";
import { ADMIN } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { deliverDue } from "@/test/support/jobs/deliver-due";
import { startReceiver, type Receiver } from "@/test/support/servers/receiver";

// Processes for real: two share the work, and one is killed with a message on its way.

const database = useDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  allowOutbound(receiver.host);
  const input = { description: "", url: receiver.url, active: true };
  await webhooks.create(ADMIN, { ...input, name: "hook", events: ["audit.alarm"] });
});
afterAll(() => receiver.close());

async function startProcess() {
  const { DATABASE_URL, MASTER_KEY } = env;
  const child = spawn(process.execPath, ["--import", "tsx", "test/support/processes/delivery-process.ts"], {
    env: { ...process.env, DATABASE_URL, MASTER_KEY, OUTBOUND_ALLOW: receiver.host },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

it("two processes deliver each message once; one that is killed during a try leaves it to another, under its id", async () => {
  const children = await Promise.all([startProcess(), startProcess()]);
  try {
    const sent: string[] = [];
    while (sent.length < 20) sent.push((await sendTest("hook")).id);
    const delivered = () => database.query("select 1 from delivery where status = 'delivered'");
    await vi.waitFor(async () => expect(await delivered()).toHaveLength(20), { timeout: 30_000, interval: 100 });
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids.toSorted()).toEqual(sent.toSorted());

    receiver.received.length = 0;
    receiver.answers.push(() => {});
    const { id } = await sendTest("hook");
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 30_000, interval: 50 });
    for (const child of children) child.kill("SIGKILL");
    expect(await readDelivery(id)).toMatchObject({ status: "pending", tries: 1, attempts: [] });
    await deliverDue(production);
    expect(receiver.received).toHaveLength(1);
    await deliverDue({ ...production, now: () => Date.now() + 61_000 });
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
    expect(await readDelivery(id)).toMatchObject({ status: "delivered", tries: 2 });
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}, 90_000);
