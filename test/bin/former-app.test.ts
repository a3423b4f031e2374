import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { serve } from "@/bin/boot/serve.mjs";
import { sealSettled } from "@/lib/audit/seal/sealer";
import { verifyLog } from "@/lib/audit/verify/verify";
import { Client as Caller, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { Remote } from "@/test/api/instances-world";
import { useDatabase } from "@/test/support/database";
import { buildFormerApp, formerCommit, type FormerApp } from "@/test/support/processes/former-app";
import { freePort } from "@/test/support/servers/free-port";

// The app of before the last migrations, on the database of today: while an update is rolled out, and after it was rolled back.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });
const database = useDatabase();
const former = formerCommit();
const CALCULATE = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };

describe.skipIf(typeof former === "string")(
  `the former app${typeof former === "string" ? `: none, ${former}` : ""}`,
  () => {
    let app: FormerApp;
    let old: Remote;
    let key: string;
    const opened: (() => unknown)[] = [];

    beforeAll(async () => {
      if (typeof former === "string") return;
      app = await buildFormerApp(former);
      opened.push(app.remove);
      await save(supportDocument());
      key = await keyOf("worker");
    });
    afterAll(async () => {
      for (const close of opened.toReversed()) await close();
    });

    /** Runs a program of the former app on today's database. */
    async function run(...args: string[]): Promise<string> {
      const env = { ...process.env, NODE_ENV: "production" as const, LOG_LEVEL: "error" };
      return (await promisify(execFile)(process.execPath, args, { cwd: app.folder, env })).stdout;
    }

    it("starts: its migrations and its setup, which saves a configuration, find nothing wrong", async () => {
      const [{ lacking } = {}] = await database.query(
        "select count(*)::int as lacking from _prisma_migrations where migration_name >= $1",
        [app.lacks],
      );
      expect(lacking).toBeGreaterThan(0);
      expect(await run("dist/migrate.mjs", "deploy")).toContain("up to date");
      expect(await run("dist/setup.mjs", "--json", "--empty")).toContain("adminPassword");
      const port = await freePort();
      const server = await serve({ root: app.folder, mode: "gateway", host: "127.0.0.1", port, env: {}, quiet: true });
      opened.push(server.stop);
      old = new Remote({ origin: `http://127.0.0.1:${port}` }, key);
      const ready = async () => expect((await fetch(`${old.origin}/api/ready`)).status).toBe(200);
      await vi.waitFor(ready, { timeout: 30_000 });
    });

    it("lists and calls as today's does, in sessions and asynchronously, and each continues the other's work", async () => {
      const today = new Caller(key);
      const { session_id } = (await today.open({ group: ["*"] })).json;
      const listed = ({ data }: { readonly data: readonly { readonly tool_id: string }[] }) =>
        data.map(({ tool_id }) => tool_id);
      const query = `?session_id=${session_id}`;
      const own = listed((await today.list(query)).json);
      expect(own.length).toBeGreaterThan(0);
      const theirs = await fetch(`${old.origin}/api/agents/tools${query}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(listed((await theirs.json()) as never)).toEqual(own);
      const looked = await old.call({
        tool_id: "support:lookup_customer",
        arguments: { query: "Ada" },
        session_id,
      });
      expect(looked.json.state).toEqual({ before: "triage", after: "investigating" });
      expect((await today.session(session_id)).json.state).toBe("investigating");
      expect((await today.call({ ...CALCULATE, session_id })).json.status).toBe("succeeded");
      expect((await old.call({ ...CALCULATE, session_id })).json.status).toBe("succeeded");
      expect((await old.call({ tool_id: "no:such", arguments: {}, session_id })).status).toBe(404);
      const later = (await old.call({ ...CALCULATE, session_id, mode: "async" })).json;
      expect((await old.read(later.call_id, "?wait=20")).json.status).toBe("succeeded");
      expect((await today.read(later.call_id)).json.status).toBe("succeeded");
    });

    it("seals and verifies one log with today's app, with rows of both", async () => {
      await sealSettled();
      expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true });
      const program = pathToFileURL(join(app.folder, "dist/quartermaster.mjs")).href;
      const verify = `const { runCommand } = await import(${JSON.stringify(program)});
        await runCommand(["verify"], { out: console.log, error: console.error }, process.env);`;
      expect(await run("--input-type=module", "-e", verify)).toContain("The log is intact.");
    });
  },
);
