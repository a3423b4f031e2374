import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { save, supportDocument, type Got, type List, type Problem, type Session } from "@/test/api/agents-world";

/** Waits for a condition that no promise limits in time, so a busy machine may take long. */
export function until(holds: () => boolean): Promise<unknown> {
  return vi.waitUntil(holds, { timeout: 30_000, interval: 20 });
}

/** The HTTP answer to an agent's call. */
export type Called = CallOutput & Problem;

/** An agent that sends requests to a process, or a balancer, over real connections. */
export class Remote {
  readonly origin: string;
  readonly credential: string;

  constructor({ origin }: { readonly origin: string }, credential: string) {
    this.origin = origin;
    this.credential = credential;
  }

  list(): Promise<Got<List & Problem>> {
    return this.ask("GET", "tools");
  }

  call(body: object, headers: Record<string, string> = {}): Promise<Got<Called>> {
    return this.ask("POST", "tools/call", body, headers);
  }

  read(callId: string, query = ""): Promise<Got<Called>> {
    return this.ask("GET", `calls/${callId}${query}`);
  }

  cancel(callId: string): Promise<Got<Called>> {
    return this.ask("DELETE", `calls/${callId}`);
  }

  open(body: object): Promise<Got<Session>> {
    return this.ask("POST", "sessions", body);
  }

  session(id: string): Promise<Got<Session>> {
    return this.ask("GET", `sessions/${id}`);
  }

  /** The text of a stream as it grows. */
  async follow(path: string): Promise<Followed> {
    return follow(await this.send("GET", path));
  }

  private async ask<T>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Got<T>> {
    const response = await this.send(method, path, body, headers);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) as T };
  }

  private send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.origin}/api/agents/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.credential}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** An open stream. */
export interface Followed {
  readonly text: () => string;
  readonly leave: () => Promise<void>;
}

/** Reads a streamed answer until it ends or is left. */
export function follow(response: Response): Followed {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  void (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  })().catch(() => {});
  return { text: () => text, leave: () => reader.cancel() };
}

/** The upstream of the source `shop`. */
export interface Shop {
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  /** How many requests of a path have come so far. */
  arrived(path: string): number;
  /** Lets no request end until the returned function is called. */
  hold(): () => void;
  /** The status of every answer from now on. */
  answer(status: number): void;
  close(): void;
}

/** Opens it on a free port. */
export async function openShop(): Promise<Shop> {
  const arrived = new Map<string, number>();
  let held: Promise<void> = Promise.resolve();
  let status = 200;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    arrived.set(path, (arrived.get(path) ?? 0) + 1);
    void held.then(() => response.writeHead(status, { "content-type": "application/json" }).end('{"done":true}'));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: (path) => arrived.get(path) ?? 0,
    hold: () => {
      let open = () => {};
      held = new Promise((resolve) => (open = resolve));
      return open;
    },
    answer: (next) => (status = next),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const SHOPPERS = { name: "shoppers", everyone: true, groups: ["shopping"] };
const METHODS = { ask: "GET", scarce: "GET", pair: "GET", confirmed: "POST", order: "POST", replace: "PUT" } as const;
const BESIDES: Partial<Record<keyof typeof METHODS, object>> = {
  scarce: { limits: { rate: { points: 3, seconds: 86_400 } } },
  pair: { limits: { concurrency: 2 } },
  confirmed: { requiresApproval: true },
};

type Listed = "sources" | "tools" | "groups" | "policies" | "machines" | "agents";

const STATES = ["one", "two", "three"];
/** A machine with three states in a circle: each call is a step. */
const CIRCLE = {
  name: "circle",
  initial: "one",
  states: STATES.map((name) => ({ name })),
  rules: [
    {
      tool: "shop:ask",
      availableIn: STATES,
      transitions: STATES.map((from, place) => ({ from, to: STATES[(place + 1) % STATES.length] })),
    },
  ],
};

/** A machine that allows one call of `shop:replace`. */
const ONCE = {
  name: "once",
  initial: "fresh",
  states: [{ name: "fresh" }, { name: "used", terminal: true }],
  rules: [{ tool: "shop:replace", availableIn: ["fresh"], transitions: [{ from: "fresh", to: "used" }] }],
};

/**
 * The support team with a shop whose tools everyone may use: `shop:ask`, `order`, `replace`; `scarce` has a rate, `pair` runs
 * twice at once, `confirmed` needs an approval. The agent `walker` takes a step in a circle of three states with each `shop:ask`; `buyer` has `shop:replace` once in a session.
 */
export function shopDocument(host: string): Record<string, unknown> {
  const document = supportDocument() as Record<Listed, object[]>;
  const tools = Object.entries(METHODS).map(([operation, method]) => ({
    id: `shop:${operation}`,
    description: "Asks the shop.",
    inputSchema: { type: "object" },
    run: { kind: "http", method, url: `http://${host}/${operation}` },
    ...BESIDES[operation as keyof typeof METHODS],
  }));
  return {
    ...document,
    sources: [...document.sources, { name: "shop", kind: "http" }],
    tools: [...document.tools, ...tools],
    groups: [...document.groups, { name: "shopping", selectors: [{ source: "shop" }] }],
    policies: [...document.policies, SHOPPERS],
    machines: [...document.machines, CIRCLE, ONCE],
    agents: [
      ...document.agents,
      { name: "walker", machine: "circle", stateHeldByServer: true },
      { name: "buyer", machine: "once" },
    ],
  };
}

/** A call of a tool of the shop. */
export function of(operation: keyof typeof METHODS): { tool_id: string; arguments: object } {
  return { tool_id: `shop:${operation}`, arguments: {} };
}

/** Grants the support team these groups, and no others. */
export function grant(groups: readonly string[]): Promise<number> {
  const { policies } = supportDocument() as { policies: { name: string }[] };
  const changed = policies.map((policy) => (policy.name === "support-staff" ? { ...policy, groups } : policy));
  return save({ apiVersion: "quartermaster/v1", policies: [...changed, SHOPPERS] });
}
