import { describe, expect, it } from "vitest";
import { ready } from "@/lib/server/health";
import { readyOutput } from "@/lib/contracts/agents/health";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);

async function asked() {
  const response = await ready(new Request("http://127.0.0.1:3000/api/ready"));
  return { status: response.status, ...readyOutput.parse(await response.json()).log };
}

describe("readiness reports the protection of the log", () => {
  it("by a role that may only add rows, and by seals", async () => {
    const [callId = ""] = await world.call();
    expect(await asked()).toEqual({ status: 200, protection: "role", sealing: "current" });
    await database.query(`set session_replication_role = replica;
      update execution set at = at - interval '2 minutes' where "callId" = '${callId}'; reset session_replication_role`);
    expect(await asked()).toEqual({ status: 200, protection: "role", sealing: "behind" });
    await world.seal();
    expect(await asked()).toEqual({ status: 200, protection: "role", sealing: "current" });
  });

  it("and stays ready when this is unknown: no call depends on it", async () => {
    await database.query("alter table seal rename to hidden_seal");
    expect(await asked()).toEqual({ status: 200, protection: "unknown", sealing: "unknown" });
    await database.query("alter table hidden_seal rename to seal");
  });
});
