import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Beside } from "@/bench/support/measured-installation";
import { importMcp } from "@/lib/sources/mcp/import-mcp";
import { freePort } from "@/test/support/servers/free-port";
import { startEverything } from "@/test/support/servers/mcp-everything";

/** The reference server `everything`, as it is, bridged by mcp-proxy, and as a source of ours. */
export interface MeasuredEverything {
  /** The source, its tools as they are imported, and what lets us reach it. */
  readonly beside: Beside;
  readonly url: string;
  readonly bridge: string;
  readonly stop: () => Promise<void>;
}

/** Starts it and the bridge, each in a process of its own. */
export async function measuredEverything(): Promise<MeasuredEverything> {
  const { url, host, kill } = await startEverything();
  const port = await freePort();
  const child = fork(join("bench", "support", "bridge.ts"), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production", BRIDGE_UPSTREAM: url, BRIDGE_PORT: String(port) },
  });
  await once(child, "message");
  return {
    beside: {
      // As many at once as are sent: the house's bound on a source is not what is measured.
      sources: [{ name: "everything", kind: "mcp", url, limits: { concurrency: 64 } }],
      tools: await toolsOf(url),
      env: { OUTBOUND_ALLOW: host },
      // Of no department and no role: its list is that of the server.
      attributes: {},
    },
    url,
    bridge: `http://127.0.0.1:${port}/mcp`,
    stop: async () => {
      child.disconnect();
      await kill();
    },
  };
}

async function toolsOf(url: string): Promise<readonly object[]> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { tools } = await client.listTools();
  await client.close();
  return importMcp({ title: null, tools }, "everything", new Map()).tools.map((tool) => ({
    ...tool,
    groups: ["helpers"],
  }));
}
