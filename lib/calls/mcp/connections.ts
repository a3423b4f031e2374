import { SdkHttpError } from "@modelcontextprotocol/client";
import { singleton } from "@/lib/process/singleton";
import type { Wanting } from "@/lib/calls/credentials/credentials";
import { connectMcp, type McpConnection, type McpSource } from "@/lib/calls/mcp/connect";

/** Milliseconds that a connection is kept after its last use. */
const IDLE_MS = 5 * 60_000;

/** Connections to upstream servers: one for each source, however many call. */
export interface McpConnections {
  /**
   * Runs `work` with a connection to the source. Opens a session that the server has lost again, once; then `work`
   * runs again. In a caller's name (token exchange) the connection is theirs alone and ends with `work`.
   */
  use<T>(source: McpSource, caller: Wanting["caller"], work: (connection: McpConnection) => Promise<T>): Promise<T>;
  /**
   * Called with the name of a source whose server announces changed tools, or may have done so without a connection:
   * after the first call over a new connection. One listener: the last.
   */
  onToolsChanged(listener: (source: string) => void): void;
  /**
   * Called when announcements of a source's server begin or stop to arrive; `true` too when its connection ends, because
   * the next connection listens again. One listener: the last.
   */
  onListening(listener: (source: string, isHeard: boolean) => void): void;
  close(): Promise<void>;
}

interface Kept {
  /** The settings of the connection. Changed settings need a new connection. */
  readonly madeWith: string;
  readonly connection: Promise<McpConnection>;
  users: number;
  /** Whether the listener knows that earlier changes may have been missed. */
  isTold: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** The process's connections. */
export const sharedMcpConnections = singleton("Mcp", () => mcpConnections());

/** A set of connections; `idleMs` after its last use one is closed. */
export function mcpConnections(idleMs = IDLE_MS): McpConnections {
  const kept = new Map<string, Kept>();
  let tell: (source: string) => void = () => {};
  let tellListening: (source: string, isHeard: boolean) => void = () => {};

  const end = ({ connection }: Kept) => void connection.then((open) => open.close()).catch(() => {});

  /** Gives the connection to no new user. Current users keep it to their end. */
  const drop = (name: string, one: Kept) => {
    if (kept.get(name) === one) kept.delete(name);
    clearTimeout(one.timer);
    if (one.users === 0) end(one);
  };

  const release = (name: string, one: Kept) => {
    one.users -= 1;
    if (one.users > 0) return;
    if (kept.get(name) === one) one.timer = setTimeout(() => drop(name, one), idleMs).unref();
    else end(one);
  };

  const keep = (source: McpSource, caller: Wanting["caller"]): Kept => {
    const madeWith = JSON.stringify([source.url, source.command, source.auth]);
    const known = kept.get(source.name);
    if (known?.madeWith === madeWith) return known;
    if (known !== undefined) drop(source.name, known);
    let isHeard = true;
    const listening = (now: boolean) => {
      isHeard = now;
      tellListening(source.name, now);
    };
    const forget = () => {
      if (kept.get(source.name) === made) kept.delete(source.name);
      if (!isHeard) listening(true);
    };
    const connection = connectMcp(source, caller, {
      toolsChanged: () => tell(source.name),
      listening,
      closed: forget,
    });
    const made: Kept = { madeWith, connection, users: 0, isTold: false, timer: undefined };
    connection.catch(forget);
    kept.set(source.name, made);
    return made;
  };

  const lend = async <T>(
    source: McpSource,
    caller: Wanting["caller"],
    work: (connection: McpConnection) => Promise<T>,
  ): Promise<T> => {
    const one = keep(source, caller);
    one.users += 1;
    clearTimeout(one.timer);
    try {
      const open = await one.connection;
      const done = await work(open);
      if (!one.isTold && open.mayHaveMissedChanges()) {
        one.isTold = true;
        tell(source.name);
      }
      return done;
    } catch (error) {
      if (isLostSession(error)) drop(source.name, one);
      throw error;
    } finally {
      release(source.name, one);
    }
  };

  return {
    async use(source, caller, work) {
      if (source.auth.mode === "token_exchange") return once(source, caller, work);
      const isReused = kept.has(source.name);
      try {
        return await lend(source, caller, work);
      } catch (error) {
        if (!isReused || !isLostSession(error)) throw error;
        return lend(source, caller, work);
      }
    },
    onToolsChanged(listener) {
      tell = listener;
    },
    onListening(listener) {
      tellListening = listener;
    },
    async close() {
      const all = [...kept];
      for (const [name, one] of all) drop(name, one);
      await Promise.allSettled(all.map(async ([, { connection }]) => (await connection).close()));
    },
  };
}

async function once<T>(
  source: McpSource,
  caller: Wanting["caller"],
  work: (connection: McpConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectMcp(source, caller, {
    toolsChanged: () => {},
    listening: () => {},
    closed: () => {},
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** MCP 2025-11-25, Transports, Session Management: 404, or 400 from the reference servers; nothing was done. */
function isLostSession(error: unknown): boolean {
  return error instanceof SdkHttpError && (error.status === 404 || error.status === 400);
}
