import context from "oidc-provider/lib/helpers/als.js";
import { beforeAll, expect, it } from "vitest";
import { save, supportDocument } from "@/test/api/agents-world";
import { useGateway, RESOURCE } from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

useDatabase();

beforeAll(() => save(supportDocument()));
const gateway = useGateway();

const read = async (path: string, init: RequestInit = {}) => {
  const answered = await gateway.send(path, init);
  const text = await answered.text();
  return { status: answered.status, headers: answered.headers, text };
};

const SERVER = ["oauth-authorization-server", "openid-configuration"];
const FORMS = [...SERVER, "oauth-protected-resource"].flatMap((name) => [name, `${name}/mcp`]);

// Clients differ in the name and in whether they append the path of the MCP server (RFC 8414, 3.1; RFC 9728, 3.1).
it.each(FORMS)("/.well-known/%s is public JSON that every origin may read", async (form) => {
  const { status, headers, text } = await read(`/.well-known/${form}`, {
    headers: { origin: "https://other.example" },
  });
  expect([status, headers.get("content-type")]).toEqual([200, expect.stringMatching(/^application\/json/)]);
  expect(headers.get("access-control-allow-origin")).toMatch(/^(?:\*|https:\/\/other\.example)$/);
  const json = JSON.parse(text) as Record<string, unknown>;
  const isResource = form.startsWith("oauth-protected-resource");
  expect(json).toMatchObject(isResource ? { resource: RESOURCE } : { issuer: ORIGIN });
});

it("the four forms of the server's metadata are the same document", async () => {
  const forms = FORMS.filter((form) => !form.startsWith("oauth-protected-resource"));
  const documents = await Promise.all(forms.map(async (form) => (await read(`/.well-known/${form}`)).text));
  expect(new Set(documents).size).toBe(1);
});

it.each(FORMS)("/.well-known/%s answers HEAD without a body, and no POST", async (form) => {
  const head = await read(`/.well-known/${form}`, { method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
  expect((await read(`/.well-known/${form}`, { method: "POST" })).status).toBeGreaterThanOrEqual(404);
});

it.each([
  "oauth-authorization-server/other",
  "oauth-authorization-server/mcp/mcp",
  "openid-configuration/api/agents",
  "jwks",
])("/.well-known/%s is not there", async (form) => {
  expect((await read(`/.well-known/${form}`)).status).toBe(404);
});

// A context in use makes Node 20 and 22 track every promise of the process.
it("a request leaves no context in use", async () => {
  await context.run({}, async () => {
    expect(context.getStore()).toBeDefined();
    await Promise.all(FORMS.map((form) => read(`/.well-known/${form}`)));
    expect(context.getStore()).toBeUndefined();
  });
});
