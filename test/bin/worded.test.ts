import { expect, test } from "vitest";
import type { Otherwise } from "@/bin/front";
import { worded } from "@/bin/worded";
import { open, raw } from "@/test/bin/opened-front";

/** As Next answers: an address that it does not know by a page, a method that a route has not by nothing; ours as they are. */
const next: Otherwise = async ({ url = "" }, outgoing) => {
  if (url.startsWith("/api/spoken")) {
    outgoing.statusCode = 404;
    outgoing.setHeader("content-type", "application/problem+json");
    outgoing.end('{"code":"session_not_found"}');
  } else if (url.startsWith("/api/whole")) {
    outgoing.writeHead(404, { "content-type": "application/json" }).end("{}");
  } else if (url.startsWith("/api/method")) {
    outgoing.statusCode = 405;
    outgoing.setHeader("content-security-policy", "default-src 'self'");
    outgoing.flushHeaders();
    outgoing.end();
  } else if (url.startsWith("/api/data")) {
    outgoing.setHeader("content-type", "text/csv");
    outgoing.end("a,b");
  } else {
    outgoing.statusCode = 404;
    outgoing.setHeader("content-type", "text/html; charset=utf-8");
    outgoing.setHeader("link", "</style.css>; rel=preload");
    outgoing.write("<html>");
    outgoing.end("</html>");
  }
};

async function ask(path: string, method = "GET") {
  const { url } = await open({}, worded(next));
  const response = await fetch(url + path, { method, headers: { "x-request-id": "asked-by-a-test" } });
  const { status, headers } = response;
  return { status, headers, type: headers.get("content-type"), text: await response.text() };
}

test.each([
  ["/api/nothing?q=1", "GET", 404, "not_found"],
  ["/api", "POST", 404, "not_found"],
  ["/api/method", "PATCH", 405, "method_not_allowed"],
  ["/api/admin/tools/%ff", "GET", 404, "not_found"],
  ["/api/method", "PROPFIND", 405, "method_not_allowed"],
  ["/page", "PROPFIND", 405, "method_not_allowed"],
])("what Next refuses at %s to %s is a problem document", async (path, method, status, code) => {
  const answer = await ask(path, method);
  expect([answer.status, answer.type]).toEqual([status, "application/problem+json"]);
  expect(JSON.parse(answer.text)).toMatchObject({ status, code, request_id: "asked-by-a-test" });
  expect(answer.headers.get("x-request-id")).toBe("asked-by-a-test");
  expect(answer.headers.get("link")).toBeNull();
});

test("TRACE is refused, and does not come back", async () => {
  const { port } = await open({}, worded(next));
  const said = await raw(port, "TRACE /page HTTP/1.1\r\nHost: a\r\nCookie: secret\r\nConnection: close\r\n\r\n");
  expect(said).toMatch(/^HTTP\/1\.1 405 /);
  expect(said).not.toContain("secret");
});

test("what routes of ours say passes, and a page that is not there stays one", async () => {
  const spoken = await ask("/api/spoken");
  expect([spoken.status, spoken.text]).toEqual([404, '{"code":"session_not_found"}']);
  expect((await ask("/api/whole")).text).toBe("{}");
  expect((await ask("/api/data")).text).toBe("a,b");
  const page = await ask("/page");
  expect([page.status, page.text]).toEqual([404, "<html></html>"]);
  const head = await ask("/api/nothing", "HEAD");
  expect([head.status, head.type, head.text]).toEqual([404, "application/problem+json", ""]);
});
