import { expect } from "@playwright/test";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { SettingsInput } from "@/lib/resources/settings";
import { command } from "@/test/support/command";

/** Sends a request to the admin API as the first administrator, to prepare data without the browser. */
export async function askAdmin<T = Record<string, unknown>>(
  server: ServerUnderTest,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await fetch(`${server.baseUrl}/api/admin/${path}`, {
    method,
    headers: {
      cookie: `${server.cookieName}=${server.cookies.admin}`,
      origin: server.baseUrl,
      "content-type": "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? null : JSON.parse(text)) as T;
}

/** Makes changes wait for a second person, and returns what ends that: who began it cannot approve that it ends. */
export async function requireReview(
  server: ServerUnderTest,
  changes: "widening" | "all",
): Promise<() => Promise<void>> {
  const { version, ...settings } = await askAdmin<SettingsInput & { version: number }>(server, "GET", "settings");
  await askAdmin(server, "PUT", "settings", { ...settings, review: { changes } }, { "if-match": `"${version}"` });
  return async () => {
    const { code, error } = await command(["review", "off"], { DATABASE_URL: server.databaseUrl });
    if (code !== 0) throw new Error(`quartermaster review off: ${error}`);
  };
}

/** Lets clients register themselves. The gateway hears of a change a moment after the app has answered; waits for it. */
export async function allowRegistration(server: ServerUnderTest): Promise<void> {
  const { version, ...settings } = await askAdmin<SettingsInput & { version: number }>(server, "GET", "settings");
  const clientSignIn = { enabled: true, registration: true };
  await askAdmin(server, "PUT", "settings", { ...settings, clientSignIn }, { "if-match": `"${version}"` });
  const announced = async () => (await fetch(`${server.baseUrl}/.well-known/oauth-authorization-server`)).text();
  await expect.poll(announced).toContain("registration_endpoint");
}

/** Calls a tool as the demo's agent, with the API key of the first start. */
export async function callAsBot<T = Record<string, unknown>>(
  server: ServerUnderTest,
  body: Record<string, unknown>,
): Promise<T> {
  const response = await fetch(`${server.baseUrl}/api/agents/tools/call`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}
