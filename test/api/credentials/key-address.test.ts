import { afterAll, afterEach, expect, test, vi } from "vitest";
import { PUT as REPLACE } from "@/app/api/admin/[resource]/[id]/route";
import { POST } from "@/app/api/admin/[resource]/route";
import { PUT } from "@/app/api/admin/config/route";
import { fetchKeySet } from "@/lib/auth/agents/issuer-keys";
import type { Outbound } from "@/lib/outbound/fetch";
import { KEYS_IN_PLAIN_TEXT, mayServeKeys } from "@/lib/store/keys/key-address";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test("signing keys come from https or this machine", () => {
  for (const address of ["https://a.example/keys", "http://localhost:1/k", "http://127.0.0.1/k", "http://[::1]:9/k"])
    expect([address, mayServeKeys(address)]).toEqual([address, true]);
  for (const address of [
    "http://a.example/keys",
    "http://localhost.evil.example/k",
    "http://10.0.0.7/k",
    "http://127.0.0.1.evil.example/k",
  ])
    expect([address, mayServeKeys(address)]).toEqual([address, false]);
});
test("an operator may allow a host in plain text by name and port", async () => {
  vi.stubEnv("OUTBOUND_ALLOW", "keys.internal:8080,plain.internal:80");
  vi.resetModules();
  const { mayServeKeys: allowed } = await import("@/lib/store/keys/key-address");
  expect(allowed("http://keys.internal:8080/jwks")).toBe(true);
  expect(allowed("http://plain.internal/jwks")).toBe(true);
  expect(allowed("http://keys.internal:8081/jwks")).toBe(false);
});
test("an address in plain text is refused on save, in the form and in a document; one that is stored stays", async () => {
  const input = (jwksUri: string) => ({ name: "corp", issuer: "https://corp.example", audience: "q", jwksUri });
  const create = async (jwksUri: string) =>
    (await ask(POST, "POST", "/api/admin/issuers", { body: input(jwksUri), params: { resource: "issuers" } })).json;
  expect(await create("http://corp.example/keys")).toMatchObject({
    code: "invalid_request",
    errors: [{ path: "jwksUri", message: KEYS_IN_PLAIN_TEXT }],
  });
  const { json } = await ask(PUT, "PUT", "/api/admin/config", {
    body: { apiVersion: "quartermaster/v1", issuers: [input("http://corp.example/keys")] },
  });
  expect(json.errors).toEqual([{ path: "issuers[corp].jwksUri", message: KEYS_IN_PLAIN_TEXT }]);
  const { revision } = await create("http://127.0.0.1:9/keys");
  await database.query(`update issuer set "jwksUri" = 'http://corp.example/keys' where name = 'corp'`);
  const changed = await ask(REPLACE, "PUT", "/api/admin/issuers/corp", {
    body: { ...input("http://corp.example/keys"), description: "changed" },
    params: { resource: "issuers", id: "corp" },
    headers: { "if-match": `"${String(revision)}"` },
  });
  expect(changed.json["description"]).toBe("changed");
});
test("any other address is never requested", async () => {
  const asked = vi.fn<Outbound>();
  await expect(fetchKeySet(asked, "http://a.example/keys")).rejects.toThrow("use https");
  expect(asked).not.toHaveBeenCalled();
});
