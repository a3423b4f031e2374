import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";

// A process that requests tokens at an even rate, whether or not earlier requests are answered. It is separate, so that a
// measurement beside it does not wait for this client.

/** @typedef {{ url: string, forms: string[], perSecond: number }} Order */

process.on("message", async (/** @type {Order} */ { url, forms, perSecond }) => {
  const asked = [];
  for (const form of forms) {
    asked.push(issueToken(url, form));
    await delay(1000 / perSecond);
  }
  const failed = (await Promise.all(asked)).find((wrong) => wrong !== "") ?? "";
  process.send?.(failed);
});
process.once("disconnect", () => process.exit(0));

/**
 * @param {string} url
 * @param {string} body
 * @returns {Promise<string>} what is wrong with the answer; empty = nothing
 */
async function issueToken(url, body) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await request(`${url}/oauth/token`, { method: "POST", headers, body });
  const text = await answer.body.text();
  return answer.statusCode === 200 ? "" : `The token endpoint answered ${answer.statusCode}: ${text}`;
}
