import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Load } from "@/bench/support/load";

/** A caller's measurements. */
export interface Called {
  /** Milliseconds of each call, in no order. */
  readonly took: readonly number[];
  readonly perSecond: number;
}

/** A process that sends calls. */
export interface Caller {
  /** @throws when another status comes back */
  call(load: Load, inFlight: number, seconds: number): Promise<Called>;
  stop(): void;
}

export async function startCaller(): Promise<Caller> {
  const child = fork(join("bench", "support", "servers", "caller.mjs"), { execArgv: [] });
  await once(child, "message");
  return {
    call: async ({ url, headers = {}, body, status }, inFlight, seconds) => {
      const typed = { ...headers, ...(body !== undefined && { "content-type": "application/json" }) };
      const method = body === undefined ? "GET" : "POST";
      child.send({ url, method, headers: typed, body: body ?? null, status, inFlight, seconds });
      const [called] = (await once(child, "message")) as [Called & { readonly wrong: string }];
      if (called.wrong !== "") throw new Error(called.wrong);
      return called;
    },
    stop: () => child.disconnect(),
  };
}
