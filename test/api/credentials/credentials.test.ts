import { describe, expect, it } from "vitest";
import { POST } from "@/app/api/admin/[resource]/route";
import { PUT } from "@/app/api/admin/[resource]/[id]/route";
import { findApiKey } from "@/lib/store/config/api-keys";
import { isToken, mintApiKey, mintToken, parseApiKey, sameHash } from "@/lib/store/keys/credentials";
import { findUsableToken } from "@/lib/store/people/tokens";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const day = 24 * 60 * 60 * 1000;

describe("a credential's text", () => {
  it("has at least 160 random bits and is unique", () => {
    const minted = Array.from({ length: 500 }, () => mintApiKey());
    expect(new Set(minted.map(({ key }) => key)).size).toBe(500);
    const [, , secret = ""] = minted[0]?.key.split("_") ?? [];
    expect(secret.length * 5).toBeGreaterThanOrEqual(160);
  });

  it("is accepted unchanged, and refused with one character changed, missing, added or in another case", () => {
    const { key, keyId, hash } = mintApiKey();
    const parsed = parseApiKey(key);
    expect(parsed?.keyId).toBe(keyId);
    expect(sameHash(parsed?.hash ?? new Uint8Array(), hash)).toBe(true);
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === "a" ? "b" : "a";
      expect(parseApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
      expect(parseApiKey(key.slice(0, at) + key.slice(at + 1))).toBeNull();
    }
    for (const text of [`${key} `, ` ${key}`, `${key}\n`, key.toUpperCase(), "", "qm___", mintToken().token])
      expect(parseApiKey(text)).toBeNull();
    expect(isToken(mintToken().token)).toBe(true);
    expect(isToken(key)).toBe(false);
  });
});

describe("a stored credential", () => {
  it("is shown once: afterwards only its hash is anywhere in the database", async () => {
    const params = { resource: "agents" };
    await ask(POST, "POST", "/api/admin/agents", { body: { name: "bot" }, params });
    const key = await ask(POST, "POST", "/api/admin/api-keys", {
      body: { name: "bot-key", agent: "bot" },
      params: { resource: "api-keys" },
    });
    const token = await ask(POST, "POST", "/api/admin/tokens", {
      body: { name: "ci", role: "editor" },
      params: { resource: "tokens" },
    });
    const keyText = String(key.json["key"]);
    const tokenText = String(token.json["token"]);
    const dump = JSON.stringify(
      await database.query(`select to_jsonb(api_key) as row from api_key union all select to_jsonb(token) from token
        union all select to_jsonb(change) from change`),
    );
    for (const text of [keyText, tokenText, keyText.split("_")[2] ?? "", tokenText.split("_")[1] ?? ""])
      expect(dump).not.toContain(text);
    const hashes = await database.query<{ hash: Buffer }>("select hash from api_key union all select hash from token");
    const changes = JSON.stringify(await database.query("select before, after from change"));
    for (const { hash } of hashes) {
      expect(hash).toHaveLength(32);
      expect(changes).not.toContain(hash.toString("hex"));
    }
    expect(changes).not.toContain("hash");
    const found = await findApiKey(parseApiKey(keyText)?.keyId ?? "");
    expect(sameHash(found?.hash ?? new Uint8Array(), parseApiKey(keyText)?.hash ?? new Uint8Array(1))).toBe(true);
    expect((await findUsableToken(tokenText, Date.now()))?.token.role).toBe("editor");
  });

  it("expires 90 days after its creation by default, and a replacement keeps the secret and the date", async () => {
    const params = { resource: "tokens" };
    const made = await ask(POST, "POST", "/api/admin/tokens", { body: { name: "cd", role: "auditor" }, params });
    const left = Date.parse(String(made.json["expiresAt"])) - Date.now();
    expect(Math.round(left / day)).toBe(90);
    const replaced = await ask(PUT, "PUT", "/api/admin/tokens/cd", {
      body: { name: "cd", role: "auditor", enabled: false },
      params: { ...params, id: "cd" },
      headers: { "if-match": made.headers.get("etag") ?? "" },
    });
    expect(replaced.json).toMatchObject({
      enabled: false,
      expiresAt: made.json["expiresAt"],
      lastFour: made.json["lastFour"],
    });
    const find = () => findUsableToken(String(made.json["token"]), Date.now());
    expect(await find()).toBeNull();
    await database.query("update token set enabled = true where name = 'cd'");
    expect(await find()).toMatchObject({ token: { name: "cd" } });
  });
});
