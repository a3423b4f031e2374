import { fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** Starts a bare `node:http` server in a separate process; it answers with the file at path `answer`. */
export async function bareHttp(answer: string): Promise<{ readonly url: string; readonly stop: () => void }> {
  const child = fork(join("bench", "support", "servers", "bare-server.mjs"), {
    env: { ...process.env, BENCH_ANSWER: answer },
    execArgv: [],
  });
  const [address] = (await once(child, "message")) as [AddressInfo];
  return { url: `http://127.0.0.1:${address.port}`, stop: () => child.disconnect() };
}
