import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as ofSource from "@/app/api/admin/linked-accounts/[name]/route";
import * as list from "@/app/api/admin/linked-accounts/route";
import { endLinks } from "@/lib/calls/linked-accounts/end-link";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { readDocument } from "@/lib/store/save/config-document";
import { db } from "@/lib/store/db/database";
import { getExecution } from "@/lib/store/log/executions";
import type { LinkedAccountRow } from "@/lib/contracts/people/linked-account";
import { metrics } from "@/lib/telemetry/metrics";
import { Client, keyOf, save } from "@/test/api/agents-world";
import {
  addOpenIdPerson,
  begin,
  comeBack,
  documentOf,
  endAccount,
  linkAccount,
  sessionOf,
  startUpstreams,
  statusOf,
  type LinkingUser,
} from "@/test/api/credentials/linked-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { findInDatabase } from "@/test/support/find-in-database";
import { ORIGIN } from "@/test/support/person";
import type { TestIssuer } from "@/test/support/servers/issuer";
import { SCOPE, signInAt, type LinkServer } from "@/test/support/servers/link-server";
import type { McpServer } from "@/test/support/servers/mcp-server";
import type { Served } from "@/test/support/servers/serve";

// The tests read everything that the program logs, so it logs at the most verbose level.
process.env["LOG_LEVEL"] = "trace";
const logged: string[] = [];

const database = useDatabase();

let corp: TestIssuer;
let server: LinkServer;
let mcp: McpServer;
let api: Served;
let ada: LinkingUser;
let bob: LinkingUser;
/** The agents' entrance with tokens of people, and with an API key. */
let asAda: Client;
let asBob: Client;
let byKey: Client;
/** The bearer tokens that the upstreams saw. */
let presented: string[];

beforeAll(async () => {
  ({ corp, server, mcp, api, presented } = await startUpstreams());
  await save(documentOf({ corp, mcp, api }));
  ada = await addOpenIdPerson("ada", corp.issuer);
  bob = await addOpenIdPerson("bob", corp.issuer, "admin");
  asAda = new Client(await corp.token({ sub: "ada" }));
  asBob = new Client(await corp.token({ sub: "bob" }));
  byKey = new Client(await keyOf("reader"));
});

afterAll(async () => {
  await sharedMcpConnections().close();
  await Promise.all([corp.close(), server.close(), mcp.close(), api.close()]);
});

beforeEach(async () => {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    logged.push(String(text));
    return true;
  });
  await database.query("delete from linked_account");
  server.asked.length = 0;
  server.revoked.length = 0;
  server.setLifetime(300);
  server.setRefreshes(true);
});

const mine = (client: Client) => client.call({ tool_id: "tickets:mine", arguments: {} });
const whoami = (client: Client) => client.call({ tool_id: "mail:whoami", arguments: {} });

/** How often each outcome of a refresh was counted during `work`. */
async function countedDuring(work: () => Promise<void>): Promise<Record<string, number>> {
  const counts = () =>
    metrics()
      .linkRefreshes.collect()
      .samples.flatMap(({ labels, ...sample }) =>
        labels["source"] === "tickets" && "value" in sample ? [[labels["outcome"] ?? "", sample.value] as const] : [],
      );
  const before = new Map(counts());
  await work();
  const risen = counts().map(([outcome, value]) => [outcome, value - (before.get(outcome) ?? 0)] as const);
  return Object.fromEntries(risen.filter(([, value]) => value > 0));
}

const refreshes = () => server.asked.filter(({ grant_type: type }) => type === "refresh_token").length;

describe("a person links an account", () => {
  it("of an OpenAPI source and of an MCP server, and each call acts with the account of its caller", async () => {
    for (const source of ["tickets", "mail"]) {
      expect(await linkAccount(source, ada, "ada@mail")).toBe(`/admin/linked-accounts/${source}?linked=yes`);
      expect(await linkAccount(source, bob, "bob@mail")).toBe(`/admin/linked-accounts/${source}?linked=yes`);
    }
    for (const [client, account] of [
      [asAda, "ada@mail"],
      [asBob, "bob@mail"],
      [asAda, "ada@mail"],
    ] as const) {
      expect((await mine(client)).json).toMatchObject({ status: "succeeded", output: { account } });
      expect((await whoami(client)).json).toMatchObject({ status: "succeeded", output: account });
    }
    const redeemed = server.asked.filter(({ grant_type: type }) => type === "authorization_code");
    expect(redeemed.map(({ resource }) => resource)).toEqual([api.origin, api.origin, mcp.url, mcp.url]);
    expect(redeemed.every(({ code_verifier: verifier }) => (verifier ?? "").length >= 43)).toBe(true);
  });

  it("with the facts of the connect page: host, server and scopes before, the account after", async () => {
    const facts = { source: "mail", linkable: true, session: true, origin: mcp.origin, issuer: server.issuer };
    expect(await statusOf("mail", ada)).toMatchObject({ ...facts, scope: `${SCOPE} offline_access`, account: null });
    await linkAccount("mail", ada, "ada@mail");
    expect(await statusOf("mail", ada)).toMatchObject({
      ...facts,
      account: { source: "mail", person: "ada", own: true, state: "linked", origin: mcp.origin, issuer: server.issuer },
    });
    expect((await statusOf("mail", bob)).account).toBeNull();
  });

  it("and registers at the server once", async () => {
    await database.query("delete from upstream_client");
    await linkAccount("tickets", ada, "ada@mail");
    await linkAccount("mail", bob, "bob@mail");
    expect(await database.query("select issuer from upstream_client")).toEqual([{ issuer: server.issuer }]);
  });
});

describe("a return from the upstream links nothing", () => {
  const nothing = async () => expect(await database.query("select 1 from linked_account")).toEqual([]);

  it("with a forged state", async () => {
    const address = new URL(`${ORIGIN}/api/linked-accounts/callback?code=abc&state=forged`);
    expect(await comeBack(address, ada)).toBe("/admin/linked-accounts?problem=expired");
    await nothing();
  });

  it("in the browser of another person, who was sent the link", async () => {
    const { url } = (await begin("mail", ada)).json;
    const address = await signInAt(url, "ada@mail", ORIGIN);
    expect(await comeBack(address, bob)).toBe("/admin/linked-accounts/mail?problem=other_person");
    // It was used up.
    expect(await comeBack(address, ada)).toBe("/admin/linked-accounts?problem=expired");
    await nothing();
  });

  it("in another session of the same person, and without a session", async () => {
    vi.useFakeTimers({ now: Date.now() + 5_000, toFake: ["Date"] });
    const later = { ...ada, headers: await sessionOf(ada.user) };
    vi.useRealTimers();
    const other = await signInAt((await begin("mail", ada)).json.url, "ada@mail", ORIGIN);
    expect(await comeBack(other, later)).toBe("/admin/linked-accounts/mail?problem=other_session");
    const none = await signInAt((await begin("mail", ada)).json.url, "ada@mail", ORIGIN);
    expect(await comeBack(none, { headers: { cookie: "", origin: ORIGIN } })).toBe(
      "/admin/linked-accounts/mail?problem=signed_out",
    );
    await nothing();
  });

  it("from another server than the one that the person was sent to (mix-up, RFC 9207)", async () => {
    const address = await signInAt((await begin("mail", ada)).json.url, "ada@mail", ORIGIN);
    expect(address.searchParams.get("iss")).toBe(server.issuer);
    address.searchParams.set("iss", "https://evil.example");
    expect(await comeBack(address, ada)).toBe("/admin/linked-accounts/mail?problem=mismatch");
    const silent = await signInAt((await begin("mail", ada)).json.url, "ada@mail", ORIGIN);
    silent.searchParams.delete("iss");
    expect(await comeBack(silent, ada)).toBe("/admin/linked-accounts/mail?problem=mismatch");
    await nothing();
  });

  it("with the code of another sign-in (code injection): the server refuses our verifier", async () => {
    const [first, second] = [await begin("mail", ada), await begin("mail", ada)];
    const stolen = await signInAt(first.json.url, "eve@mail", ORIGIN);
    const address = await signInAt(second.json.url, "ada@mail", ORIGIN);
    address.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect(await comeBack(address, ada)).toBe("/admin/linked-accounts/mail?problem=refused");
    await nothing();
  });

  it("when the person declines, or the source has changed meanwhile", async () => {
    const declined = await signInAt((await begin("mail", ada)).json.url, "", ORIGIN);
    expect(await comeBack(declined, ada)).toBe("/admin/linked-accounts/mail?problem=declined");
    const address = await signInAt((await begin("mail", ada)).json.url, "ada@mail", ORIGIN);
    await database.query(`update source set url = url || '?x' where name = 'mail'`);
    expect(await comeBack(address, ada)).toBe("/admin/linked-accounts/mail?problem=changed");
    await database.query(`update source set url = left(url, -2) where name = 'mail'`);
    await nothing();
  });

  it("and a token of the admin API cannot begin", async () => {
    const answer = await begin("mail", { ...ada, headers: { cookie: "", origin: ORIGIN } });
    expect(answer.status).toBe(401);
    expect((await begin("support", ada)).status).toBe(404);
  });
});

describe("a call without a linked account", () => {
  it("is refused with the page to link one at, and logged with that reason", async () => {
    for (const calling of [mine, whoami]) {
      const answer = await calling(asAda);
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

  it("says of an API key, and of a subject that is nobody here, why there can be none", async () => {
    const key = await mine(byKey);
    expect(key.status).toBe(403);
    expect(key.json.error).toMatchObject({ code: "authorization_needed", details: { source: "tickets" } });
    expect(key.json.error?.message).toContain("no person stands behind an API key");
    const nobody = await mine(new Client(await corp.token({ sub: "carol" })));
    expect(nobody.json.error?.message).toContain("is no person who can sign in to Quartermaster");
    expect(nobody.json.error?.details).toEqual({ source: "tickets" });
  });

  it("is refused again when the person is disabled, or refused by their provider", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    for (const [off, on] of [
      ["enabled = false", "enabled = true"],
      [`"openIdRefused" = true`, `"openIdRefused" = false`],
    ]) {
      await database.query(`update person set ${off} where name = 'ada'`);
      expect((await mine(asAda)).json.error?.code).toBe("authorization_needed");
      await database.query(`update person set ${on} where name = 'ada'`);
    }
    ada = { ...ada, headers: await sessionOf((await refound(ada)).user) };
    expect((await mine(asAda)).json.status).toBe("succeeded");
  });

  it("never sends the token to another origin than the one that it was linked at", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    mcp.seen.length = 0;
    const answer = await asAda.call({ tool_id: "tickets:elsewhere", arguments: {} });
    expect(answer.json.error).toMatchObject({ code: "upstream_auth_failed" });
    expect(answer.json.error?.message).toContain(`are linked at ${api.origin}`);
    expect(mcp.seen).toEqual([]);
  });
});

/** The person as stored now: a change of the row may have begun a new epoch of sessions. */
async function refound({ user, headers }: LinkingUser): Promise<LinkingUser> {
  const stored = await db().user.findUniqueOrThrow({ where: { id: user.id }, select: { sessionEpoch: true } });
  return { user: { ...user, ...stored }, headers };
}

describe("tokens", () => {
  it("are refreshed ahead of their end, once for 20 calls at the same time", async () => {
    server.setLifetime(2);
    await linkAccount("tickets", ada, "ada@mail");
    await new Promise((done) => setTimeout(done, 1_700));
    server.setLifetime(300);
    const answers = await Promise.all(Array.from({ length: 20 }, () => mine(asAda)));
    expect(answers.map(({ json }) => json.status)).toEqual(Array(20).fill("succeeded"));
    expect(refreshes()).toBe(1);
    expect((await mine(asAda)).json.status).toBe("succeeded");
    expect(refreshes()).toBe(1);
  });

  it("that the upstream refuses before their end are refreshed once for calls at the same time", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    server.endTokens("ada@mail");
    const answers = await Promise.all(Array.from({ length: 10 }, () => mine(asAda)));
    expect(answers.map(({ json }) => json.status)).toEqual(Array(10).fill("succeeded"));
    expect(refreshes()).toBe(1);
  });

  it("that cannot be refreshed any more end the account, and the person links it again", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    server.endTokens("ada@mail");
    server.setRefreshes(false);
    const answer = await mine(asAda);
    expect(answer.json.error).toMatchObject({
      code: "authorization_needed",
      details: { connect_url: `${ORIGIN}/admin/linked-accounts/tickets` },
    });
    expect(answer.json.error?.message).toContain("the upstream has ended the one that you linked");
    expect((await statusOf("tickets", ada)).account?.state).toBe("sign_in_again");
    server.setRefreshes(true);
    await linkAccount("tickets", ada, "ada@mail");
    expect((await mine(asAda)).json.status).toBe("succeeded");
  });

  it("stay while the server does not answer, and the call says so", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    server.endTokens("ada@mail");
    server.setAvailable(false);
    const answer = await mine(asAda);
    server.setAvailable(true);
    expect(answer.json.error).toMatchObject({ code: "upstream_auth_failed" });
    expect(answer.json.error?.message).toContain("could not be refreshed");
    expect((await mine(asAda)).json.status).toBe("succeeded");
  });

  it("count their refreshes by outcome", async () => {
    const refuse = async () => {
      await linkAccount("tickets", ada, "ada@mail");
      server.endTokens("ada@mail");
    };
    const counted = await countedDuring(async () => {
      await refuse();
      await mine(asAda);
      await refuse();
      server.setAvailable(false);
      await mine(asAda);
      server.setAvailable(true);
      await refuse();
      server.setRefreshes(false);
      await mine(asAda);
      server.setRefreshes(true);
    });
    expect(counted).toEqual({ refreshed: 1, unreachable: 1, ended: 1 });
  });

  it("are in no answer, no table, no export and no log, whatever the upstream repeats", async () => {
    logged.length = 0;
    presented.length = 0;
    await linkAccount("tickets", ada, "ada@mail");
    await linkAccount("mail", ada, "ada@mail");
    const answers = [await mine(asAda), await whoami(asAda)];
    server.endTokens("ada@mail");
    answers.push(await mine(asAda));
    expect(answers[0]?.json.output).toMatchObject({ echo: "Bearer [redacted]" });
    const tokens = new Set([...presented, ...server.asked.flatMap(({ refresh_token: token }) => token ?? [])]);
    expect(tokens.size).toBeGreaterThan(2);
    const rows = await Promise.all(answers.map(({ json }) => getExecution(json.call_id, { bodies: true })));
    const all = await ask(list.GET, "GET", "/api/admin/linked-accounts", { headers: bob.headers });
    const exported = JSON.stringify(await readDocument());
    const told = JSON.stringify([answers.map(({ text }) => text), rows]) + all.text + exported + logged.join("");
    for (const token of tokens) {
      expect(told).not.toContain(token);
      expect(await findInDatabase(database, token)).toEqual([]);
    }
  });
});

describe("a linked account ends", () => {
  it("by its person, with its tokens at the upstream: the next call is refused", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    await mine(asAda);
    const token = presented.at(-1) ?? "";
    expect((await endAccount("tickets", ada)).json).toEqual({ upstream: "revoked" });
    expect(server.revoked).toHaveLength(2);
    expect(server.accountOf(token)).toBeNull();
    expect((await mine(asAda)).json.error?.code).toBe("authorization_needed");
    expect((await endAccount("tickets", ada)).status).toBe(404);
    const events = await database.query<{ action: string; target: string; actor: string }>(
      "select action, target, actor from audit_event where action like 'linked_accounts.%' order by id desc limit 2",
    );
    expect(events).toEqual([
      { action: "linked_accounts.ended", target: "tickets", actor: "ada" },
      { action: "linked_accounts.linked", target: "tickets", actor: "ada" },
    ]);
  });

  it("here at once, and at the upstream when it answers again", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    server.setAvailable(false);
    expect((await endAccount("tickets", ada)).json).toEqual({ upstream: "later" });
    expect((await mine(asAda)).json.error?.code).toBe("authorization_needed");
    await endLinks(new Date());
    expect(await database.query("select 1 from linked_account")).toHaveLength(1);
    server.setAvailable(true);
    await endLinks(new Date());
    expect(server.revoked).toHaveLength(2);
    expect(await database.query("select 1 from linked_account")).toEqual([]);
  });

  it("after a refresh that is under way: the tokens that it brings are revoked too", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    await database.query(`update linked_account set "claimedAt" = now()`);
    expect((await endAccount("tickets", ada)).json).toEqual({ upstream: "later" });
    await endLinks(new Date());
    expect(server.revoked).toEqual([]);
    await database.query(`update linked_account set "claimedAt" = null`);
    await endLinks(new Date());
    expect(server.revoked).toHaveLength(2);
  });

  it("with its person, and with its source: a new source of that name has none", async () => {
    const carl = await addOpenIdPerson("carl", corp.issuer);
    await linkAccount("tickets", carl, "carl@mail");
    await linkAccount("mail", ada, "ada@mail");
    await database.query("delete from person where name = 'carl'");
    const [source] = await database.query("select * from source where name = 'mail'");
    await database.query("begin; delete from source where name = 'mail'; commit");
    await db().source.create({ data: source as never });
    expect((await whoami(asAda)).json.error?.code).toBe("authorization_needed");
    await endLinks(new Date());
    expect(server.revoked).toHaveLength(4);
    expect(await database.query("select 1 from linked_account")).toEqual([]);
  });

  it("when it is replaced: the former tokens are revoked, and an MCP session is not shared with the new account", async () => {
    await linkAccount("mail", ada, "ada@mail");
    await whoami(asAda);
    await linkAccount("mail", ada, "ada@work");
    expect((await whoami(asAda)).json.output).toBe("ada@work");
    await endLinks(new Date());
    expect(server.revoked).toHaveLength(2);
    expect((await whoami(asAda)).json.output).toBe("ada@work");
  });
});

describe("an admin", () => {
  it("ends the linked account of another person, with an audit event that names both", async () => {
    await linkAccount("tickets", ada, "ada@mail");
    const end = ({ headers }: LinkingUser, person: string) =>
      ask<{ upstream: string; detail: string }>(
        ofSource.DELETE,
        "DELETE",
        `/api/admin/linked-accounts/tickets?person=${person}`,
        {
          params: { name: "tickets" },
          headers,
        },
      );
    const eve = await addOpenIdPerson("eve", corp.issuer, "editor");
    expect((await end(eve, "ada")).status).toBe(403);
    expect((await end(bob, "nobody")).status).toBe(404);
    expect((await mine(asAda)).json.status).toBe("succeeded");
    expect((await end(bob, "ada")).json).toEqual({ upstream: "revoked" });
    expect((await mine(asAda)).json.error?.code).toBe("authorization_needed");
    expect((await end(bob, "ada")).status).toBe(404);
    const [event] = await database.query(
      "select actor, target, detail from audit_event where action = 'linked_accounts.ended' order by id desc limit 1",
    );
    expect(event).toEqual({ actor: "bob", target: "tickets", detail: "of ada" });
  });
});

describe("the list of linked accounts", () => {
  const read = async ({ headers }: LinkingUser, query = "") => {
    const answer = await ask<{ items: LinkedAccountRow[] }>(list.GET, "GET", `/api/admin/linked-accounts${query}`, {
      headers,
    });
    return answer.json.items.map(({ source, person, own }) => [source, person, own]);
  };

  it("has one's own, and everybody's for those who may see people", async () => {
    const eva = await addOpenIdPerson("eva", corp.issuer, "editor");
    await linkAccount("mail", ada, "ada@mail");
    await linkAccount("tickets", eva, "eva@mail");
    expect(await read(eva)).toEqual([["tickets", "eva", true]]);
    expect(await read(bob)).toEqual(
      expect.arrayContaining([
        ["mail", "ada", false],
        ["tickets", "eva", false],
      ]),
    );
    expect(await read(bob, "?person=ada")).toEqual([["mail", "ada", false]]);
    expect(await read(bob, "?source=tickets")).toEqual([["tickets", "eva", false]]);
    expect(await read(eva, "?person=ada")).toEqual([]);
  });
});
