import { Client } from "pg";
import { enterAppRole } from "@/lib/store/db/connection-role";

/** Called with a notice's payload; and with `null` once its channel is listened to (again): notices may have been missed. */
export type NoticeHandler = (payload: string | null) => void;

/** Longest pause between two attempts: notices must flow again within 5 s of the store's return. */
const LONGEST_PAUSE_MS = 2_000;
/** How often it is asked whether the connection still stands: one that was lost in a failover says nothing by itself. */
const BEAT_MS = 2_000;

/** Hears Postgres notices over one connection, opened anew whenever it breaks. */
export class Listener {
  readonly #connectionString: string;
  readonly #handlers = new Map<string, Set<NoticeHandler>>();
  #client: Client | null = null;
  /** One question at a time, as the driver wants it. */
  #asked: Promise<unknown> = Promise.resolve();
  #running = false;
  #closed = false;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  /** Adds a handler of a channel; returns what takes it away. */
  add(channel: string, handler: NoticeHandler): () => void {
    if (!/^[a-z_]{1,60}$/.test(channel)) throw new Error(`Channel "${channel}": use lower case and _.`);
    const isNew = !this.#handlers.has(channel);
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    if (!this.#running) void this.#run();
    else if (isNew) this.#ask(`listen ${channel}`, () => this.#tell(channel, null));
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
      const heard = await this.#hearUntilLost();
      pause = heard ? 100 : Math.min(pause * 2, LONGEST_PAUSE_MS);
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }

  /** What is not answered in time ends the connection, for another one. */
  #ask(statement: string, answered = () => {}): void {
    this.#asked = this.#asked
      .then(() => this.#client?.query(statement))
      .then(answered)
      .catch(() => this.#client?.end());
  }

  /** One connection's life; false when it never came to be. */
  async #hearUntilLost(): Promise<boolean> {
    const client = new Client({
      connectionString: this.#connectionString,
      connectionTimeoutMillis: LONGEST_PAUSE_MS,
      query_timeout: LONGEST_PAUSE_MS,
      keepAlive: true,
      application_name: "quartermaster-listen",
    });
    const lost = new Promise<void>((resolve) => client.once("end", resolve).on("error", () => resolve()));
    client.on("notification", ({ channel, payload }) => this.#tell(channel, payload ?? ""));
    try {
      await client.connect();
      await enterAppRole(client);
      for (const channel of this.#handlers.keys()) await client.query(`listen ${channel}`);
    } catch {
      await client.end().catch(() => {});
      return false;
    }
    this.#client = client;
    for (const channel of this.#handlers.keys()) this.#tell(channel, null);
    if (this.#closed) await client.end();
    const beat = setInterval(() => this.#ask("select 1"), BEAT_MS).unref();
    await lost;
    clearInterval(beat);
    this.#client = null;
    await client.end().catch(() => {});
    return true;
  }

  #tell(channel: string, payload: string | null): void {
    for (const handler of this.#handlers.get(channel) ?? []) handler(payload);
  }
}
