import { Agent, request } from "undici";

// Sends one request repeatedly, over one connection per request in flight, and reports how many milliseconds each
// took. autocannon counts whole milliseconds, and a call on loopback takes less than one.

/** @typedef {{ url: string, method: "GET" | "POST", headers: Record<string, string>, body: string | null, status: number, inFlight: number, seconds: number }} Order */

process.on("message", (/** @type {Order} */ order) => void call(order));
process.once("disconnect", () => process.exit(0));
process.send?.("ready");

/** @param {Order} order */
async function call({ url, method, headers, body, status, inFlight, seconds }) {
  const dispatcher = new Agent({ connections: inFlight });
  /** @type {number[]} */
  const took = [];
  let wrong = "";
  const started = performance.now();
  const ends = started + seconds * 1000;
  let count = 0;
  const caller = async () => {
    while (performance.now() < ends && wrong === "") {
      const begun = performance.now();
      const answer = await request(url, {
        dispatcher,
        method,
        headers,
        body: body?.replace("[<id>]", String((count += 1))) ?? null,
      });
      const text = await answer.body.text();
      took.push(performance.now() - begun);
      if (answer.statusCode !== status) wrong = `${url}: wanted ${status}, got ${answer.statusCode}: ${text}`;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller)).catch((error) => (wrong ||= String(error)));
  process.send?.({ took, perSecond: (took.length * 1000) / (performance.now() - started), wrong });
  await dispatcher.close();
}
