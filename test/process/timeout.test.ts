import { expect, it } from "vitest";
import { withTimeout } from "@/lib/process/timeout";

const never = new Promise<never>(() => {});

it("answers like the work that ends in time, failures included", async () => {
  expect(await withTimeout(Promise.resolve(1), 60_000, null)).toBe(1);
  await expect(withTimeout(Promise.reject(new Error("lost")), 60_000, null)).rejects.toThrow("lost");
});

it("answers with the other value when the time is over", async () => {
  expect(await withTimeout(never, 1, "late")).toBe("late");
});

it("leaves no timer behind", async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  await withTimeout(Promise.resolve(1), 60_000, null);
  expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout")).toHaveLength(before);
});
