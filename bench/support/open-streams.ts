import { Agent, request } from "node:http";
import type { Load } from "@/bench/support/load";

/** Opens `count` streams and waits until each has sent `begun`; answers a function that closes them. */
export async function openStreams(load: Load, begun: string, count: number): Promise<() => void> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  // At most as many at once as the listening socket's backlog takes.
  for (let opened = 0; opened < count; opened += 100)
    await Promise.all(Array.from({ length: Math.min(100, count - opened) }, () => open(load, begun, agent)));
  return () => agent.destroy();
}

function open({ url, headers = {}, body, status }: Load, begun: string, agent: Agent): Promise<void> {
  const typed = { ...headers, ...(body !== undefined && { "content-type": "application/json" }) };
  const asked = { agent, headers: typed, method: body === undefined ? "GET" : "POST" };
  return new Promise((resolve, reject) => {
    const asking = request(url, asked, (answer) => {
      if (answer.statusCode !== status) return reject(new Error(`${url}: wanted ${status}, got ${answer.statusCode}`));
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        if (text.includes(begun)) return;
        text += chunk;
        if (text.includes(begun)) resolve();
      });
      // The error comes when we close the stream at the end.
      answer.on("error", () => {});
    });
    asking.on("error", reject).end(body);
  });
}
