import { Client } from "pg";
import { enterAppRole } from "@/lib/store/db/connection-role";

/** Called with each notice's payload. Called with `null` after each (re)connect, because notices may have been lost. */
export type NoticeHandler = (payload: string | null) => void;

/** Longest pause between two attempts: notices must arrive again within 5 s of the store's return. */
const MAX_BACKOFF_MS = 2_000;
/** Interval of the connection check. A connection that a failover broke reports no error. */
const HEARTBEAT_MS = 2_000;

/** Receives Postgres notices over one connection and reconnects when it breaks. */
export class Listener {
  readonly #connectionString: string;
  readonly #handlers = new Map<string, Set<NoticeHandler>>();
  #client: Client | null = null;
  /** Chains statements, because the driver takes one at a time. */
  #lastStatement: Promise<unknown> = Promise.resolve();
  #running = false;
  #closed = false;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  /** Adds a handler to a channel. Returns the function that removes it. */
  add(channel: string, handler: NoticeHandler): () => void {
    if (!/^[a-z_]{1,60}$/.test(channel)) throw new Error(`Channel "${channel}": use lower case and _.`);
    const isNew = !this.#handlers.has(channel);
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    if (!this.#running) void this.#run();
    else if (isNew) this.#send(`listen ${channel}`, () => this.#notify(channel, null));
    return () => void handlers.delete(handler);
  }

  /** Ends the connection for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => {});
  }

  async #run(): Promise<void> {
    this.#running = true;
    let pause = 100;
    while (!this.#closed) {
      const wasConnected = await this.#listenUntilLost();
      pause = wasConnected ? 100 : Math.min(pause * 2, MAX_BACKOFF_MS);
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }

  /** Runs a statement. If it fails or times out, closes the connection, so that a new one opens. */
  #send(statement: string, answered = () => {}): void {
    this.#lastStatement = this.#lastStatement
      .then(() => this.#client?.query(statement))
      .then(answered)
      .catch(() => this.#client?.end());
  }

  /** Connects and waits until the connection breaks; false when it could not connect. */
  async #listenUntilLost(): Promise<boolean> {
    const client = new Client({
      connectionString: this.#connectionString,
      connectionTimeoutMillis: MAX_BACKOFF_MS,
      query_timeout: MAX_BACKOFF_MS,
      keepAlive: true,
      application_name: "quartermaster-listen",
    });
    const lost = new Promise<void>((resolve) => client.once("end", resolve).on("error", () => resolve()));
    client.on("notification", ({ channel, payload }) => this.#notify(channel, payload ?? ""));
    try {
      await client.connect();
      await enterAppRole(client);
      for (const channel of this.#handlers.keys()) await client.query(`listen ${channel}`);
    } catch {
      await client.end().catch(() => {});
      return false;
    }
    this.#client = client;
    for (const channel of this.#handlers.keys()) this.#notify(channel, null);
    if (this.#closed) await client.end();
    const beat = setInterval(() => this.#send("select 1"), HEARTBEAT_MS).unref();
    await lost;
    clearInterval(beat);
    this.#client = null;
    await client.end().catch(() => {});
    return true;
  }

  #notify(channel: string, payload: string | null): void {
    for (const handler of this.#handlers.get(channel) ?? []) handler(payload);
  }
}
