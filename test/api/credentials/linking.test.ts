import { describe, expect, it, vi } from "vitest";
import {
  begin,
  comeBack,
  linkAccount,
  mine,
  sessionOf,
  statusOf,
  useLinkingPeople,
  whoami,
} from "@/test/api/credentials/linked-world";
import { findRegistration, saveRegistration } from "@/lib/store/keys/upstream-clients";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";
import { SCOPE, signInAt } from "@/test/support/servers/link-server";

// How a person links an account, and returns that link none.

const database = useDatabase();
const world = useLinkingPeople(database);

describe("a person links an account", () => {
  it("of an OpenAPI source and of an MCP server, and each call acts with the account of its caller", async () => {
    for (const source of ["tickets", "mail"]) {
      expect(await linkAccount(source, world.ada, "ada@mail")).toBe(`/admin/linked-accounts/${source}?linked=yes`);
      expect(await linkAccount(source, world.bob, "bob@mail")).toBe(`/admin/linked-accounts/${source}?linked=yes`);
    }
    for (const [client, account] of [
      [world.asAda, "ada@mail"],
      [world.asBob, "bob@mail"],
      [world.asAda, "ada@mail"],
    ] as const) {
      expect((await mine(client)).json).toMatchObject({ status: "succeeded", output: { account } });
      expect((await whoami(client)).json).toMatchObject({ status: "succeeded", output: account });
    }
    const redeemed = world.server.asked.filter(({ grant_type: type }) => type === "authorization_code");
    expect(redeemed.map(({ resource }) => resource)).toEqual([
      world.api.origin,
      world.api.origin,
      world.mcp.url,
      world.mcp.url,
    ]);
    expect(redeemed.every(({ code_verifier: verifier }) => (verifier ?? "").length >= 43)).toBe(true);
  });

  it("that cannot be stored, and its tokens are revoked", async () => {
    await database.query("alter table linked_account add constraint full_disk check (false) not valid");
    await expect(linkAccount("tickets", world.ada, "ada@mail")).rejects.toThrow("500");
    await database.query("alter table linked_account drop constraint full_disk");
    expect(world.server.revoked).toHaveLength(2);
  });

  it("with the facts of the connect page: host, server and scopes before, the account after", async () => {
    const facts = {
      source: "mail",
      linkable: true,
      session: true,
      origin: world.mcp.origin,
      issuer: world.server.issuer,
    };
    expect(await statusOf("mail", world.ada)).toMatchObject({
      ...facts,
      scope: `${SCOPE} offline_access`,
      account: null,
    });
    await linkAccount("mail", world.ada, "ada@mail");
    expect(await statusOf("mail", world.ada)).toMatchObject({
      ...facts,
      account: {
        source: "mail",
        person: "ada",
        own: true,
        state: "linked",
        origin: world.mcp.origin,
        issuer: world.server.issuer,
      },
    });
    expect((await statusOf("mail", world.bob)).account).toBeNull();
  });

  it("and registers at the server once", async () => {
    await database.query("delete from upstream_client");
    await linkAccount("tickets", world.ada, "ada@mail");
    await linkAccount("mail", world.bob, "bob@mail");
    expect(await database.query("select issuer from upstream_client")).toEqual([{ issuer: world.server.issuer }]);
  });

  it("also when two people begin the first sign-in at a server at once", async () => {
    await database.query("delete from upstream_client");
    const begun = await Promise.all([begin("tickets", world.ada), begin("mail", world.bob), begin("mail", world.ada)]);
    expect(begun.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const [place, person] of [world.ada, world.bob].entries())
      expect(await comeBack(await signInAt(begun[place]?.json.url ?? "", "x@mail", ORIGIN), person)).toMatch(
        /linked=yes$/,
      );
    expect(await database.query("select issuer from upstream_client")).toEqual([{ issuer: world.server.issuer }]);
  });

  it("and keeps the last of registrations that are stored at once", async () => {
    const client = { id: "c", via: "registered", method: "none", secret: null } as const;
    const save = () => saveRegistration("https://one.example", ORIGIN, { client, expiresAt: null }, new Date());
    await Promise.all(Array.from({ length: 16 }, save));
    await expect(findRegistration("https://one.example", ORIGIN, Date.now())).resolves.toMatchObject({ client });
    await database.query("delete from upstream_client where issuer = 'https://one.example'");
  });

  it("at a server that has forgotten our client, by beginning again: its error page sends nobody back", async () => {
    await database.query("delete from upstream_client");
    await linkAccount("tickets", world.bob, "bob@mail");
    await world.server.forgetClients();
    await database.query("delete from link_attempt");
    const clientOf = (url: string) => new URL(url).searchParams.get("client_id");
    const lost = (await begin("tickets", world.ada)).json.url;
    await expect(signInAt(lost, "ada@mail", ORIGIN)).rejects.toThrow(/invalid_client/);
    // A registration of the last ten minutes stays: people also begin again because they closed the page.
    expect(clientOf((await begin("tickets", world.ada)).json.url)).toBe(clientOf(lost));
    await database.query(`update upstream_client set "createdAt" = "createdAt" - interval '11 minutes'`);
    expect(await linkAccount("tickets", world.ada, "ada@mail")).toMatch(/linked=yes$/);
    // The refresh of an account of the former registration ends this account, and leaves the present registration.
    world.server.setTokenAnswer([401, { error: "invalid_client" }]);
    await database.query(
      `update linked_account set "usableUntil" = now() - interval '1 minute' where "personId" = '${world.bob.user.id}'`,
    );
    expect((await mine(world.asBob)).json).toMatchObject({ status: "denied" });
    world.server.setTokenAnswer(null);
    expect(await database.query("select issuer from upstream_client")).toEqual([{ issuer: world.server.issuer }]);
  });
});

describe("a return from the upstream links nothing", () => {
  const nothing = async () => expect(await database.query("select 1 from linked_account")).toEqual([]);

  it("with a forged state", async () => {
    const address = new URL(`${ORIGIN}/api/linked-accounts/callback?code=abc&state=forged`);
    expect(await comeBack(address, world.ada)).toBe("/admin/linked-accounts?problem=expired");
    await nothing();
  });

  it("in the browser of another person, who was sent the link", async () => {
    const { url } = (await begin("mail", world.ada)).json;
    const address = await signInAt(url, "ada@mail", ORIGIN);
    expect(await comeBack(address, world.bob)).toBe("/admin/linked-accounts/mail?problem=other_person");
    // It was used up.
    expect(await comeBack(address, world.ada)).toBe("/admin/linked-accounts?problem=expired");
    await nothing();
  });

  it("in another session of the same person, and without a session", async () => {
    vi.useFakeTimers({ now: Date.now() + 5_000, toFake: ["Date"] });
    const later = { ...world.ada, headers: await sessionOf(world.ada.user) };
    vi.useRealTimers();
    const other = await signInAt((await begin("mail", world.ada)).json.url, "ada@mail", ORIGIN);
    expect(await comeBack(other, later)).toBe("/admin/linked-accounts/mail?problem=other_session");
    const none = await signInAt((await begin("mail", world.ada)).json.url, "ada@mail", ORIGIN);
    expect(await comeBack(none, { headers: { cookie: "", origin: ORIGIN } })).toBe(
      "/admin/linked-accounts/mail?problem=signed_out",
    );
    await nothing();
  });

  it("from another server than the one that the person was sent to (mix-up, RFC 9207)", async () => {
    const address = await signInAt((await begin("mail", world.ada)).json.url, "ada@mail", ORIGIN);
    expect(address.searchParams.get("iss")).toBe(world.server.issuer);
    address.searchParams.set("iss", "https://evil.example");
    expect(await comeBack(address, world.ada)).toBe("/admin/linked-accounts/mail?problem=mismatch");
    const silent = await signInAt((await begin("mail", world.ada)).json.url, "ada@mail", ORIGIN);
    silent.searchParams.delete("iss");
    expect(await comeBack(silent, world.ada)).toBe("/admin/linked-accounts/mail?problem=mismatch");
    await nothing();
  });

  it("with the code of another sign-in (code injection): the server refuses our verifier", async () => {
    const [first, second] = [await begin("mail", world.ada), await begin("mail", world.ada)];
    const stolen = await signInAt(first.json.url, "eve@mail", ORIGIN);
    const address = await signInAt(second.json.url, "ada@mail", ORIGIN);
    address.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect(await comeBack(address, world.ada)).toBe("/admin/linked-accounts/mail?problem=refused");
    await nothing();
  });

  it("when the person declines, or the source has changed meanwhile", async () => {
    const declined = await signInAt((await begin("mail", world.ada)).json.url, "", ORIGIN);
    expect(await comeBack(declined, world.ada)).toBe("/admin/linked-accounts/mail?problem=declined");
    const address = await signInAt((await begin("mail", world.ada)).json.url, "ada@mail", ORIGIN);
    await database.query(`update source set url = url || '?x' where name = 'mail'`);
    expect(await comeBack(address, world.ada)).toBe("/admin/linked-accounts/mail?problem=changed");
    await database.query(`update source set url = left(url, -2) where name = 'mail'`);
    await nothing();
  });

  it("and a token of the admin API cannot begin", async () => {
    const answer = await begin("mail", { ...world.ada, headers: { cookie: "", origin: ORIGIN } });
    expect(answer.status).toBe(401);
    expect((await begin("support", world.ada)).status).toBe(404);
  });
});
