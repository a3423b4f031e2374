import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openSession } from "@/lib/agents/rest/sessions";
import { apiKeys } from "@/lib/store/config/api-keys";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import {
  ADMIN,
  Client,
  idsOf,
  documentWithTool,
  keyOf,
  save,
  supportDocument,
  type Session,
} from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

const database = useDatabase();
let key: string;
let runs: number;
let issuer: TestIssuer;

const CALL = { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } };

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
  issuer = await startIssuer();
  await issuer.close();
  await saveIssuer();
});

function saveIssuer() {
  const jwks = { keys: issuer.keys.map((signing) => signing.publicJwk) };
  const row = { name: "corp", issuer: issuer.issuer, audience: "quartermaster", jwks, algorithms: ["ES256"] };
  return save({ apiVersion: "quartermaster/v1", issuers: [row] });
}

beforeEach(async () => {
  runs = 0;
  await save(supportDocument());
});

/** The real pipeline that counts what it runs, with one effect wrapped. */
function clientWith(
  wrap: (real: Dependencies) => Partial<Dependencies> = () => ({}),
  credential: string = key,
): Client {
  return new Client(credential, () => {
    const real = production();
    const builtin: Dependencies["runners"]["builtin"] = (input) => ((runs += 1), real.runners.builtin(input));
    return { ...real, runners: { ...real.runners, builtin }, ...wrap(real) };
  });
}

/** Runs `change` once, right after the first snapshot was taken: between resolve and insert. */
function afterResolve(change: () => Promise<unknown>): Client {
  let done = false;
  return clientWith((real) => ({
    snapshot: async (minRevision) => {
      const snapshot = await real.snapshot(minRevision);
      if (!done) {
        done = true;
        await change();
      }
      return snapshot;
    },
  }));
}

/** A save by another process, whose notice has not arrived here. */
async function savedElsewhere(sql: string): Promise<number> {
  const revision = (await currentSnapshot()).revision + 1;
  await database.query(
    `insert into revision (number, at, kind, actor, role, note) values (${revision}, now(), 'user', 'ops', 'admin', '');
     ${sql}; update config_state set revision = ${revision}`,
  );
  return revision;
}

const noPolicies = { apiVersion: "quartermaster/v1", policies: [] };

describe("a change saved between list and call", () => {
  it("is what the call is decided on", async () => {
    const client = clientWith();
    expect(idsOf((await client.list()).json)).toContain(CALL.tool_id);
    await save(noPolicies);
    const answer = await client.call(CALL);
    expect([answer.status, answer.json.error?.code, runs]).toEqual([404, "tool_not_available", 0]);
  });

  it("counts too when it grants", async () => {
    await save(noPolicies);
    const client = clientWith();
    expect((await client.call(CALL)).status).toBe(404);
    await save(supportDocument());
    expect((await client.call(CALL)).json.status).toBe("succeeded");
  });
});

describe("a change saved while a list is requested", () => {
  it("decides on the caller too, when the request demands its revision", async () => {
    const client = new Client(key);
    expect((await client.list()).json.count).toBeGreaterThan(0);
    const moved = await savedElsewhere(`update agent set attributes = '{"team":"sales"}' where name = 'reader'`);
    expect((await client.list(`?min_revision=${moved}`)).json.count).toBe(0);
    const disabled = await savedElsewhere("update agent set enabled = false where name = 'reader'");
    expect((await client.list(`?min_revision=${disabled}`)).status).toBe(401);
  });

  it.each([
    ["its key is removed", "removed", (name: string) => apiKeys.remove(ADMIN, name), 401],
    ["its agent is disabled", "disabled", () => save(withReader({ enabled: false })), 401],
    ["its agent has other attributes", "other", () => save(withReader({ attributes: { team: "sales" } })), 201],
  ])("counts when %s before the body of the request arrives", async (_what, name, change, status) => {
    const late = await keyOf("reader", name);
    // The body is read once the credential is accepted, and arrives after the change.
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await change(name);
          controller.enqueue(new TextEncoder().encode('{"group":["*"]}'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { authorization: `Bearer ${late}`, "content-type": "application/json" };
    const request = { method: "POST", headers, body, duplex: "half" as const };
    const answer = await openSession(new Request("http://localhost/api/agents/sessions", request));
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as Partial<Session>).tools ?? []).toEqual([]);
  });
});

describe("a change saved between resolve and the intent row", () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ["a policy goes", () => save(noPolicies), "tool_not_available"],
    ["the tool is disabled", () => save(withCalculate({ enabled: false })), "tool_not_available"],
    ["the agent's attributes change", () => save(withReader({ attributes: { team: "sales" } })), "tool_not_available"],
  ])("refuses the call: %s", async (_what, change, code) => {
    const answer = await afterResolve(change).call(CALL);
    expect([answer.json.error?.code, runs]).toEqual([code, 0]);
    const rows = await database.query<{ revision: number }>(`select revision from execution where "callId" = $1`, [
      answer.json.call_id,
    ]);
    expect(rows).toEqual([{ revision: (await currentSnapshot()).revision }]);
  });

  it("that makes the tool ask for an approval lets the call wait for one", async () => {
    const answer = await afterResolve(() => save(withCalculate({ requiresApproval: true }))).call(CALL);
    expect([answer.status, answer.json.status, runs]).toEqual([202, "awaiting_approval", 0]);
  });

  it("that disables the agent or revokes its key answers 401, and nothing runs", async () => {
    const disabled = await afterResolve(() => save(withReader({ enabled: false }))).call(CALL);
    expect([disabled.status, runs]).toEqual([401, 0]);
    await save(supportDocument());
    const revoke = () => database.query("update api_key set enabled = false where name = 'reader-key'");
    const revoked = await afterResolve(revoke).call(CALL);
    expect([revoked.status, runs]).toEqual([401, 0]);
    await database.query("update api_key set enabled = true where name = 'reader-key'");
  });

  it("that gives the key to another agent answers as that agent, never as the one before", async () => {
    const move = (agent: string) =>
      apiKeys.replace(ADMIN, "reader-key", { name: "reader-key", agent, expiresAt: null, enabled: true }, "*");
    const answer = await afterResolve(() => move("stranger")).call(CALL);
    await move("reader");
    expect([answer.json.error?.code, runs]).toEqual(["tool_not_available", 0]);
    const rows = await database.query('select agent from execution where "callId" = $1', [answer.json.call_id]);
    expect(rows).toEqual([{ agent: "stranger" }]);
  });

  it("that does not touch the call lets it run once, under the new revision", async () => {
    const change = () => save({ apiVersion: "quartermaster/v1", personas: [{ name: "another", capabilities: [] }] });
    const answer = await afterResolve(change).call(CALL);
    expect([answer.json.status, runs]).toEqual(["succeeded", 1]);
    expect(answer.json.revision).toBe((await currentSnapshot()).revision);
  });

  it("that also refuses a tool which a newer revision grants decides again", async () => {
    await save(noPolicies);
    const answer = await afterResolve(() => save(supportDocument())).call(CALL);
    expect([answer.json.status, runs]).toEqual(["succeeded", 1]);
  });

  it("again and again is refused after some rounds, never run under old rules", async () => {
    let turn = 0;
    const restless = clientWith((real) => ({
      snapshot: async (minRevision) => {
        const snapshot = await real.snapshot(minRevision);
        turn += 1;
        await save({ apiVersion: "quartermaster/v1", personas: [{ name: `p${turn}`, capabilities: [] }] });
        return snapshot;
      },
    }));
    const answer = await restless.call(CALL);
    expect([answer.status, answer.json.error?.code, runs]).toEqual([503, "config_unavailable", 0]);
  });
});

describe("a change saved between authentication and resolve", () => {
  function beforeResolve(credential: string, change: () => Promise<unknown>): Client {
    let done = false;
    return clientWith(
      (real) => ({
        snapshot: async (minRevision) => {
          if (!done) await change();
          done = true;
          return real.snapshot(minRevision);
        },
      }),
      credential,
    );
  }

  it("that disables the agent answers 401, though its claims were read before", async () => {
    const answer = await beforeResolve(key, () => save(withReader({ enabled: false }))).call(CALL);
    expect([answer.status, runs]).toEqual([401, 0]);
  });

  it("that binds the token's subject to an agent counts: its claims, or its being disabled", async () => {
    const token = await issuer.token({ sub: "newcomer", team: "support" });
    const bind = (enabled: boolean) => () =>
      save(withReader({ issuer: "corp", subject: "newcomer", enabled, attributes: {} }));
    const disabled = await beforeResolve(token, bind(false)).call(CALL);
    expect([disabled.status, runs]).toEqual([401, 0]);
    await save(supportDocument());
    const bound = await beforeResolve(token, bind(true)).call(CALL);
    expect([bound.json.status, runs]).toEqual(["succeeded", 1]);
    const rows = await database.query('select agent from execution where "callId" = $1', [bound.json.call_id]);
    expect(rows).toEqual([{ agent: "reader" }]);
  });
});

describe("a token", () => {
  it("that a revision refuses gets no list of that revision", async () => {
    const token = await issuer.token({ sub: "newcomer", team: "support" });
    const client = new Client(token);
    expect((await client.list()).json.count).toBeGreaterThan(0);
    const revision = await savedElsewhere("update issuer set audience = 'others'");
    expect((await client.list(`?min_revision=${revision}`)).status).toBe(401);
    await saveIssuer();
  });

  it("that expires while a script runs keeps the script's calls, also after a save", async () => {
    const code = `export default async (_, { callTool }) => {
      for (let turn = 0; turn < 3; turn += 1) await callTool("builtin:calculate", { expression: "1 + 1" });
      return "done";
    };`;
    const { tools, sources, groups, ...rest } = supportDocument() as Record<string, object[]>;
    const script = {
      id: "up:loop",
      description: "Loops.",
      inputSchema: { type: "object" },
      run: { kind: "script", code },
    };
    await save({
      ...rest,
      tools: [...tools!, script],
      sources: [...sources!, { name: "up", kind: "script" }],
      groups: [...groups!, { name: "up", selectors: [{ source: "up" }] }],
      policies: [...rest["policies"]!, { name: "loops", everyone: true, groups: ["up"] }],
    });
    const token = await issuer.token({ sub: "newcomer", team: "support" });
    onTestFinished(() => void vi.useRealTimers());
    const client = clientWith(
      ({ runners }) => ({
        runners: {
          ...runners,
          builtin: async (input) => {
            runs += 1;
            await save({ apiVersion: "quartermaster/v1", personas: [{ name: `one-${runs}`, capabilities: [] }] });
            vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 });
            return runners.builtin(input);
          },
        },
      }),
      token,
    );
    const answer = await client.call({ tool_id: "up:loop", arguments: {} });
    expect([answer.json.status, answer.json.output, runs]).toEqual(["succeeded", "done", 3]);
  });
});

describe("a session that moved between resolve and the intent row", () => {
  it("is decided on again: the call runs only in a state that has its tool", async () => {
    const client = clientWith();
    const { json } = await client.open({ group: ["*"], machine: "case" });
    const look = { tool_id: "support:lookup_customer", arguments: { query: "ada" }, session_id: json.session_id };
    const move = () =>
      database.query("update agent_session set state = 'resolved', version = version + 1 where id = $1", [
        json.session_id,
      ]);
    const answer = await afterResolve(() => Promise.resolve()).call(look);
    expect(answer.json.status).toBe("succeeded");
    let moved = false;
    const late = clientWith((real) => ({
      findSession: async (...asked) => {
        const session = await real.findSession(...asked);
        if (!moved) await move();
        moved = true;
        return session;
      },
    }));
    runs = 0;
    const refused = await late.call(look);
    expect([refused.json.error?.code, runs]).toEqual(["tool_not_available", 0]);
  });

  it("twenty times over, as with twenty calls at once, keeps no call from its turn", async () => {
    const { json } = await clientWith().open({ group: ["*"], machine: "case" });
    let moves = 0;
    const patient = clientWith((real) => ({
      findSession: async (...asked) => {
        const session = await real.findSession(...asked);
        moves += 1;
        if (moves <= 20)
          await database.query("update agent_session set version = version + 1 where id = $1", [json.session_id]);
        return session;
      },
    }));
    runs = 0;
    const look = { tool_id: "support:lookup_customer", arguments: { query: "ada" }, session_id: json.session_id };
    expect([(await patient.call(look)).json.status, runs, moves]).toEqual(["succeeded", 1, 21]);
  });
});

describe("no row, no run", () => {
  async function refusing(table: string, work: () => Promise<void>): Promise<void> {
    await database.query(`
      create or replace function test_refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
      create trigger test_refuse before insert on ${table} for each row execute function test_refuse();`);
    try {
      await work();
    } finally {
      await database.query(`drop trigger test_refuse on ${table}`);
    }
  }

  it("a call whose intent cannot be written does not run", async () => {
    await refusing("execution", async () => {
      const answer = await clientWith().call(CALL);
      expect([answer.status, answer.json.error?.code, runs]).toEqual([503, "log_unavailable", 0]);
      expect(answer.json.error?.retryable).toBe(true);
      expect(answer.headers.get("retry-after")).not.toBeNull();
    });
  });

  it("a call whose arguments cannot be recorded does not run", async () => {
    await refusing("execution_body", async () => {
      const answer = await clientWith().call(CALL);
      expect([answer.json.error?.code, runs]).toEqual(["log_unavailable", 0]);
    });
  });

  it("a refusal that cannot be recorded is answered with log_unavailable", async () => {
    await refusing("execution_outcome", async () => {
      const answer = await clientWith().call({ tool_id: "no:tool" });
      expect(answer.json.error?.code).toBe("log_unavailable");
    });
  });

  it("a call whose outcome cannot be recorded answers that it may have run", async () => {
    await refusing("execution_outcome", async () => {
      const answer = await clientWith().call(CALL);
      expect([answer.json.error?.code, answer.json.error?.retryable, runs]).toEqual(["interrupted", false, 1]);
    });
  });
});

function withCalculate(changes: Record<string, unknown>): Record<string, unknown> {
  const { apiVersion, tools } = documentWithTool(CALL.tool_id, changes);
  return { apiVersion, tools };
}

function withReader(changes: Record<string, unknown>): Record<string, unknown> {
  const agents = supportDocument()["agents"] as { name: string }[];
  return {
    apiVersion: "quartermaster/v1",
    agents: agents.map((agent) => (agent.name === "reader" ? { ...agent, ...changes } : agent)),
  };
}
