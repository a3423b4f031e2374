import { expect, it, vi } from "vitest";
import { singleton } from "@/lib/process/singleton";

it("creates its value once for all bundles of a process", () => {
  const make = vi.fn<() => { name: string }>(() => ({ name: "first" }));
  const [one, other] = [singleton("Tested", make), singleton("Tested", () => ({ name: "second" }))];
  expect(one.peek()).toBeUndefined();
  expect(one()).toBe(other());
  expect(make).toHaveBeenCalledTimes(1);
  other.clear();
  expect(one.peek()).toBeUndefined();
  one.set({ name: "replaced" });
  expect(other()).toEqual({ name: "replaced" });
  one.clear();
});
