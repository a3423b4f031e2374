import type { ServerUnderTest } from "@/e2e/support/server";

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
