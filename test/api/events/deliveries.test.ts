import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DELETE as deleteRow, PUT as putRow } from "@/app/api/admin/[resource]/[id]/route";
import { POST as postRow } from "@/app/api/admin/[resource]/route";
import { GET as getDelivery } from "@/app/api/admin/deliveries/[id]/route";
import { POST as postRedeliver } from "@/app/api/admin/deliveries/[id]/redeliver/route";
import { GET as getDeliveries } from "@/app/api/admin/deliveries/route";
import { POST as postRotate } from "@/app/api/admin/webhooks/[name]/rotate/route";
import { POST as postTest } from "@/app/api/admin/webhooks/[name]/test/route";
import { production, type DeliveryDependencies } from "@/lib/events/deliver";
import { outboundStreamClient } from "@/lib/outbound/stream";
import { deliveryDetail, deliveryRow, type DeliveryDetail } from "@/lib/contracts/agents/delivery";
import { pageOf } from "@/lib/contracts/changes/list";
import { claimDeliveries, settleDelivery } from "@/lib/store/events/deliveries";
import { sweepEvents } from "@/lib/store/events/events";
import { webhooks } from "@/lib/store/config/webhooks";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { deliverDue } from "@/test/support/jobs/deliver-due";
import { findInDatabase } from "@/test/support/find-in-database";
import { isSignedWith, startReceiver, status, type Receiver } from "@/test/support/servers/receiver";

const database = useDatabase();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const params = { name: "hook" };
let receiver: Receiver;
let secret: string;
/** The fixed time of the deliveries' clock. */
let now: number;

beforeAll(async () => {
  receiver = await startReceiver();
  allowOutbound(receiver.host);
});
afterAll(() => receiver.close());
beforeEach(async () => {
  await database.query("truncate webhook, event, delivery, delivery_attempt");
  receiver.received.length = 0;
  receiver.answers.length = 0;
  now = Date.now() + MINUTE;
  secret = await create();
});

/** As in production, with an injected clock and without randomness. */
function deps(changes: Partial<DeliveryDependencies> = {}): DeliveryDependencies {
  return { ...production, now: () => now, random: () => 0.5, ...changes };
}

async function create(fields: object = {}): Promise<string> {
  const body = { name: "hook", url: receiver.url, events: ["audit.alarm"], ...fields };
  const made = await ask(postRow, "POST", "/api/admin/webhooks", { body, params: { resource: "webhooks" } });
  expect(made.status).toBe(201);
  return String(made.json["secret"]);
}

async function send(): Promise<DeliveryDetail> {
  const sent = await ask(postTest, "POST", "/api/admin/webhooks/hook/test", { params });
  expect(sent.status).toBe(202);
  return deliveryDetail.parse(sent.json);
}

async function look(id: string): Promise<DeliveryDetail> {
  return deliveryDetail.parse(
    (await ask(getDelivery, "GET", `/api/admin/deliveries/${id}`, { params: { id }, role: "auditor" })).json,
  );
}

const again = (id: string) => ask(postRedeliver, "POST", `/api/admin/deliveries/${id}/redeliver`, { params: { id } });

describe("a message", () => {
  it("arrives once, signed with the webhook's secret, and its attempt is recorded", async () => {
    const { id } = await send();
    expect(await deliverDue(deps())).toBe(1);
    expect(await deliverDue(deps())).toBe(0);
    const [message] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(isSignedWith(message!, secret)).toBe(true);
    expect(message!.headers["webhook-id"]).toBe(id);
    expect(Number(message!.headers["webhook-timestamp"])).toBe(Math.floor(now / 1000));
    expect(message!.headers["content-type"]).toBe("application/json");
    expect(message!.json).toMatchObject({
      type: "webhook.test",
      data: { webhook: "hook", url: "http://127.0.0.1:3000/admin/webhooks/hook" },
    });
    const { attempts, ...row } = await look(id);
    expect(row).toMatchObject({ status: "delivered", tries: 1, dueAt: null, note: null });
    expect(attempts).toEqual([expect.objectContaining({ status: 200, error: null, answer: "thank you" })]);
    const page = pageOf(deliveryRow).parse(
      (await ask(getDeliveries, "GET", "/api/admin/deliveries?webhook=hook&status=delivered")).json,
    );
    expect(page.items).toEqual([row]);
  });

  it("is sent again after a growing pause, under its id, until it arrives", async () => {
    receiver.answers.push(status(500), status(503));
    const { id } = await send();
    await deliverDue(deps());
    expect(await look(id)).toMatchObject({ status: "pending", tries: 1, note: "The receiver answered 500." });
    now += 15_000;
    expect(await deliverDue(deps())).toBe(0);
    now += 2_000;
    expect(await deliverDue(deps())).toBe(1);
    now += MINUTE;
    expect(await deliverDue(deps())).toBe(0);
    now += 5_000;
    expect(await deliverDue(deps())).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]));
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(3);
    const { status: is, attempts } = await look(id);
    expect([is, attempts.map((attempt) => attempt.status)]).toEqual(["delivered", [200, 503, 500]]);
  });

  it("ends after eight attempts over about a day", async () => {
    const { id } = await send();
    const began = now;
    for (let tried = 1; tried <= 8; tried += 1) {
      receiver.answers.push(status(500));
      expect(await deliverDue(deps())).toBe(1);
      const { dueAt } = await look(id);
      if (dueAt !== null) now = Date.parse(dueAt);
    }
    expect(await look(id)).toMatchObject({ status: "failed", tries: 8, dueAt: null });
    expect((now - began) / DAY).toBeGreaterThan(0.8);
    expect((now - began) / DAY).toBeLessThan(1.2);
    now += DAY;
    expect(await deliverDue(deps())).toBe(0);
  });

  it("has a random part in each pause", async () => {
    receiver.answers.push(status(500), status(500));
    const pauses = [];
    for (const random of [0, 1]) {
      const { id } = await send();
      await deliverDue(deps({ random: () => random }));
      pauses.push((Date.parse((await look(id)).dueAt!) - now) / 1000);
    }
    expect(pauses).toEqual([12.8, 19.2]);
  });

  it("stops waiting for a receiver that hangs after the limit, and says so", async () => {
    receiver.answers.push(() => {});
    const { id } = await send();
    await deliverDue(deps({ attemptTimeoutMs: 200 }));
    const { status: is, attempts } = await look(id);
    expect(is).toBe("pending");
    expect(attempts[0]).toMatchObject({ status: null, error: "The upstream did not answer within 0.2 s." });
    expect(attempts[0]!.ms).toBeGreaterThanOrEqual(190);
  });

  it("has arrived when the receiver's status says so, however its answer continues", async () => {
    const answer = `${"x ".repeat(500)}postgres://u:p4ssw0rdp4ssw0rd@db `;
    receiver.answers.push((response) => void response.writeHead(200).write(answer.repeat(5)));
    const { id } = await send();
    await deliverDue(deps({ attemptTimeoutMs: 2_000 }));
    const { status: is, attempts } = await look(id);
    expect([is, attempts[0]!.answer]).toEqual(["delivered", `${"x ".repeat(500)}…`]);
  });

  it("keeps no cut word of an answer that ends at the limit, or breaks off", async () => {
    const cut = "postgres://u:p4ssw0rd";
    const full = "x".padEnd(1024 - cut.length);
    const answers: Receiver["answers"] = [
      (response) => void response.writeHead(200).end(`${full}${cut}`),
      (response) => void response.writeHead(200).write(`sorry ${cut}`, () => setImmediate(() => response.destroy())),
    ];
    const kept: (string | null)[] = [];
    for (const answer of answers) {
      receiver.answers.push(answer);
      const { id } = await send();
      await deliverDue(deps({ attemptTimeoutMs: 2_000 }));
      kept.push((await look(id)).attempts[0]!.answer);
    }
    expect(kept).toEqual([`${full}…`, "sorry …"]);
  });

  it("does not follow a redirect", async () => {
    receiver.answers.push(status(302, { location: receiver.url }));
    const { id } = await send();
    await deliverDue(deps());
    expect(receiver.received).toHaveLength(1);
    expect(await look(id)).toMatchObject({
      status: "pending",
      note: "The receiver answered 302: redirects are not followed.",
    });
  });

  it("never reaches an address that is not public, unless the operator allows it", async () => {
    const { id } = await send();
    await deliverDue(deps({ send: outboundStreamClient({ allow: () => [] }) }));
    expect(receiver.received).toEqual([]);
    const { note, attempts } = await look(id);
    expect(note).toContain("is not a public address");
    expect(attempts[0]!.status).toBeNull();
  });

  it("is claimed by one of two processes", async () => {
    for (let n = 0; n < 30; n += 1) await send();
    const [left, right] = await Promise.all([claimDeliveries(new Date(now), 20), claimDeliveries(new Date(now), 20)]);
    const ids = [...left, ...right].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await claimDeliveries(new Date(now), 20);
    expect(new Set([...ids, ...rest.map(({ id }) => id)]).size).toBe(30);
  });

  it("that a person sends again during an attempt ignores the result of that attempt", async () => {
    const { id } = await send();
    const [before] = await claimDeliveries(new Date(now), 1);
    expect((await again(id)).status).toBe(202);
    const [present] = await claimDeliveries(new Date(now + 1), 1);
    expect([before?.tries, present?.tries]).toEqual([1, 1]);
    await settleDelivery(before!, { status: "failed", dueAt: null, note: "late" }, null);
    expect(await look(id)).toMatchObject({ status: "pending", note: null });
    await settleDelivery(present!, { status: "delivered", dueAt: null, note: null }, null);
    expect(await look(id)).toMatchObject({ status: "delivered", tries: 1 });
  });

  it("of a process that died during an attempt is sent again a minute later, under its id", async () => {
    const { id } = await send();
    // The process has taken it, and perhaps sent it; it never comes back.
    expect(await claimDeliveries(new Date(now), 1)).toMatchObject([{ id, tries: 1 }]);
    expect(await deliverDue(deps())).toBe(0);
    now += MINUTE;
    expect(await deliverDue(deps())).toBe(1);
    expect(receiver.received[0]!.headers["webhook-id"]).toBe(id);
    expect(await look(id)).toMatchObject({ status: "delivered", tries: 2 });
  });
});

describe("a webhook", () => {
  it("whose receiver answers 410 is disabled with a note, and gets nothing more", async () => {
    receiver.answers.push(status(410));
    const { id } = await send();
    const { id: second } = await send();
    await deliverDue(deps(), 1);
    expect(await look(id)).toMatchObject({ status: "failed", tries: 1 });
    expect(await webhooks.get("hook")).toMatchObject({
      active: false,
      switchedOff: "Its receiver answered 410 Gone.",
    });
    await deliverDue(deps());
    expect(await look(second)).toMatchObject({ status: "dropped", note: "The webhook is off.", attempts: [] });
    expect(receiver.received).toHaveLength(1);
    expect((await ask(postTest, "POST", "/api/admin/webhooks/hook/test", { params })).status).toBe(409);
    expect((await again(id)).status).toBe(409);
  });

  it("that is enabled again has no note, and failed deliveries can be sent again under their ids", async () => {
    receiver.answers.push(status(410));
    const { id } = await send();
    await deliverDue(deps());
    const { revision, name, url, events, description } = await webhooks.get("hook");
    const body = { name, url, events, description, active: true };
    const headers = { "if-match": `"${revision}"` };
    const path = "/api/admin/webhooks/hook";
    const put = await ask(putRow, "PUT", path, { body, headers, params: { resource: "webhooks", id: "hook" } });
    expect(put.json).toMatchObject({ active: true, switchedOff: null });
    expect((await again(id)).status).toBe(202);
    expect(await deliverDue(deps())).toBe(1);
    expect(receiver.received.map(({ headers: of }) => of["webhook-id"])).toEqual([id, id]);
    expect(await look(id)).toMatchObject({ status: "delivered", tries: 1 });
  });

  it("that was deleted gets nothing: its deliveries are deleted too", async () => {
    const { id } = await send();
    const gone = await ask(deleteRow, "DELETE", "/api/admin/webhooks/hook", {
      params: { resource: "webhooks", id: "hook" },
    });
    expect(gone.status).toBe(204);
    expect(await deliverDue(deps())).toBe(0);
    expect(receiver.received).toEqual([]);
    expect((await ask(getDelivery, "GET", `/api/admin/deliveries/${id}`, { params: { id } })).status).toBe(404);
  });

  it("signs with a new secret and, for a day, with the one before", async () => {
    const rotated = await ask(postRotate, "POST", "/api/admin/webhooks/hook/rotate", { params });
    const next = String(rotated.json["secret"]);
    expect([rotated.status, next === secret]).toEqual([201, false]);
    await send();
    await deliverDue(deps());
    expect(isSignedWith(receiver.received[0]!, next)).toBe(true);
    expect(isSignedWith(receiver.received[0]!, secret)).toBe(true);
    now += DAY + MINUTE;
    await send();
    await deliverDue(deps());
    expect(isSignedWith(receiver.received[1]!, next)).toBe(true);
    expect(receiver.received[1]!.headers["webhook-signature"]!.split(" ")).toHaveLength(1);
  });

  it("signs with the secrets of two rotations at once", async () => {
    const rotate = () => ask(postRotate, "POST", "/api/admin/webhooks/hook/rotate", { params });
    const secrets = (await Promise.all([rotate(), rotate()])).map(({ json }) => String(json["secret"]));
    await send();
    await deliverDue(deps());
    expect(secrets.map((one) => isSignedWith(receiver.received[0]!, one))).toEqual([true, true]);
  });

  it("shows its secret once: it is in no table, and in no other answer", async () => {
    await send();
    await deliverDue(deps());
    expect(await findInDatabase(database, secret)).toEqual([]);
    expect(await findInDatabase(database, secret.replace("whsec_", ""))).toEqual([]);
    expect(JSON.stringify(await webhooks.list({ limit: 10 }))).not.toContain(secret);
  });

  it("is not saved with a URL that no delivery may reach; a stored one stays when the operator withdraws it", async () => {
    const { revision } = await webhooks.get("hook");
    const replace = (fields: object) =>
      ask(putRow, "PUT", "/api/admin/webhooks/hook", {
        body: { name: "hook", url: receiver.url, events: ["audit.alarm"], ...fields },
        headers: { "if-match": `"${revision}"` },
        params: { resource: "webhooks", id: "hook" },
      });
    const refused = ["http://10.0.0.7/hook", "https://localhost/hook", "http://[::1]:9/hook", "http://0x7f.1/hook"];
    for (const url of refused) {
      const answer = await replace({ url });
      expect([url, answer.status, answer.json["errors"]]).toMatchObject([url, 400, [{ path: "url" }]]);
    }
    const fix = "`10.0.0.7:80` is not a public address: an operator can add it to OUTBOUND_ALLOW and restart";
    expect((await replace({ url: refused[0] })).json["errors"]).toEqual([{ path: "url", message: fix }]);
    await database.query("update webhook set url = 'http://10.0.0.7/hook'");
    expect((await replace({ url: "http://10.0.0.7/hook", description: "changed" })).status).toBe(200);
    expect((await webhooks.get("hook")).description).toBe("changed");
  });

  it("keeps its name: the secret is bound to it", async () => {
    const { revision } = await webhooks.get("hook");
    const body = { name: "other", url: receiver.url, events: ["audit.alarm"] };
    const renamed = await ask(putRow, "PUT", "/api/admin/webhooks/hook", {
      body,
      headers: { "if-match": `"${revision}"` },
      params: { resource: "webhooks", id: "hook" },
    });
    expect(renamed).toMatchObject({ status: 400, json: { errors: [{ path: "name" }] } });
  });
});

it("events and deliveries are forgotten after 30 days", async () => {
  await send();
  await deliverDue(deps());
  await sweepEvents(new Date(Date.now() + 29 * DAY));
  expect(await database.query("select 1 from delivery_attempt")).toHaveLength(1);
  await sweepEvents(new Date(Date.now() + 31 * DAY));
  for (const table of ["event", "delivery", "delivery_attempt"])
    expect(await database.query(`select 1 from ${table}`)).toEqual([]);
});
