import { AppError } from "@/lib/errors";
import { startSync } from "@/lib/sources/sync";
import { noteListening } from "@/lib/store/sources/source-syncs";
import { log } from "@/lib/telemetry/log";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import type { Actor } from "@/lib/store/save/change";

/** The actor of syncs after a server's change notification. */
const SERVER: Actor = { kind: "system", name: "tools changed", role: "editor" };
/** Milliseconds until the next try while another sync of the source runs. */
const BUSY_MS = 5_000;
const MAX_ATTEMPTS = 12;
/** Milliseconds between the starts of two such syncs of a source: some servers announce a change after each listing. */
const PAUSE_MS = 60_000;

/**
 * Synchronises a source after `notifications/tools/list_changed` of its server, until the process ends. Notifications
 * arrive only over an open connection. The next connection or the scheduled sync finds missed changes.
 *
 * @param pauseMs the shortest time between two syncs of a source; one sync then follows all notifications of the pause
 */
export function followToolChanges(pauseMs = PAUSE_MS): void {
  const connections = sharedMcpConnections();
  const startedAt = new Map<string, number>();
  const waiting = new Set<string>();
  connections.onToolsChanged((source) => {
    if (waiting.has(source)) return;
    waiting.add(source);
    const start = (): void => {
      waiting.delete(source);
      startedAt.set(source, performance.now());
      void sync(source, 1);
    };
    const pauseEnds = (startedAt.get(source) ?? Number.NEGATIVE_INFINITY) + pauseMs;
    setTimeout(start, Math.max(0, pauseEnds - performance.now())).unref();
  });
  connections.onListening((source, isListening) => {
    noteListening(source, isListening, new Date()).catch((error: unknown) =>
      log.warn({ source, err: error }, "Whether a source announces its changes could not be stored."),
    );
  });
}

async function sync(source: string, attempt: number): Promise<void> {
  try {
    await startSync(SERVER, source);
  } catch (error) {
    // The running sync may have read the list before the change.
    if (error instanceof AppError && error.code === "conflict" && attempt < MAX_ATTEMPTS)
      setTimeout(() => void sync(source, attempt + 1), BUSY_MS).unref();
    else log.warn({ source, err: error }, "A source that changed could not be synchronised.");
  }
}
