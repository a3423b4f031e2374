import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { sourceInput } from "@/lib/resources/source";
import { applyImport } from "@/lib/sources/import/apply-import";
import { approveDrift } from "@/lib/sources/drift/decide-drift";
import { getDrift } from "@/lib/sources/drift/drift";
import { startImport } from "@/lib/sources/import/import";
import { startSync } from "@/lib/sources/sync";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { stores } from "@/lib/store/config/index";
import { setSecret } from "@/lib/store/config/secrets";
import { ADMIN, Client, save } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { CLIENT, startTokenServer, type TokenServer } from "@/test/support/servers/token-server";
import { PARIS, startTrainTravel, type TrainTravel } from "@/test/support/servers/train-travel";

const database = useDatabase();

const BOOK = "trains:create-booking";

let trains: TrainTravel;
let corp: TestIssuer;
let tokens: TokenServer;

beforeAll(async () => {
  [trains, corp] = await Promise.all([startTrainTravel(), startIssuer()]);
  tokens = await startTokenServer(corp);
  allowOutbound(trains.host, corp.host, tokens.host);
  await setSecret(ADMIN, "client", { value: CLIENT.secret, origins: [trains.origin, tokens.origin] });
  await stores.sources.create(ADMIN, sourceInput.parse({ ...source(), auth: exchange() }));
  const id = await startImport(ADMIN, { source: "trains" });
  await ended(id, "planned");
  await applyImport(ADMIN, id, { operations: "all", groups: [] });
  await save({
    apiVersion: "quartermaster/v1",
    policies: [{ name: "all", everyone: true, groups: ["*"] }],
    issuers: [{ name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri }],
  });
});
afterAll(() => Promise.all([trains.close(), corp.close(), tokens.close()]));

const source = () => ({ name: "trains", kind: "openapi", url: trains.documentUrl });
const exchange = () => ({
  mode: "token_exchange",
  tokenUrl: tokens.tokenUrl,
  clientId: CLIENT.id,
  secret: "client",
  audience: "orders",
});

async function ended(id: string, status: string): Promise<void> {
  await vi.waitUntil(async () => ["failed", status].includes((await getImportJob(id)).status), { timeout: 15_000 });
  expect(await getImportJob(id)).toMatchObject({ status, error: null });
  // A sync releases its claim right after its import ended.
  const claims = () => database.query(`select source from source_sync where "busyUntil" is not null`);
  await vi.waitUntil(async () => (await claims()).length === 0, { timeout: 15_000 });
}

/** Books a trip with a token of these scopes. */
async function book(scope?: string): Promise<CallOutput> {
  const caller = new Client(await corp.token({ sub: "alice", ...(scope !== undefined && { scope }) }));
  return (await caller.call({ tool_id: BOOK, arguments: { trip_id: PARIS, passenger_name: "Zoë" } })).json;
}

const lacking = (required: string, present: string[] = []) => ({
  status: "denied",
  error: { code: "insufficient_scope", details: { required: [required], present, missing: [required] } },
});

describe("the scopes that an operation requires", () => {
  it("are required of the caller's token where the source exchanges it", async () => {
    expect(await stores.tools.get(BOOK)).toMatchObject({ upstreamScopes: ["write"], requiredScopes: [] });
    expect(await book()).toMatchObject(lacking("write"));
    expect(await book("read")).toMatchObject(lacking("write", ["read"]));
    expect(await book("read write")).toMatchObject({ status: "succeeded" });
  });

  it("are required as long as the source does so, from the next call on and without another sync", async () => {
    const auth = (mode: object) =>
      stores.sources.replace(ADMIN, "trains", sourceInput.parse({ ...source(), auth: mode }), "*");
    await auth({ mode: "bearer", secret: "client" });
    expect(await book()).toMatchObject({ status: "succeeded" });
    await auth(exchange());
    expect(await book()).toMatchObject(lacking("write"));
  });

  it("are learnt without a quarantine where a tool was taken over before they were kept", async () => {
    await database.query(`update tool set "upstreamScopes" = '{}' where id = $1`, [BOOK]);
    await database.query(`update upstream_definition set definition = definition - 'upstreamScopes'`);
    await ended(await startSync(ADMIN, "trains"), "applied");
    expect(await stores.tools.get(BOOK)).toMatchObject({ status: "active", upstreamScopes: ["write"] });
    expect(await database.query("select id from drift")).toEqual([]);
    const { revision } = await stores.tools.get(BOOK);
    await ended(await startSync(ADMIN, "trains"), "applied");
    expect((await stores.tools.get(BOOK)).revision).toBe(revision);
  });

  it("follow a sync after an approval", async () => {
    trains.edit(({ paths }) => void (paths["/bookings"]!["post"]!.security = [{ OAuth2: ["bookings:write"] }]));
    await ended(await startSync(ADMIN, "trains"), "applied");
    expect(await stores.tools.get(BOOK)).toMatchObject({ status: "quarantined", upstreamScopes: ["write"] });
    const shown = await getDrift(BOOK);
    expect(shown.notes).toEqual([
      { severity: "high", text: "The tool requires additional scopes: `bookings:write`." },
      { severity: "medium", text: "The tool no longer requires the scopes `write`." },
    ]);
    expect(shown.pinned?.definition.upstreamScopes).toEqual(["write"]);
    await approveDrift(ADMIN, [shown]);
    expect(await book("write")).toMatchObject(lacking("bookings:write", ["write"]));
    expect(await book("bookings:write")).toMatchObject({ status: "succeeded" });
  });

  it("are added to those that an administrator requires", async () => {
    const { revision, createdAt, updatedAt, definitionHash, ...row } = await stores.tools.get(BOOK);
    await stores.tools.replace(ADMIN, BOOK, { ...row, requiredScopes: ["travel"] }, "*");
    expect((await book("bookings:write")).error?.details).toMatchObject({
      required: ["travel", "bookings:write"],
      missing: ["travel"],
    });
    await ended(await startSync(ADMIN, "trains"), "applied");
    expect(await stores.tools.get(BOOK)).toMatchObject({ status: "active", requiredScopes: ["travel"] });
  });
});
