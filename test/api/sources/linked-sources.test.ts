import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as imports from "@/app/api/admin/imports/route";
import * as item from "@/app/api/admin/imports/[id]/route";
import * as syncing from "@/app/api/admin/sources/[name]/sync/route";
import * as trying from "@/app/api/admin/tools/[id]/try/route";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import type { ImportJob } from "@/lib/contracts/sources/import-job";
import type { TryOutput } from "@/lib/contracts/log/try";
import { sourceInput } from "@/lib/resources/source";
import { setSecret } from "@/lib/store/config/secrets";
import { tokens } from "@/lib/store/people/tokens";
import { ADMIN, save } from "@/test/api/agents-world";
import {
  addOpenIdPerson,
  documentOf,
  linkAccount,
  startUpstreams,
  type LinkingUser,
  type Upstreams,
} from "@/test/api/credentials/linked-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

let upstreams: Upstreams;
let ada: LinkingUser;
let bob: LinkingUser;
let byToken: { authorization: string; cookie: string; origin: string };
beforeAll(async () => {
  upstreams = await startUpstreams();
  await save(documentOf(upstreams));
  ada = await addOpenIdPerson("ada", upstreams.corp.issuer, "admin");
  bob = await addOpenIdPerson("bob", upstreams.corp.issuer, "admin");
  const { token } = await tokens.create(ADMIN, { name: "robot", role: "admin", expiresAt: null, enabled: true });
  byToken = { authorization: `Bearer ${token}`, cookie: "", origin: "" };
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await upstreams.close();
});
beforeEach(() => database.query("delete from linked_account"));

/** Reads the source `mail` with these headers. */
async function read(headers: Record<string, string>): Promise<ImportJob> {
  const started = await ask<{ id: string }>(imports.POST, "POST", "/api/admin/imports", {
    body: { source: "mail" },
    headers,
  });
  expect(started.status).toBe(202);
  return ended(started.json.id);
}

async function ended(id: string): Promise<ImportJob> {
  const look = async () => {
    const job = (await ask<ImportJob>(item.GET, "GET", `/api/admin/imports/${id}`, { params: { id } })).json;
    return job.status === "running" ? null : job;
  };
  return (await vi.waitUntil(look, { timeout: 15_000 })) as ImportJob;
}

describe("a source whose users sign in themselves is read", () => {
  it("with the linked account of the person who reads it, and with nobody else's", async () => {
    const refused = await read(ada.headers);
    expect(refused.error).toContain("you have not linked one yet");
    expect(refused.error).toContain("name an `importSecret`");
    await linkAccount("mail", ada, "ada@mail");
    expect((await read(ada.headers)).error).toBeNull();
    expect((await read(bob.headers)).error).toContain("you have not linked one yet");
    expect((await read(byToken)).error).toContain("a personal access token cannot use linked accounts");
  });

  it("in a sync that a person starts, too", async () => {
    await linkAccount("mail", ada, "ada@mail");
    const path = "/api/admin/sources/mail/sync";
    const started = await ask<{ id: string }>(syncing.POST, "POST", path, {
      params: { name: "mail" },
      headers: ada.headers,
    });
    expect((await ended(started.json.id)).error).toBeNull();
  });

  it("with the source's own secret for imports, by anybody", async () => {
    await linkAccount("mail", ada, "robot@mail");
    await read(ada.headers);
    const value = upstreams.presented.at(-1) ?? "";
    await setSecret(ADMIN, "reader", { value, origins: [upstreams.mcp.origin] });
    const document = documentOf(upstreams) as { sources: { name: string }[] };
    const mail = { name: "mail", kind: "mcp", url: upstreams.mcp.url, auth: { mode: "user", importSecret: "reader" } };
    await save({ ...document, sources: [...document.sources.filter(({ name }) => name !== "mail"), mail] });
    expect((await read(byToken)).error).toBeNull();
  });

  it("by the clock only with a secret for imports", () => {
    const source = { name: "mail", kind: "mcp", url: "https://mail.example/mcp", syncMinutes: 60 };
    const parse = (auth: object) => sourceInput.safeParse({ ...source, auth: { mode: "user", ...auth } });
    expect(parse({}).error?.issues.map(({ path }) => path.join("."))).toEqual(["syncMinutes"]);
    expect(parse({ importSecret: "reader" }).success).toBe(true);
  });
});

describe("the settings of such a source", () => {
  it.each([
    ["an API without its address", { kind: "openapi", auth: { mode: "user" } }, "auth.resource"],
    [
      "a secret without its client",
      { kind: "mcp", url: "https://a.example", auth: { mode: "user", secret: "s" } },
      "auth.clientId",
    ],
    ["an address that is none", { kind: "mcp", auth: { mode: "user", resource: "mail" } }, "auth.resource"],
    ["a command", { kind: "mcp", command: "node server", auth: { mode: "user" } }, "auth"],
  ])("are refused for %s", (_what, fields, path) => {
    const { error } = sourceInput.safeParse({ name: "mail", ...fields });
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});

describe("a person who tries a tool of such a source", () => {
  const tryAs = ({ headers }: Pick<LinkingUser, "headers">, persona: string) =>
    ask<TryOutput>(trying.POST, "POST", "/api/admin/tools/mail:whoami/try", {
      body: { persona, arguments: {} },
      params: { id: "mail:whoami" },
      headers,
    });

  it("acts with the person's own account, also when the person tries it as another caller", async () => {
    await linkAccount("mail", ada, "ada@mail");
    const sampleClaims = { iss: upstreams.corp.issuer, sub: "ada" };
    await save({ ...documentOf(upstreams), personas: [{ name: "like-ada", sampleClaims }] });
    expect((await tryAs(ada, "like-ada")).json).toMatchObject({ status: "succeeded", output: "ada@mail" });
    expect((await tryAs(bob, "like-ada")).json.error?.code).toBe("authorization_needed");
    expect((await tryAs({ headers: byToken }, "like-ada")).json.error?.message).toContain("personal access token");
  });
});
