import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Load } from "@/bench/support/load";

/** One kind of request in mixed traffic. */
export interface Kind {
  readonly name: string;
  /** Its share, relative to the weights of the other kinds. */
  readonly weight: number;
  /** The next request; `id` is unique. Its status is the one expected while nothing is broken. */
  readonly next: (id: string) => Load | Promise<Load>;
}

/** The result of one request. */
export interface Seen {
  readonly kind: string;
  readonly id: string;
  /** Start and end in milliseconds of `performance.now()`. */
  readonly began: number;
  readonly ended: number;
  readonly wanted: number;
  /** 0 when the connection broke or no answer came in time. */
  readonly status: number;
  readonly text: string;
}

/** Sends requests of every kind in turn until the process is warm: a process that has just started is slow. */
export async function warmUp(kinds: readonly Kind[]): Promise<void> {
  const dispatcher = new Agent();
  for (const kind of kinds) {
    let tries = 0;
    for (;;) {
      const { status, wanted } = await send(kind, `warm-${(tries += 1)}`, dispatcher);
      if (status === wanted) break;
      if (tries === MAX_ATTEMPTS) throw new Error(`${kind.name} is not answered as it should be.`);
      await delay(100);
    }
  }
  await dispatcher.close();
}

/** Clients that send requests continuously. */
export interface Traffic {
  /** Resolves when the last request has been answered. */
  stop(): Promise<void>;
}

/** The most attempts: a process on a busy machine needs some seconds at first. */
const MAX_ATTEMPTS = 50;
/** Milliseconds after which a client gives up a request. */
const TIMEOUT_MS = 20_000;

/**
 * Starts `clients` clients. Each sends one request after the other, by the kinds' weights, with a pause between them, and
 * reports each result to `seen`.
 */
export function startTraffic(
  kinds: readonly Kind[],
  { clients, pauseMs }: { readonly clients: number; readonly pauseMs: number },
  seen: (one: Seen) => void,
): Traffic {
  const over = new AbortController();
  const dispatcher = new Agent({ connections: clients, connectTimeout: TIMEOUT_MS });
  const turns = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));
  let count = 0;
  const client = async (own: number) => {
    for (let turn = own; !over.signal.aborted; turn += 1) {
      // Kinds take turns, and each client begins at another one, so that every run has the same mix.
      const kind = turns[(turn * 7) % turns.length];
      if (kind !== undefined) seen(await send(kind, `${own}-${(count += 1)}`, dispatcher));
      await delay(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, own) => client(own)));
  return {
    stop: async () => {
      over.abort();
      await all;
      await dispatcher.close();
    },
  };
}

async function send({ name, next }: Kind, id: string, dispatcher: Agent): Promise<Seen> {
  const { url, headers = {}, body, status: wanted } = await next(id);
  const began = performance.now();
  const seen = (status: number, text: string): Seen => ({
    kind: name,
    id,
    began,
    ended: performance.now(),
    wanted,
    status,
    text,
  });
  try {
    const answer = await request(url, {
      dispatcher,
      method: body === undefined ? "GET" : "POST",
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      body: body?.replace("[<id>]", id) ?? null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return seen(answer.statusCode, await answer.body.text());
  } catch (error) {
    return seen(0, String(error));
  }
}
