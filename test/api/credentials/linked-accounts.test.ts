import { describe, expect, it } from "vitest";
import * as ofSource from "@/app/api/admin/linked-accounts/[name]/route";
import * as list from "@/app/api/admin/linked-accounts/route";
import { endLinks } from "@/lib/calls/linked-accounts/end-link";
import type { LinkedAccountRow } from "@/lib/contracts/people/linked-account";
import { db } from "@/lib/store/db/database";
import { sources } from "@/lib/store/config/sources";
import { readLink } from "@/lib/store/keys/linked-account-rows";
import { endLink, saveLink } from "@/lib/store/keys/linked-accounts";
import { ADMIN } from "@/test/api/agents-world";
import {
  addOpenIdPerson,
  endAccount,
  linkAccount,
  mine,
  useLinkingPeople,
  whoami,
  type LinkingUser,
} from "@/test/api/credentials/linked-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// How linked accounts end, and who sees them.

const database = useDatabase();
const world = useLinkingPeople(database);

describe("a linked account ends", () => {
  it("by its person, with its tokens at the upstream: the next call is refused", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    await mine(world.asAda);
    const token = world.presented.at(-1) ?? "";
    expect((await endAccount("tickets", world.ada)).json).toEqual({ upstream: "revoked" });
    expect(world.server.revoked).toHaveLength(2);
    expect(world.server.accountOf(token)).toBeNull();
    expect((await mine(world.asAda)).json.error?.code).toBe("authorization_needed");
    expect((await endAccount("tickets", world.ada)).status).toBe(404);
    const events = await database.query<{ action: string; target: string; actor: string }>(
      "select action, target, actor from audit_event where action like 'linked_accounts.%' order by id desc limit 2",
    );
    expect(events).toEqual([
      { action: "linked_accounts.ended", target: "tickets", actor: "ada" },
      { action: "linked_accounts.linked", target: "tickets", actor: "ada" },
    ]);
  });

  it("here at once, and at the upstream when it answers again", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    world.server.setAvailable(false);
    expect((await endAccount("tickets", world.ada)).json).toEqual({ upstream: "later" });
    expect((await mine(world.asAda)).json.error?.code).toBe("authorization_needed");
    await endLinks(new Date());
    expect(await database.query("select 1 from linked_account")).toHaveLength(1);
    world.server.setAvailable(true);
    await endLinks(new Date());
    expect(world.server.revoked).toHaveLength(2);
    expect(await database.query("select 1 from linked_account")).toEqual([]);
  });

  it("also while 20 others wait for a server that does not answer", async () => {
    const dead = "http://127.0.0.1:9";
    const server = { issuer: dead, token_endpoint: `${dead}/token`, revocation_endpoint: `${dead}/revoke` };
    const client = { id: "x", via: "registered", method: "none", secret: null } as const;
    const grant = { accessToken: "a", refreshToken: "r", resource: dead, server, client };
    const other = { personId: world.ada.user.id, source: "mail" };
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (let at = 0; at < 20; at += 1) {
      await saveLink(ADMIN, { ...other, origin: dead, scope: "", grant, usableUntil: null }, hourAgo);
      await endLink(ADMIN, other, hourAgo);
    }
    await linkAccount("tickets", world.bob, "bob@mail");
    await database.query(`update linked_account set "endedAt" = now() where source = 'tickets'`);
    await endLinks(new Date());
    await endLinks(new Date());
    expect(world.server.revoked).toHaveLength(2);
    expect(await database.query("select 1 from linked_account")).toHaveLength(20);
  });

  it("after a refresh that is under way: the tokens that it brings are revoked too", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
    await database.query(`update linked_account set "claimedAt" = now()`);
    expect((await endAccount("tickets", world.ada)).json).toEqual({ upstream: "later" });
    await endLinks(new Date());
    expect(world.server.revoked).toEqual([]);
    await database.query(`update linked_account set "claimedAt" = null`);
    await endLinks(new Date());
    expect(world.server.revoked).toHaveLength(2);
  });

  it("with its person, and with its source: a new source of that name has none", async () => {
    const carl = await addOpenIdPerson("carl", world.corp.issuer);
    await linkAccount("tickets", carl, "carl@mail");
    await linkAccount("mail", world.ada, "ada@mail");
    await database.query("delete from person where name = 'carl'");
    const [source] = await database.query("select * from source where name = 'mail'");
    await database.query("begin; delete from source where name = 'mail'; commit");
    await db().source.create({ data: source as never });
    expect((await whoami(world.asAda)).json.error?.code).toBe("authorization_needed");
    await endLinks(new Date());
    expect(world.server.revoked).toHaveLength(4);
    expect(await database.query("select 1 from linked_account")).toEqual([]);
  });

  it("with the name of its source: a new source of the former name has none", async () => {
    const { revision: _revision, createdAt: _created, updatedAt: _updated, ...row } = await sources.get("mail");
    const mail = (name: string) => ({ ...row, name }) as never;
    await sources.create(ADMIN, mail("post"));
    await linkAccount("post", world.ada, "ada@mail");
    await sources.replace(ADMIN, "post", mail("letters"), "*");
    await sources.create(ADMIN, mail("post"));
    expect(await readLink(world.ada.user.id, "post")).toBeNull();
    await endLinks(new Date());
    expect(world.server.revoked).toHaveLength(2);
    for (const name of ["post", "letters"]) await sources.remove(ADMIN, name);
  });

  it("when it is replaced: the former tokens are revoked, and an MCP session is not shared with the new account", async () => {
    await linkAccount("mail", world.ada, "ada@mail");
    await whoami(world.asAda);
    await linkAccount("mail", world.ada, "ada@work");
    expect((await whoami(world.asAda)).json.output).toBe("ada@work");
    await endLinks(new Date());
    expect(world.server.revoked).toHaveLength(2);
    expect((await whoami(world.asAda)).json.output).toBe("ada@work");
  });
});

describe("an admin", () => {
  it("ends the linked account of another person, with an audit event that names both", async () => {
    await linkAccount("tickets", world.ada, "ada@mail");
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
    const eve = await addOpenIdPerson("eve", world.corp.issuer, "editor");
    expect((await end(eve, "ada")).status).toBe(403);
    expect((await end(world.bob, "nobody")).status).toBe(404);
    expect((await mine(world.asAda)).json.status).toBe("succeeded");
    expect((await end(world.bob, "ada")).json).toEqual({ upstream: "revoked" });
    expect((await mine(world.asAda)).json.error?.code).toBe("authorization_needed");
    expect((await end(world.bob, "ada")).status).toBe(404);
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
    const eva = await addOpenIdPerson("eva", world.corp.issuer, "editor");
    await linkAccount("mail", world.ada, "ada@mail");
    await linkAccount("tickets", eva, "eva@mail");
    expect(await read(eva)).toEqual([["tickets", "eva", true]]);
    expect(await read(world.bob)).toEqual(
      expect.arrayContaining([
        ["mail", "ada", false],
        ["tickets", "eva", false],
      ]),
    );
    expect(await read(world.bob, "?person=ada")).toEqual([["mail", "ada", false]]);
    expect(await read(world.bob, "?source=tickets")).toEqual([["tickets", "eva", false]]);
    expect(await read(eva, "?person=ada")).toEqual([]);
  });
});
