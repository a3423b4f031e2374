import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as applying from "@/app/api/admin/imports/[id]/apply/route";
import * as approving from "@/app/api/admin/drift/[id]/approve/route";
import { POST as approveMany } from "@/app/api/admin/drift/approve/route";
import * as bypassing from "@/app/api/admin/requests/[id]/bypass/route";
import * as confirming from "@/app/api/admin/requests/[id]/confirm/route";
import * as imports from "@/app/api/admin/imports/route";
import * as answering from "@/app/api/admin/requests/[id]/approve/route";
import * as reading from "@/app/api/admin/drift/[id]/route";
import * as review from "@/app/api/admin/drift/route";
import * as rejecting from "@/app/api/admin/drift/[id]/reject/route";
import * as reverting from "@/app/api/admin/requests/[id]/revert/route";
import { PUT as replace } from "@/app/api/admin/[resource]/[id]/route";
import * as syncing from "@/app/api/admin/sources/[name]/sync/route";
import { readAttention } from "@/lib/admin/attention";
import type { HeldChange, RequestFacts } from "@/lib/contracts/changes/request";
import { driftPage, type DriftItem } from "@/lib/contracts/sources/drift";
import { groupInput } from "@/lib/resources/group";
import { findUserByEmail } from "@/lib/store/config/users";
import { stores } from "@/lib/store/config/index";
import { db } from "@/lib/store/db/database";
import { revertUnconfirmed } from "@/lib/store/requests/end-bypass";
import { openRequest } from "@/lib/store/requests/requests";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { ask, type Got } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { ADMIN } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { addPerson, signIn, cookieOf } from "@/test/support/person";
import { startTrainTravel, type TrainTravel } from "@/test/support/servers/train-travel";
import { setReview } from "@/test/support/set-review";

// What a source says, while a second person approves changes.

const database = useDatabase();
const TRIPS = "trains:get-trips";

let trains: TrainTravel;
beforeEach(async () => {
  await signIn("admin");
  await signIn("editor");
  trains = await startTrainTravel();
  allowOutbound(trains.host);
});
afterEach(async () => {
  await setReview("off");
  await trains.close();
  await database.query(
    "truncate source, source_sync, tool, drift, change, revision, import_job, upstream_definition, request",
  );
});

async function ended(id: string, status: string): Promise<void> {
  const done = async () => ["failed", status].includes((await getImportJob(id)).status);
  await vi.waitUntil(done, { timeout: 15_000 });
  expect(await getImportJob(id)).toMatchObject({ status, error: null });
}

async function planned(): Promise<string> {
  const body = { source: "trains", url: trains.documentUrl };
  const { id } = (await ask<{ id: string }>(imports.POST, "POST", "/api/admin/imports", { body })).json;
  await ended(id, "planned");
  return id;
}

const apply = (id: string, operations: "all" | readonly string[]) =>
  ask(applying.POST, "POST", `/api/admin/imports/${id}/apply`, {
    body: { operations },
    params: { id },
    role: "editor",
  });

async function sync(): Promise<void> {
  const params = { name: "trains" };
  const started = await ask<{ id: string }>(syncing.POST, "POST", "/api/admin/sources/trains/sync", { params });
  await ended(started.json.id, "applied");
  const claims = () => database.query(`select source from source_sync where "busyUntil" is not null`);
  await vi.waitUntil(async () => (await claims()).length === 0, { timeout: 15_000 });
}

async function waiting(): Promise<DriftItem[]> {
  return driftPage.parse((await ask(review.GET, "GET", "/api/admin/drift?sort=id", { role: "auditor" })).json).items;
}

const approveDrift = ({ id, hash }: DriftItem) =>
  ask(approving.POST, "POST", `/api/admin/drift/${id}/approve`, { params: { id }, body: { hash }, role: "editor" });

function held(got: Got): HeldChange["request"] {
  expect([got.status, got.text]).toEqual([202, expect.any(String)]);
  return (got.json as unknown as HeldChange).request;
}

async function answer(
  handler: Parameters<typeof ask>[0],
  how: string,
  { id, hash }: HeldChange["request"],
  headers: Record<string, string> = {},
): Promise<void> {
  const body = how === "revert" ? { reason: "wrong" } : { hash, reason: "sure" };
  const got = await ask(handler, "POST", `/api/admin/requests/${id}/${how}`, { params: { id }, body, headers });
  expect([how, got.status, got.text]).toEqual([how, 200, expect.any(String)]);
}

async function secondAdmin(): Promise<string> {
  const email = "second@example.com";
  const person = (await findUserByEmail(email)) ?? (await addPerson({ email, name: "second", role: "admin" }));
  return cookieOf(person);
}

/** Gives the operation another description, as its source says. */
const describeTrips = (description: string) =>
  trains.edit((document) => {
    const operation = document.paths["/trips"]!["get"]!;
    delete operation.summary;
    operation.description = description;
  });
const descriptionOfTrips = async () => (await stores.tools.get(TRIPS)).description;

/** The tool with another status, as a person would save it. */
async function tripsAs(status: "active" | "quarantined" | "deprecated") {
  const { revision, createdAt, updatedAt, definitionHash: _, ...row } = await stores.tools.get(TRIPS);
  return { row: { ...row, status }, revision };
}

/** Changes a description at the source, and lets the editor ask for its approval. */
async function requestedDrift(description: string): Promise<HeldChange["request"]> {
  describeTrips(description);
  await sync();
  const [item] = await waiting();
  return held(await approveDrift(item!));
}

/** Two operations that no import has seen. */
const addOperations = () =>
  trains.edit((document) => {
    for (const operationId of ["health", "ready"])
      document.paths[`/${operationId}`] = { get: { operationId, description: "One.", responses: {} } };
  });

/** Changes the tags at the source, and lets the editor ask for their approval. */
async function requestedTags(tag: string): Promise<HeldChange["request"]> {
  trains.edit((document) => Object.assign(document.paths["/trips"]!["get"]!, { tags: [tag] }));
  await sync();
  const [item] = await waiting();
  return held(await approveDrift(item!));
}

describe("drift under reviews", () => {
  beforeEach(async () => {
    await apply(await planned(), "all");
    await setReview("all");
  });

  it("names who requested its approval, until the request is answered", async () => {
    const request = await requestedDrift("Second.");
    expect(await waiting()).toMatchObject([
      { id: TRIPS, request: { id: request.id, asker: "editor@example.com" }, rejectedBy: null },
    ]);
    const counted = () => readAttention("auditor", Date.now());
    expect(await counted()).toMatchObject({ requests: { access: 0, changes: 1 }, drift: 1 });
    await answer(answering.POST, "approve", request);
    expect([await waiting(), await descriptionOfTrips()]).toEqual([[], "Second."]);
    expect(await counted()).toMatchObject({ requests: { access: 0, changes: 0 }, drift: 0 });
  });

  it("is listed and read also while no key opens a request with more rows than its facts name", async () => {
    describeTrips("Second.");
    await sync();
    const asker = "editor@example.com";
    const facts: RequestFacts = {
      kind: "change",
      rows: [{ resource: "drift", id: TRIPS, action: "delete" }],
      count: 21,
      verdict: { kind: "unknown", reasons: [] },
    };
    const asked = {
      asker: { actor: { kind: "user", name: asker, role: "editor" }, personId: null },
      reason: "",
      target: `drift/${TRIPS}`,
      basis: 0,
      facts,
      body: [],
      secrets: null,
      expiresAt: new Date(Date.now() + 60_000),
    } as const;
    const { id } = await db().$transaction((tx) => openRequest(tx, asked, new Date()));
    await database.query("update request set body = 'sealed under a lost key'");
    expect(await waiting()).toMatchObject([{ id: TRIPS, request: { id, asker } }]);
    const read = await ask<DriftItem>(reading.GET, "GET", `/api/admin/drift/${TRIPS}`, { params: { id: TRIPS } });
    expect([read.status, read.json.request]).toEqual([200, { id, asker }]);
  });

  it("that a request approved is the source's accepted definition: its next change is found", async () => {
    await answer(answering.POST, "approve", await requestedDrift("Second."));
    await sync();
    expect(await waiting()).toEqual([]);
    describeTrips("Third.");
    await sync();
    expect(await waiting()).toMatchObject([{ id: TRIPS, kind: "changed", request: null }]);
  });

  it("keeps the order of a schema's properties through a request", async () => {
    const names = ["zone", "alpha", "middle"];
    trains.edit((document) => {
      const parameters = names.map((name) => ({ name, in: "query", schema: { type: "string" } }));
      Object.assign(document.paths["/trips"]!["get"]!, { parameters });
    });
    await sync();
    const [item] = await waiting();
    await answer(answering.POST, "approve", held(await approveDrift(item!)));
    const { properties } = (await stores.tools.get(TRIPS)).inputSchema as { properties: object };
    expect(Object.keys(properties)).toEqual(names);
  });

  it.each([
    ["revert", reverting.POST, "request.body"],
    ["revert", reverting.POST, "'sealed under a lost key'"],
    ["confirm", confirming.POST, "request.body"],
  ] as const)(
    "applied without review: before and after `%s`, the source's next change is judged by what is stored",
    async (how, handler, body) => {
      const before = await descriptionOfTrips();
      const request = await requestedDrift("Second.");
      await answer(bypassing.POST, "bypass", request);
      await sync();
      expect([await descriptionOfTrips(), await waiting()]).toEqual(["Second.", []]);
      await database.query(`update request set body = ${body}`);
      await answer(handler, how, request, { cookie: await secondAdmin() });
      await sync();
      expect(await waiting()).toMatchObject(how === "revert" ? [{ id: TRIPS, kind: "changed" }] : []);
      expect(await descriptionOfTrips()).toBe(how === "revert" ? before : "Second.");
      await answer(answering.POST, "approve", await requestedDrift("Third."));
      expect(await descriptionOfTrips()).toBe("Third.");
    },
  );

  it("applied without review is found changed again by its source before anybody confirms it", async () => {
    await answer(bypassing.POST, "bypass", await requestedDrift("Second."));
    await answer(answering.POST, "approve", await requestedDrift("Third."));
    expect(await descriptionOfTrips()).toBe("Third.");
  });

  it.each([
    ["revert", reverting.POST],
    ["confirm", confirming.POST],
  ] as const)("applied without review keeps through `%s` what was accepted and edited since", async (how, handler) => {
    const first = await stores.tools.get(TRIPS);
    const request = await requestedDrift("Second.");
    await answer(bypassing.POST, "bypass", request);
    await answer(answering.POST, "approve", await requestedTags("moved"));
    await setReview("off");
    const { revision, createdAt, updatedAt, definitionHash: _, ...row } = await stores.tools.get(TRIPS);
    await stores.tools.replace(ADMIN, TRIPS, { ...row, displayName: "By hand" }, "*");
    await answer(handler, how, request, { cookie: await secondAdmin() });
    expect(await stores.tools.get(TRIPS)).toMatchObject(
      how === "revert"
        ? { description: first.description, displayName: first.displayName, tags: ["moved"] }
        : { description: "Second.", displayName: "By hand", tags: ["moved"] },
    );
    await setReview("all");
    await answer(answering.POST, "approve", await requestedTags("later"));
    expect(await stores.tools.get(TRIPS)).toMatchObject({ description: "Second.", tags: ["later"] });
  });

  it("applied without review and reverted is an operation that its source proposes, as the source now says", async () => {
    const health = (description: string) =>
      trains.edit((document) => {
        document.paths["/health"] = { get: { operationId: "health", description, responses: {} } };
      });
    health("Is it well?");
    await sync();
    const request = held(await approveDrift((await waiting())[0]!));
    await answer(bypassing.POST, "bypass", request);
    await sync();
    expect(await waiting()).toEqual([]);
    await answer(reverting.POST, "revert", request);
    health("Is it well now?");
    await sync();
    const [proposed] = await waiting();
    await answer(answering.POST, "approve", held(await approveDrift(proposed!)));
    expect((await stores.tools.get("trains:health")).description).toBe("Is it well now?");
  });

  it.each([true, false])(
    "proposes again the operations that an import declined without review and a revert undid (waiting before: %s)",
    async (isWaiting) => {
      const describeNew = (description: string) =>
        trains.edit((document) => {
          for (const operationId of ["health", "ready"])
            document.paths[`/${operationId}`] = { get: { operationId, description, responses: {} } };
        });
      describeNew("One.");
      if (isWaiting) await sync();
      const request = held(await apply(await planned(), ["trains:health"]));
      await answer(bypassing.POST, "bypass", request);
      await setReview("off");
      await stores.tools.remove(ADMIN, TRIPS, "*");
      await answer(reverting.POST, "revert", request, { cookie: await secondAdmin() });
      await database.query(`update source set "joinNewOperations" = 'automatic'`);
      describeNew("Two.");
      await sync();
      const proposed = await waiting();
      expect(proposed.map(({ id, kind }) => [id, kind])).toEqual([
        ["trains:health", "new"],
        ["trains:ready", "new"],
      ]);
      for (const item of proposed) {
        expect((await approveDrift(item)).status).toBe(200);
        expect((await stores.tools.get(item.id)).description).toBe("Two.");
      }
    },
  );

  it("proposes no operation again that somebody declined after the change without review", async () => {
    addOperations();
    const request = held(await apply(await planned(), ["trains:health"]));
    await answer(bypassing.POST, "bypass", request);
    expect((await apply(await planned(), ["trains:health"])).status).toBe(200);
    await answer(reverting.POST, "revert", request, { cookie: await secondAdmin() });
    await sync();
    expect(await waiting()).toMatchObject([{ id: "trains:health", kind: "new" }]);
  });

  it("proposes no operation again that somebody declined before the change without review", async () => {
    addOperations();
    await setReview("off");
    expect((await apply(await planned(), [TRIPS])).status).toBe(200);
    await setReview("all");
    const request = held(await apply(await planned(), ["trains:health"]));
    await answer(bypassing.POST, "bypass", request);
    await answer(reverting.POST, "revert", request, { cookie: await secondAdmin() });
    await sync();
    expect(await waiting()).toMatchObject([{ id: "trains:health", kind: "new" }]);
  });

  it("proposes no operation again that a confirmed change without review declined", async () => {
    addOperations();
    const first = held(await apply(await planned(), ["trains:health"]));
    await answer(bypassing.POST, "bypass", first);
    await answer(confirming.POST, "confirm", first, { cookie: await secondAdmin() });
    trains.edit(
      ({ paths }) => (paths["/third"] = { get: { operationId: "third", description: "One.", responses: {} } }),
    );
    const request = held(await apply(await planned(), ["trains:third"]));
    await answer(bypassing.POST, "bypass", request);
    await answer(reverting.POST, "revert", request, { cookie: await secondAdmin() });
    await sync();
    expect(await waiting()).toMatchObject([{ id: "trains:third", kind: "new" }]);
  });

  it.each([
    ["confirmed after the second is reverted", ["revert second", "confirm first"], []],
    ["confirmed before the second is reverted", ["confirm first", "revert second"], []],
    ["reverted too", ["revert second", "revert first"], ["trains:health", "trains:ready"]],
    ["reverted before", ["revert first", "revert second"], ["trains:health", "trains:ready"]],
  ] as const)(
    "of two changes without review that declined an operation, the first counts unless it is reverted: %s",
    async (_when, steps, proposed) => {
      addOperations();
      const first = held(await apply(await planned(), ["trains:health"]));
      await answer(bypassing.POST, "bypass", first);
      const third = { get: { operationId: "third", description: "One.", responses: {} } };
      trains.edit(({ paths }) => (paths["/third"] = third));
      const second = held(await apply(await planned(), ["trains:third"]));
      await answer(bypassing.POST, "bypass", second);
      const handlers = { revert: reverting.POST, confirm: confirming.POST } as const;
      for (const step of steps) {
        const [how, which] = step.split(" ") as ["revert" | "confirm", "first" | "second"];
        const request = which === "first" ? first : second;
        await answer(handlers[how], how, request, { cookie: await secondAdmin() });
      }
      await sync();
      expect((await waiting()).map(({ id }) => id)).toEqual([...proposed, "trains:third"]);
    },
  );

  it("of three changes without review that declined an operation, one that is reverted before the last does not count", async () => {
    addOperations();
    const decliner = async (operationId: string) => {
      trains.edit(
        ({ paths }) => (paths[`/${operationId}`] = { get: { operationId, description: "One.", responses: {} } }),
      );
      const request = held(await apply(await planned(), [`trains:${operationId}`]));
      await answer(bypassing.POST, "bypass", request);
      return request;
    };
    const revert = async (request: Parameters<typeof answer>[2]) =>
      answer(reverting.POST, "revert", request, { cookie: await secondAdmin() });
    const [first, second] = [await decliner("one"), await decliner("two")];
    await revert(first);
    const third = await decliner("three");
    for (const request of [second, third]) await revert(request);
    await sync();
    expect((await waiting()).map(({ id }) => id)).toEqual(expect.arrayContaining(["trains:health", "trains:ready"]));
  }, 60_000);

  it("proposes declined operations again although a tool that is in use cannot be reverted", async () => {
    addOperations();
    await answer(bypassing.POST, "bypass", held(await apply(await planned(), ["trains:health"])));
    await setReview("off");
    const group = { name: "used", include: [{ tool: "trains:health" }] };
    await stores.groups.create(ADMIN, groupInput.parse(group));
    await setReview("all");
    for (const hours of [73, 74]) {
      await revertUnconfirmed(new Date(Date.now() + hours * 3_600_000));
      await sync();
      expect(await waiting()).toMatchObject([{ id: "trains:ready", kind: "new" }]);
    }
    expect(await db().request.findMany({ select: { status: true } })).toEqual([{ status: "bypassed" }]);
    // The job runs every few seconds, and must leave the decline of a person as it is.
    const [ready] = await waiting();
    const body = { hash: ready!.hash };
    await ask(rejecting.POST, "POST", "/api/admin/drift/trains:ready/reject", { params: { id: ready!.id }, body });
    await revertUnconfirmed(new Date(Date.now() + 75 * 3_600_000));
    await sync();
    expect(await waiting()).toEqual([]);
    await stores.groups.remove(ADMIN, "used", "*");
  });

  it.each([
    ["quarantined", "drops"],
    ["quarantined", "changes"],
    ["deprecated", "drops"],
  ] as const)(
    "a tool that a person had %s stays so after the revert of its activation, although the source %s the operation",
    async (status, how) => {
      await setReview("off");
      await stores.tools.replace(ADMIN, TRIPS, (await tripsAs(status)).row, "*");
      await setReview("all");
      const { row, revision } = await tripsAs("active");
      const params = { resource: "tools", id: TRIPS };
      const headers = { "if-match": `"${revision}"` };
      const request = held(
        await ask(replace, "PUT", `/api/admin/tools/${TRIPS}`, { params, body: row, role: "editor", headers }),
      );
      await answer(bypassing.POST, "bypass", request);
      let before: unknown;
      trains.edit(({ paths }) => {
        before = structuredClone(paths["/trips"]);
        if (how === "drops") delete paths["/trips"];
      });
      if (how === "changes") describeTrips("Second.");
      await sync();
      expect((await stores.tools.get(TRIPS)).status).toBe(how === "drops" ? "deprecated" : "quarantined");
      await answer(reverting.POST, "revert", request);
      expect((await stores.tools.get(TRIPS)).status).toBe(status);
      trains.edit((document) => Object.assign(document.paths, { "/trips": before }));
      await sync();
      expect([(await stores.tools.get(TRIPS)).status, await waiting()]).toEqual([status, []]);
    },
  );

  it("a quarantine by a source stays the source's when the request that approved its change is reverted in parts", async () => {
    let before: unknown;
    trains.edit(({ paths }) => (before = structuredClone(paths["/trips"])));
    addOperations();
    describeTrips("Second.");
    await sync();
    const items = (await waiting()).filter(({ id }) => [TRIPS, "trains:health"].includes(id));
    const body = { items: items.map(({ id, hash }) => ({ id, hash })) };
    const request = held(await ask(approveMany, "POST", "/api/admin/drift/approve", { body, role: "editor" }));
    await answer(bypassing.POST, "bypass", request);
    await setReview("off");
    const group = { name: "used", include: [{ tool: "trains:health" }] };
    await stores.groups.create(ADMIN, groupInput.parse(group));
    await setReview("all");
    await revertUnconfirmed(new Date(Date.now() + 73 * 3_600_000));
    expect((await stores.tools.get(TRIPS)).status).toBe("quarantined");
    trains.edit((document) => Object.assign(document.paths, { "/trips": before }));
    await sync();
    await stores.groups.remove(ADMIN, "used", "*");
    expect((await stores.tools.get(TRIPS)).status).toBe("active");
  });

  it("holds new operations that the source would let join, because nobody has reviewed them", async () => {
    await database.query(`update source set "joinNewOperations" = 'automatic'`);
    trains.edit((document) => {
      document.paths["/health"] = { get: { operationId: "health", description: "Is it well?", responses: {} } };
    });
    await sync();
    expect(await waiting()).toMatchObject([{ id: "trains:health", kind: "new" }]);
    await setReview("off");
    await sync();
    expect([await waiting(), (await stores.tools.get("trains:health")).status]).toEqual([[], "active"]);
  });
});

it("an import that a request applied in part proposes no operation that was declined", async () => {
  await setReview("all");
  const id = await planned();
  await answer(answering.POST, "approve", held(await apply(id, [TRIPS])));
  expect((await stores.tools.list({ limit: 50 })).items.map((tool) => tool.id)).toEqual([TRIPS]);
  await sync();
  expect(await waiting()).toEqual([]);
});
