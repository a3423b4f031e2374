import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Beside } from "@/bench/support/servers/measured-installation";
import { importMcp } from "@/lib/sources/mcp/import-mcp";
import { freePort } from "@/test/support/servers/free-port";
import { startEverything } from "@/test/support/servers/mcp-everything";

/** The reference server `everything`: directly, bridged by mcp-proxy, and as a source of ours. */
export interface ReferenceServer {
  /** The source and its imported tools, and the setting that lets us reach it. */
  readonly beside: Beside;
  readonly url: string;
  readonly bridge: string;
  readonly stop: () => Promise<void>;
}

/** Starts the server and the bridge, each in a separate process. */
export async function startReferenceServer(): Promise<ReferenceServer> {
  const { url, host, kill } = await startEverything();
  const port = await freePort();
  const child = fork(join("bench", "support", "servers", "bridge.ts"), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production", BRIDGE_UPSTREAM: url, BRIDGE_PORT: String(port) },
  });
  await once(child, "message");
  return {
    beside: {
      // As many concurrent calls as are sent: the default limit of a source is not measured.
      sources: [{ name: "everything", kind: "mcp", url, limits: { concurrency: 64 } }],
      tools: await toolsOf(url),
      env: { OUTBOUND_ALLOW: host },
      // Without department and role, so that the agent's list equals the server's.
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
