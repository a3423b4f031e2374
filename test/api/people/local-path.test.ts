import { expect, test } from "vitest";
import { localPath } from "@/lib/auth/people/local-path";

test.each([
  ["/admin/tools?q=a", "/admin/tools?q=a"],
  ["/", "/"],
  ["http://127.0.0.1:3000/admin/policies", "/admin/policies"],
])("after signing in, %s leads to %s", (address, path) => {
  expect(localPath(address)).toBe(path);
});

test("a path of up to 2,000 characters is kept unchanged", () => {
  const longest = `/${"a".repeat(1_999)}`;
  expect(localPath(longest)).toBe(longest);
  expect(localPath(`${longest}a`)).toBe("/");
  expect(localPath(`/${"é".repeat(400)}`)).toBe("/");
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "/.\\/evil.example",
  "/%2e//evil.example",
  "http://127.0.0.1:3000//evil.example",
  "https:/\\evil.example//evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "\t//evil.example",
  "http://",
])("no address leads to another site: %j", (address) => {
  const path = localPath(address);
  expect(path).toMatch(/^\/(?![/\\])/);
  expect(new URL(path, "http://127.0.0.1:3000").origin).toBe("http://127.0.0.1:3000");
});
