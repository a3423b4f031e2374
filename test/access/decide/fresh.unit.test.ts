import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "@/lib/access/model/configuration";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

test("a fresh installation has no rows, and the documented default settings", () => {
  const { revision, settings, ...lists } = EMPTY_CONFIGURATION;
  expect(revision).toBe(0);
  expect(settings).toBe(DEFAULT_SETTINGS);
  expect(Object.values(lists).flat()).toEqual([]);
  expect(DEFAULT_SETTINGS).toEqual({
    routing: { high: 0.8, medium: 0.6, mode: "conservative", resolutionGroups: ["resolution"], alwaysGroups: [] },
    openStart: true,
    cache: { accessSeconds: 300, groupSeconds: 600 },
  });
});
