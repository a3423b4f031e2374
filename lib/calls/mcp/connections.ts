import { SdkHttpError } from "@modelcontextprotocol/client";
import { singleton } from "@/lib/process/singleton";
import { requireCallersLink } from "@/lib/calls/linked-accounts/linked-token";
import type { CredentialRequest } from "@/lib/calls/credentials/credentials";
import { connectMcp, type McpConnection, type McpSource } from "@/lib/calls/mcp/connect";

/** Milliseconds that a connection stays open after its last use. */
const IDLE_MS = 5 * 60_000;
/** The time limit for a server's answer to a ping, in milliseconds. */
const PING_MS = 5_000;

type Work<T> = (connection: McpConnection) => Promise<T>;

/** While this many connections are open, a further one of a linked account ends with its call. */
const MAX_KEPT = 500;

/**
 * Connections to upstream servers. All callers of a source share one. A source with linked accounts has one for each
 * account.
 */
export interface McpConnections {
  /**
   * Runs `work` with a connection to the source. When the server has lost the session of an earlier connection, `work`
   * runs once more in a new one. With token exchange, `work` gets its own connection, which closes
   * after it. Another linked account gets another connection, because the server's session belongs to the account.
   */
  use<T>(source: McpSource, caller: CredentialRequest["caller"], work: Work<T>): Promise<T>;
  /**
   * `listener` gets the name of a source whose server announces changed tools. Also called after the first call over a
   * new connection, because announcements before it are lost. Replaces an earlier listener.
   */
  onToolsChanged(listener: (source: string) => void): void;
  /**
   * `listener` is called when announcements of a source's server start or stop arriving. If the connection ends after they
   * stopped, it gets `true`, because the next connection listens again. Replaces an earlier listener.
   */
  onListening(listener: (source: string, isListening: boolean) => void): void;
  close(): Promise<void>;
}

interface OpenConnection {
  /** The settings that the connection was opened with, as JSON. Changed settings need a new connection. */
  readonly settings: string;
  readonly connection: Promise<McpConnection>;
  users: number;
  /** Whether `#toolsChanged` was called because earlier announcements may be lost. */
  hasReportedMissed: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** The process's connections. */
export const sharedMcpConnections = singleton("Mcp", () => mcpConnections());

/** A set of connections. An idle one is closed. */
export function mcpConnections(): McpConnections {
  return new Connections();
}

class Connections implements McpConnections {
  readonly #open = new Map<string, OpenConnection>();
  #toolsChanged: (source: string) => void = () => {};
  #listening: (source: string, isListening: boolean) => void = () => {};

  async use<T>(source: McpSource, caller: CredentialRequest["caller"], work: Work<T>): Promise<T> {
    if (source.auth.mode === "token_exchange") return runOnOwnConnection(source, caller, work);
    const key = await keyOf(source, caller);
    const isReused = this.#open.has(key);
    if (source.auth.mode === "user" && !isReused && this.#open.size >= MAX_KEPT)
      return runOnOwnConnection(source, caller, work);
    return this.#runOn(key, source, caller, work, isReused);
  }

  onToolsChanged(listener: (source: string) => void): void {
    this.#toolsChanged = listener;
  }

  onListening(listener: (source: string, isListening: boolean) => void): void {
    this.#listening = listener;
  }

  async close(): Promise<void> {
    const all = [...this.#open];
    for (const [key, one] of all) this.#drop(key, one);
    await Promise.allSettled(all.map(async ([, { connection }]) => (await connection).close()));
  }

  async #runOn<T>(
    key: string,
    source: McpSource,
    caller: CredentialRequest["caller"],
    work: Work<T>,
    isReused: boolean,
  ): Promise<T> {
    const one = this.#openOrReuse(key, source, caller);
    one.users += 1;
    clearTimeout(one.timer);
    let open: McpConnection | undefined;
    try {
      open = await one.connection;
      const result = await work(open);
      if (!one.hasReportedMissed && isFollowed(source) && open.mayHaveMissedChanges()) {
        one.hasReportedMissed = true;
        this.#toolsChanged(source.name);
      }
      return result;
    } catch (error) {
      if (open === undefined || !(await hasLostSession(open, error))) throw error;
      this.#drop(key, one);
      if (!isReused) throw error;
    } finally {
      this.#release(key, one);
    }
    return this.#runOn(key, source, caller, work, false);
  }

  #openOrReuse(key: string, source: McpSource, caller: CredentialRequest["caller"]): OpenConnection {
    const settings = JSON.stringify([source.url, source.command, source.auth]);
    const known = this.#open.get(key);
    if (known?.settings === settings) return known;
    if (known !== undefined) this.#drop(key, known);
    let isListening = true;
    const listening = (now: boolean) => {
      isListening = now;
      // The health of a source is not that of one person's connection.
      if (source.auth.mode !== "user") this.#listening(source.name, now);
    };
    const forget = () => {
      if (this.#open.get(key) === opened) this.#open.delete(key);
      if (!isListening) listening(true);
    };
    const connection = connectMcp(source, caller, {
      toolsChanged: () => isFollowed(source) && this.#toolsChanged(source.name),
      listening,
      closed: forget,
    });
    const opened: OpenConnection = { settings, connection, users: 0, hasReportedMissed: false, timer: undefined };
    connection.catch(forget);
    this.#open.set(key, opened);
    return opened;
  }

  #release(key: string, one: OpenConnection): void {
    one.users -= 1;
    if (one.users > 0) return;
    if (this.#open.get(key) === one) one.timer = setTimeout(() => this.#drop(key, one), IDLE_MS).unref();
    else end(one);
  }

  /** Removes the connection for new calls. It closes when its present calls have ended. */
  #drop(key: string, one: OpenConnection): void {
    if (this.#open.get(key) === one) this.#open.delete(key);
    clearTimeout(one.timer);
    if (one.users === 0) end(one);
  }
}

/**
 * The key of a connection. A linked account has a new id whenever its person signs in at the upstream.
 *
 * @throws AppError `authorization_needed`
 */
async function keyOf({ name, auth }: McpSource, caller: CredentialRequest["caller"]): Promise<string> {
  return auth.mode === "user" ? `${name} ${(await requireCallersLink(caller, name)).id}` : name;
}

/** Whether announced changes start a sync. With linked accounts, a sync that no person starts needs `importSecret`. */
function isFollowed({ auth }: McpSource): boolean {
  return auth.mode !== "user" || auth.importSecret !== null;
}

function end({ connection }: OpenConnection): void {
  void connection.then((open) => open.close()).catch(() => {});
}

async function runOnOwnConnection<T>(
  source: McpSource,
  caller: CredentialRequest["caller"],
  work: Work<T>,
): Promise<T> {
  const connection = await connectMcp(source, caller, {
    toolsChanged: () => {},
    listening: () => {},
    closed: () => {},
  });
  try {
    return await work(connection);
  } finally {
    // Not awaited: a server that ends sessions slowly would delay the result, or make it a timeout.
    void connection.close().catch(() => {});
  }
}

/**
 * Whether the server has lost the session, and so did nothing (MCP 2025-11-25, Transports, Session Management: 404; 400 from
 * the reference servers). A tool that has acted may fail with the same status, so a ping confirms the loss.
 */
async function hasLostSession({ client }: McpConnection, error: unknown): Promise<boolean> {
  if (!isUnknownSession(error) || client.getProtocolEra() === "modern") return false;
  return client.ping({ timeout: PING_MS }).then(() => false, isUnknownSession);
}

function isUnknownSession(error: unknown): boolean {
  return error instanceof SdkHttpError && (error.status === 404 || error.status === 400);
}
