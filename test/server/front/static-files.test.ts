import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { serveStaticFiles } from "@/lib/server/front/static-files";
import { open, raw } from "@/test/server/front/opened-front";

const parent = mkdtempSync(join(tmpdir(), "static-"));
const folder = join(parent, "static");
mkdirSync(join(folder, "chunks"), { recursive: true });
const script = "export const answer = 42;\n".repeat(200);
const font = Buffer.from([0, 1, 2, 3, 255]);
writeFileSync(join(folder, "chunks/a.js"), script);
writeFileSync(join(folder, "chunks/gone.js"), script);
writeFileSync(join(folder, "font.woff2"), font);
writeFileSync(join(folder, "notes.txt"), "not for browsers");
writeFileSync(join(parent, "outside.js"), "");
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const files = serveStaticFiles(folder, async (incoming, outgoing) => {
  outgoing.writeHead(200, { "x-fallback": "yes" }).end(incoming.url);
});
const server = () => open({}, files);

it("a file is compressed for clients that accept gzip, and browsers keep it for a year", async () => {
  const { url } = await server();
  for (const accepts of ["gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "GZIP"]) {
    const answer = await fetch(`${url}/_next/static/chunks/a.js?dpl=1`, { headers: { "accept-encoding": accepts } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-encoding": "gzip",
      "content-type": "application/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    expect(Number(answer.headers.get("content-length"))).toBeLessThan(script.length / 4);
    expect(await answer.text()).toBe(script);
  }
});

it.each(["identity", "gzip;q=0", "br, gzipped", "*;q=0"])(
  "a file is sent as it is to a client that accepts %s",
  async (accepts) => {
    const { url } = await server();
    const answer = await fetch(`${url}/_next/static/chunks/a.js`, { headers: { "accept-encoding": accepts } });
    expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([null, script]);
  },
);

it("a font is sent as it is, and HEAD has the headers of GET", async () => {
  const { url, port } = await server();
  const answer = await fetch(`${url}/_next/static/font.woff2`, { headers: { "accept-encoding": "gzip" } });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(font);
  const head = await raw(port, "HEAD /_next/static/font.woff2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(head).toMatch(/content-length: 5\r\n/i);
  expect(head.endsWith("\r\n\r\n")).toBe(true);
});

it("everything else is the app's: another method, another path, another kind, and a file that is gone", async () => {
  const { url, port } = await server();
  rmSync(join(folder, "chunks/gone.js"));
  const passed = async (path: string, method = "GET") =>
    (await fetch(url + path, { method })).headers.get("x-fallback");
  expect(await passed("/_next/static/chunks/a.js", "POST")).toBe("yes");
  expect(await passed("/_next/static/chunks/gone.js")).toBe("yes");
  expect(await passed("/_next/static/notes.txt")).toBe("yes");
  expect(await passed("/_next/static/chunks")).toBe("yes");
  expect(await passed("/admin/tools")).toBe("yes");
  for (const path of [
    "/_next/static/../outside.js",
    "/_next/static/%2e%2e/outside.js",
    "/_next/static/chunks%2fa.js",
  ]) {
    const answer = await raw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/x-fallback: yes/i);
  }
});

it("without a build, every request is the app's", async () => {
  const { url } = await open(
    {},
    serveStaticFiles(join(folder, "none"), async (_, outgoing) => void outgoing.end("app")),
  );
  expect(await (await fetch(`${url}/_next/static/chunks/a.js`)).text()).toBe("app");
});
