import { exportJWK, generateKeyPair } from "jose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as list from "@/app/api/admin/linked-accounts/route";
import { readDocument } from "@/lib/store/save/config-document";
import { db } from "@/lib/store/db/database";
import { getExecution } from "@/lib/store/log/executions";
import { clients } from "@/lib/store/config/clients";
import { ADMIN, Client } from "@/test/api/agents-world";
import { clientAssertion, RESOURCE, token as sendToken, useGateway } from "@/test/api/oauth/world";
import {
  linkAccount,
  mine,
  REFUSE_GRANTS,
  sessionOf,
  statusOf,
  useLinkingPeople,
  whoami,
  type LinkingUser,
} from "@/test/api/credentials/linked-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { findInDatabase } from "@/test/support/find-in-database";
import { ORIGIN } from "@/test/support/person";

// Calls that need a linked account, and the tokens that they act with.

// The tests read everything that the program logs, so it logs at the most verbose level.
process.env["LOG_LEVEL"] = "trace";
const logged: string[] = [];

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    logged.push(String(text));
    return true;
  });
});

const database = useDatabase();
const world = useLinkingPeople(database);
const gateway = useGateway();

const refreshes = () => world.server.asked.filter(({ grant_type: type }) => type === "refresh_token").length;

describe("a call without a linked account", () => {
  it("is refused with the page to link one at, and logged with that reason", async () => {
    for (const calling of [mine, whoami]) {
      const answer = await calling(world.asAda);
      const source = answer.json.tool_id?.split(":")[0] ?? "";
      const url = `${ORIGIN}/admin/linked-accounts/${source}`;
      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject({
        status: "denied",
        error: { code: "authorization_needed", retryable: false, details: { source, connect_url: url } },
      });
      expect(answer.json.error?.message).toContain(`Open ${url} in a browser`);
      expect(await getExecution(answer.json.call_id, { bodies: true })).toMatchObject({
        code: "authorization_needed",
        reason: "authorization_needed: not_linked",
        attempts: 0,
      });
    }
  });

  it("explains why an API key, and a subject without a user, can have none", async () => {
    const key = await mine(world.byKey);
    expect(key.status).toBe(403);
    expect(key.json.error).toMatchObject({ code: "authorization_needed", details: { source: "tickets" } });
    expect(key.json.error?.message).toContain("no person stands behind an API key");
    const nobody = await mine(new Client(await world.corp.token({ sub: "carol" })));
    expect(nobody.json.error?.message).toContain("is no person who can sign in to Quartermaster");
    expect(nobody.json.error?.details).toEqual({ source: "tickets" });
  });

  it("is refused to a client without a person, also to one whose name is the id of a person", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] } as never;
    const row = { description: "", enabled: true, redirectUris: [], agent: "reader", jwks };
    for (const name of ["nightly", world.ada.user.id]) {
      await clients.create(ADMIN, { ...row, name });
      const authentication = await clientAssertion(name, privateKey);
      const form = { grant_type: "client_credentials", ...authentication, resource: RESOURCE };
      const { json } = await sendToken(gateway, form);
      const answer = await mine(new Client(String(json["access_token"])));
      expect([answer.status, answer.json.error?.code]).toEqual([403, "authorization_needed"]);
      expect(answer.json.error?.details).toEqual({ source: "tickets" });
    }
  });

  it("is refused again when the person is disabled, or refused by their provider", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    for (const [off, on] of [
      ["enabled = false", "enabled = true"],
      [`"openIdRefused" = true`, `"openIdRefused" = false`],
    ]) {
      await database.query(`update person set ${off} where name = 'ada'`);
      expect((await mine(world.asAda)).json.error?.code).toBe("authorization_needed");
      await database.query(`update person set ${on} where name = 'ada'`);
    }
    world.ada = { ...world.ada, headers: await sessionOf((await reloadPerson(world.ada)).user) };
    expect((await mine(world.asAda)).json.status).toBe("succeeded");
  });

  it("never sends the token to another origin than the one that it was linked at", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    world.mcp.seen.length = 0;
    const answer = await world.asAda.call({ tool_id: "tickets:elsewhere", arguments: {} });
    expect(answer.json.error).toMatchObject({ code: "upstream_auth_failed" });
    expect(answer.json.error?.message).toContain(`are linked at ${world.api.origin}`);
    expect(world.mcp.seen).toEqual([]);
  });
});

/** Reads the person again: a change of the row may have ended the person's sessions. */
async function reloadPerson({ user, headers }: LinkingUser): Promise<LinkingUser> {
  const stored = await db().user.findUniqueOrThrow({ where: { id: user.id }, select: { sessionEpoch: true } });
  return { user: { ...user, ...stored }, headers };
}

describe("tokens", () => {
  it("are refreshed ahead of their end, once for 20 calls at the same time", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    // A token of 300 s is used for 240 s, so the server still accepts the one that is replaced.
    const [row] = await database.query(
      `select extract(epoch from "usableUntil" - "linkedAt")::float as seconds from linked_account`,
    );
    expect(row?.["seconds"]).toBeCloseTo(240, -1);
    await database.query(`update linked_account set "usableUntil" = now() - interval '1 second'`);
    const answers = await Promise.all(Array.from({ length: 20 }, () => mine(world.asAda)));
    expect(answers.map(({ json }) => json.status)).toEqual(Array(20).fill("succeeded"));
    expect(refreshes()).toBe(1);
    expect((await mine(world.asAda)).json.status).toBe("succeeded");
    expect(refreshes()).toBe(1);
  });

  it("that the upstream refuses before their end are refreshed once for calls at the same time", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    world.server.endTokens("ada@mail");
    const answers = await Promise.all(Array.from({ length: 10 }, () => mine(world.asAda)));
    expect(answers.map(({ json }) => json.status)).toEqual(Array(10).fill("succeeded"));
    expect(refreshes()).toBe(1);
  });

  it("that cannot be refreshed any more end the account, and the person links it again", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    world.server.endTokens("ada@mail");
    world.server.setRefreshes(false);
    const answer = await mine(world.asAda);
    expect(answer.json.error).toMatchObject({
      code: "authorization_needed",
      details: { connect_url: `${ORIGIN}/admin/linked-accounts/tickets` },
    });
    expect(answer.json.error?.message).toContain("the upstream has ended the one that you linked");
    expect((await statusOf("tickets", world.ada)).account?.state).toBe("sign_in_again");
    world.server.setRefreshes(true);
    await linkAccount("tickets", world.ada, "ada@mail");
    expect((await mine(world.asAda)).json.status).toBe("succeeded");
  });

  it("that the database does not take at once are used and stored later, because the former ones are worth nothing", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    world.server.endTokens("ada@mail");
    await database.query(REFUSE_GRANTS);
    expect((await mine(world.asAda)).json.status).toBe("succeeded");
    expect((await mine(world.asAda)).json.status).toBe("succeeded");
    const isClaimed = async () =>
      (await database.query(`select "claimedAt" is not null as claimed from linked_account`))[0]?.["claimed"];
    expect(await isClaimed()).toBe(true);
    await database.query("drop function refuse_grants cascade");
    await vi.waitFor(async () => expect(await isClaimed()).toBe(false), { timeout: 20_000 });
    expect((await mine(world.asAda)).json.status).toBe("succeeded");
    expect(refreshes()).toBe(1);
  });

  it("stay while the server does not answer, and the call says so", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    world.server.endTokens("ada@mail");
    world.server.setAvailable(false);
    const answer = await mine(world.asAda);
    world.server.setAvailable(true);
    expect(answer.json.error).toMatchObject({ code: "upstream_auth_failed" });
    expect(answer.json.error?.message).toContain("could not be refreshed");
    expect((await mine(world.asAda)).json.status).toBe("succeeded");
  });

  it("are in no answer, no table, no export and no log, whatever the upstream repeats", async () => {
    logged.length = 0;
    world.presented.length = 0;
    await linkAccount("tickets", world.ada, "ada@mail");
    await linkAccount("mail", world.ada, "ada@mail");
    const answers = [await mine(world.asAda), await whoami(world.asAda)];
    world.server.endTokens("ada@mail");
    answers.push(await mine(world.asAda));
    expect(answers[0]?.json.output).toMatchObject({ echo: "Bearer [redacted]" });
    const tokens = new Set([
      ...world.presented,
      ...world.server.asked.flatMap(({ refresh_token: token }) => token ?? []),
    ]);
    expect(tokens.size).toBeGreaterThan(2);
    const rows = await Promise.all(answers.map(({ json }) => getExecution(json.call_id, { bodies: true })));
    const all = await ask(list.GET, "GET", "/api/admin/linked-accounts", { headers: world.bob.headers });
    const exported = JSON.stringify(await readDocument());
    const published = JSON.stringify([answers.map(({ text }) => text), rows]) + all.text + exported + logged.join("");
    for (const token of tokens) {
      expect(published).not.toContain(token);
      expect(await findInDatabase(database, token)).toEqual([]);
    }
  });
});
