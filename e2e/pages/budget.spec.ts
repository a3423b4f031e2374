import { readdirSync } from "node:fs";
import { NAVIGATION } from "@/components/shell/navigation";
import { expect, test } from "@/e2e/support/fixtures";
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
