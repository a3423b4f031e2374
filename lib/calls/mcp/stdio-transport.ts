import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { singleton } from "@/lib/process/singleton";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { OUTBOUND_LIMITS } from "@/lib/outbound/fetch";
import { log } from "@/lib/telemetry/log";

/** The most characters of one piece of a server's stderr that are logged. */
const MAX_STDERR = 2_000;

/** The running servers of this process, which end with it. */
const running = singleton("Stdio", () => {
  const own = new Set<StdioClientTransport>();
  process.once("exit", () => {
    for (const { pid } of own) if (pid !== null) kill(pid);
  });
  return own;
});

/** A server started by its source's command. `discard` deletes the home directory of its ended process. */
interface StdioServer {
  readonly transport: Transport;
  readonly discard: () => Promise<void>;
}

/**
 * Starts a server that the operator allows. Of this process's environment it gets only `PATH`. It has a new empty
 * directory as home (docs/reference/execution.md#mcp). Its stderr goes to the debug log.
 *
 * @throws AppError `address_refused` for a command that is not exactly in MCP_STDIO_ALLOW
 */
export async function stdioServer(source: string, command: string): Promise<StdioServer> {
  if (!env.MCP_STDIO_ALLOW.includes(command))
    throw new AppError(
      "address_refused",
      `The command of the source \`${source}\` is not allowed on this installation: an operator can add the exact command to MCP_STDIO_ALLOW.`,
    );
  const [program = "", ...args] = command.split(" ");
  const home = await mkdtemp(join(tmpdir(), "quartermaster-mcp-"));
  const transport = new StdioClientTransport({
    command: program,
    args,
    cwd: home,
    env: cleanEnvironment(home),
    stderr: "pipe",
    maxBufferSize: OUTBOUND_LIMITS.largestBodyBytes,
  });
  transport.stderr?.on("data", (chunk: Buffer) =>
    log.debug({ source, stderr: chunk.toString().slice(0, MAX_STDERR) }, "An MCP server wrote to stderr."),
  );
  running().add(transport);
  return {
    transport,
    discard: async () => {
      running().delete(transport);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The client inherits a few names unless they are stated. */
function cleanEnvironment(home: string): Record<string, string> {
  const inherited = getDefaultEnvironment();
  const blanks = Object.fromEntries(Object.keys(inherited).map((name) => [name, ""]));
  return { ...blanks, PATH: inherited["PATH"] ?? "", HOME: home };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
