import { readdirSync } from "node:fs";
import { NAVIGATION } from "@/components/shell/navigation";
import { expect, open, test } from "@/e2e/support/fixtures";
import { CHUNKS, FIRST_LOAD, firstLoadOf, LAZY_PART, weightOf } from "@/e2e/support/weight";

test("no page loads more than its budget before it can be used", async ({ admin }) => {
  const heavy: Record<string, number> = {};
  for (const { href } of NAVIGATION.flatMap(({ entries }) => entries)) {
    const bytes = firstLoadOf(await (await admin.request.get(href)).text());
    if (bytes > FIRST_LOAD) heavy[href] = bytes;
  }
  expect(heavy).toEqual({});
});

test("no lazily loaded chunk is larger than its budget", () => {
  const scripts = readdirSync(CHUNKS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const large = scripts.map((file) => [file, weightOf(file)] as const).filter(([, bytes]) => bytes > LAZY_PART);
  expect(large).toEqual([]);
});

test("an opened page prefetches no other page and reads nothing twice", async ({ admin }) => {
  const prefetched: string[] = [];
  const read: string[] = [];
  admin.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.headers()["next-router-prefetch"] !== undefined) prefetched.push(pathname);
    if (pathname.startsWith("/api/")) read.push(pathname + search);
  });
  await open(admin, "/admin/policies");
  await expect(admin.getByRole("table").getByRole("link").first()).toBeVisible();
  await admin.waitForLoadState("networkidle");
  expect(prefetched).toEqual([]);
  expect(read).not.toEqual([]);
  expect(read.filter((address, index) => read.indexOf(address) !== index)).toEqual([]);
});
