import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { applyImport } from "@/lib/sources/import/apply-import";
import { startImport } from "@/lib/sources/import/import";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { ADMIN, Client, idsOf, save } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { BERLIN, PARIS, startTrainTravel, type TrainTravel } from "@/test/support/servers/train-travel";

useDatabase();
let trains: TrainTravel;
let corp: TestIssuer;
let traveller: Client;

beforeAll(async () => {
  [trains, corp] = await Promise.all([startTrainTravel(), startIssuer()]);
  allowOutbound(trains.host, corp.host);
  const id = await startImport(ADMIN, { source: "trains", url: trains.documentUrl });
  await vi.waitUntil(async () => (await getImportJob(id)).status === "planned", { timeout: 15_000 });
  await applyImport(ADMIN, id, { operations: "all", groups: [] });
  await save({
    apiVersion: "quartermaster/v1",
    groups: [{ name: "travel", selectors: [{ source: "trains", excludedTags: ["Payments"] }] }],
    policies: [
      {
        name: "staff",
        matchers: [{ claim: "realm_access.roles", operator: "contains", value: "staff" }],
        groups: ["travel"],
      },
    ],
    issuers: [{ name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri }],
  });
  traveller = new Client(await corp.token({ realm_access: { roles: ["staff"] } }));
});
afterAll(() => Promise.all([trains.close(), corp.close()]));

async function call(operation: string, args: Record<string, unknown>): Promise<CallOutput> {
  return (await traveller.call({ tool_id: `trains:${operation}`, arguments: args })).json;
}

describe("an imported API at the agents' endpoints", () => {
  it("is listed as the policy grants it", async () => {
    expect(idsOf((await traveller.list()).json)).toEqual([
      "trains:create-booking",
      "trains:delete-booking",
      "trains:get-booking",
      "trains:get-bookings",
      "trains:get-stations",
      "trains:get-trips",
    ]);
  });

  it("is called from search to cancellation; its answers fit its output schemas", async () => {
    expect(await call("get-stations", {})).toMatchObject({
      status: "succeeded",
      output: { data: [{ id: BERLIN }, { id: PARIS }] },
    });
    const trips = await call("get-trips", { origin: BERLIN, destination: PARIS, date: "2026-12-01T09:00:00Z" });
    expect(trips).toMatchObject({ status: "succeeded" });
    const [trip] = (trips.output as { data: { id: string }[] }).data;
    const booked = await call("create-booking", { trip_id: trip!.id, passenger_name: "John Doe", has_dog: true });
    expect(booked).toMatchObject({ status: "succeeded", output: { has_dog: true } });
    const { id } = booked.output as { id: string };
    expect(await call("get-booking", { bookingId: id })).toMatchObject({ status: "succeeded" });
    expect(await call("get-bookings", {})).toMatchObject({ status: "succeeded", output: { data: [{ id }] } });
    expect(await call("delete-booking", { bookingId: id })).toMatchObject({ status: "succeeded", output: null });
    expect(await call("get-booking", { bookingId: id })).toMatchObject({
      status: "failed",
      error: { code: "upstream_error" },
    });
  });

  it("is called only with valid arguments, and only where a policy grants it", async () => {
    const before = trains.seen.length;
    expect(await call("get-trips", { origin: BERLIN })).toMatchObject({ error: { code: "invalid_arguments" } });
    expect(await call("get-trips", { origin: 1, destination: PARIS, date: "x", extra: true })).toMatchObject({
      error: { code: "invalid_arguments" },
    });
    expect(await call("get-booking", { bookingId: "../stations" })).toMatchObject({
      error: { code: "invalid_arguments" },
    });
    expect(await call("create-booking-payment", { bookingId: BERLIN })).toMatchObject({
      error: { code: "tool_not_available" },
    });
    expect(trains.seen.length).toBe(before);
  });

  it("is called without the caller's token", async () => {
    await call("get-stations", {});
    expect(trains.seen.at(-1)!.headers).not.toHaveProperty("authorization");
    expect(JSON.stringify(trains.seen)).not.toContain(traveller.credential);
  });
});
