import { expect, test, vi } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { observedIn } from "@/lib/access/decide/observed";
import { compareCall } from "@/lib/access/decide/observed-call";
import { BLANK_POLICY } from "@/lib/access/model/blank-rows";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { Policy } from "@/lib/access/model/configuration";
import { requestOf } from "@/lib/access/model/request";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

const watched: Policy = { ...BLANK_POLICY, name: "watched", mode: "observe", everyone: true, groups: ["*"] };

test("outcomes under observed rules are remembered by short keys, however long the names that a caller states", () => {
  const index = compile({ ...EMPTY_CONFIGURATION, policies: [watched] });
  const observed = observedIn(index);
  if (observed === null) throw new Error("no rule is observed");
  const claims = {};
  const set = vi.spyOn(BoundedCache.prototype, "set");
  for (let call = 0; call < 10; call += 1) {
    const group = Array.from({ length: 500 }, (_, at) => `${call}-${at}`.padEnd(200, "x"));
    compareCall(
      index,
      observed,
      { request: { ...requestOf(claims), group }, toolId: "a:b", args: {}, isAllowed: false },
      0,
    );
  }
  expect(set).toHaveBeenCalledTimes(10);
  for (const [key] of set.mock.calls) expect(key.length).toBeLessThan(2_000);
  set.mockRestore();
});
