import { AppError } from "@/lib/errors";
import { startSync } from "@/lib/sources/sync";
import { noteListening } from "@/lib/store/sources/source-syncs";
import { log } from "@/lib/telemetry/log";
import { sharedMcpConnections, type McpConnections } from "@/lib/calls/mcp/connections";
import type { Actor } from "@/lib/store/save/change";

/** Who synchronises when a server says that its tools changed. */
const SERVER: Actor = { kind: "system", name: "tools changed", role: "editor" };
/** Milliseconds until a source that is being synchronised is tried again. */
const BUSY_MS = 5_000;
const MOST_TRIES = 12;

/**
 * Synchronises a source when its server says that its tools are others (`notifications/tools/list_changed`), for the
 * life of the process. That is heard while a connection is open; what was missed before is asked for once a call has opened
 * the next one, or found by the scheduled sync.
 */
export function followToolChanges(connections: McpConnections = sharedMcpConnections()): void {
  connections.onToolsChanged((source) => void sync(source, 1));
  connections.onListening((source, isHeard) => {
    noteListening(source, isHeard, new Date()).catch((error: unknown) =>
      log.warn({ source, err: error }, "Whether a source's changes are heard could not be written down."),
    );
  });
}

async function sync(source: string, attempt: number): Promise<void> {
  try {
    await startSync(SERVER, source);
  } catch (error) {
    // The sync that runs may have read the list before it changed.
    if (error instanceof AppError && error.code === "conflict" && attempt < MOST_TRIES)
      setTimeout(() => void sync(source, attempt + 1), BUSY_MS).unref();
    else log.warn({ source, err: error }, "A source that changed could not be synchronised.");
  }
}
