import { AsyncLocalStorage } from "node:async_hooks";
import { Client } from "pg";

/** A statement as the driver gets it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The SQL statements that a piece of work sends, in order, without the brackets of transactions and connections; what runs in the
 * background meanwhile is not among them.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  return (await sentBy(work)).map(({ text }) => text);
}

/** The statements with their values. */
export async function sentBy(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const running = new AsyncLocalStorage<Statement[]>();
  const sent: Statement[] = [];
  const { query } = Client.prototype;
  const listening = function (this: Client, ...args: readonly unknown[]): unknown {
    const [first, second] = args;
    const { text, values } = (typeof first === "string" ? { text: first, values: second } : first) as {
      readonly text?: string;
      readonly values?: unknown;
    };
    if (text !== undefined && !/^(begin\b|commit\b|select set_config\('role')/i.test(text))
      running.getStore()?.push({ text, values: Array.isArray(values) ? values : [] });
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
