import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareHttp } from "@/bench/support/servers/bare-http";
import type { Load } from "@/bench/support/load";
import { stateless } from "@/bench/support/mcp-load";
import type { Beside } from "@/bench/support/servers/measured-installation";

/** The upstreams of the measured tools, each in a separate process. */
export interface MeasuredUpstream {
  /** The sources `plain`, `remote` (MCP) and `HANGING`, each with one tool, and the setting that lets us reach them. */
  readonly beside: Beside;
  /** The calls of the tools, sent directly to the upstream. */
  readonly plain: Load;
  readonly remote: Load;
  readonly stop: () => void;
}

const SCHEMA = {
  type: "object",
  properties: { id: { type: "string", maxLength: 40 }, amount: { type: "integer", minimum: 0 } },
  required: ["id"],
  additionalProperties: false,
};
/** Sources that never answer: each is called in one round only, because its breaker opens then. */
export const HANGING = Array.from({ length: 8 }, (_, round) => `hanging-${round}`);
const HANGING_LIMITS = { timeoutSeconds: 8, retries: 0 };
/** Arguments that fit the tools' schema. */
export const ARGUMENTS = { id: "order-1", amount: 3 };

/** The call of the tool of the MCP server. */
export const ECHO = { method: "tools/call", params: { name: "echo", arguments: ARGUMENTS } } as const;

export async function measuredUpstream(): Promise<MeasuredUpstream> {
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-upstream-"));
  const answer = join(folder, "answer.json");
  const text = JSON.stringify({ id: "order-1", state: "sent", lines: ["one", "two", "three"] });
  writeFileSync(answer, JSON.stringify({ text, headers: { "content-type": "application/json", etag: '"1"' } }));
  const plain = await bareHttp(answer);
  const child = fork(join("bench", "support", "servers", "upstream.ts"), { execArgv: ["--import", "tsx"] });
  const [{ mcp, silent }] = (await once(child, "message")) as [{ readonly mcp: string; readonly silent: string }];
  const http = (url: string) => ({
    kind: "http",
    method: "GET",
    url,
    parameters: Object.keys(ARGUMENTS).map((name) => ({ property: name, name, in: "query" })),
  });
  const tool = (id: string, run: object) => ({
    id,
    description: "Looks up an order.",
    inputSchema: SCHEMA,
    groups: ["helpers"],
    run,
  });
  return {
    beside: {
      sources: [
        // As many concurrent calls as are sent: the default limit of a source is not measured.
        { name: "plain", kind: "http", limits: { concurrency: 64 } },
        { name: "remote", kind: "mcp", url: `http://${mcp}/mcp`, limits: { concurrency: 64 } },
        ...HANGING.map((name) => ({ name, kind: "http" })),
      ],
      tools: [
        tool("plain:order", http(`${plain.url}/orders`)),
        tool("remote:echo", { kind: "mcp", tool: "echo" }),
        ...HANGING.map((name) => ({
          ...tool(`${name}:wait`, http(`http://${silent}/orders`)),
          limits: HANGING_LIMITS,
        })),
      ],
      env: { OUTBOUND_ALLOW: [new URL(plain.url).host, mcp, silent].join() },
    },
    plain: { url: `${plain.url}/orders?id=order-1&amount=3`, status: 200 },
    remote: stateless(`http://${mcp}/mcp`, ECHO),
    stop: () => {
      child.disconnect();
      plain.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
