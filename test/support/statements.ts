import { AsyncLocalStorage } from "node:async_hooks";
import { Client } from "pg";

/**
 * The SQL statements that a piece of work sends, in order, as the driver gets them and without the brackets of
 * transactions; what runs in the background meanwhile is not among them.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const running = new AsyncLocalStorage<string[]>();
  const sent: string[] = [];
  const { query } = Client.prototype;
  const listening = function (this: Client, ...args: readonly unknown[]): unknown {
    const [first] = args;
    const text = typeof first === "string" ? first : (first as { readonly text?: string }).text;
    if (text !== undefined && !/^(begin|commit)\b/i.test(text)) running.getStore()?.push(text);
    return Reflect.apply(query, this, args);
  };
  Client.prototype.query = listening as typeof query;
  try {
    await running.run(sent, work);
  } finally {
    Client.prototype.query = query;
  }
  return sent;
}
